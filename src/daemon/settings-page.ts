import { z } from "zod";
import { AppError } from "../app-error.ts";
import { Config, loadConfig, logFile, readConfigFile } from "../config.ts";
import type { Env, Home } from "../home.ts";
import type { ConfigAnswer, ConfigChange, Setting } from "../serve/settings-contract.ts";
import { writeConfig } from "../write-config.ts";

/**
 * Settings that a page may change, and whether they apply immediately. Excluded: addresses to send to,
 * which programs run, where files are, what deletes data, and `guard.on` and `approve.on`, which change
 * hooks too (`PUT /api/hooks`).
 */
const SETTABLE: readonly (readonly [string, Setting["kind"], "live" | "restart"])[] = [
  ["exclude", "list", "live"],
  ["followTranscripts", "switch", "restart"],
  ["watchRegistry", "switch", "restart"],
  ["processLoad", "switch", "restart"],
  ["memory.inject.startup", "switch", "restart"],
  ["memory.inject.resume", "switch", "restart"],
  ["memory.inject.compact", "switch", "restart"],
  ["memory.inject.prompt", "switch", "restart"],
  ["memory.inject.file", "switch", "restart"],
  ["memory.notice", "switch", "restart"],
  ["memory.digestTokens", "number", "restart"],
  ["memory.promptTokens", "number", "restart"],
  ["memory.model", "text", "restart"],
  ["approve.holdSeconds", "number", "live"],
  ["approve.headless", "switch", "live"],
  ["approve.messages", "switch", "live"],
  ["control.maxSessions", "number", "restart"],
  ["control.idleMinutes", "number", "restart"],
  ["control.maxBudgetUsd", "number", "restart"],
  ["control.sdkLog", "switch", "restart"],
  ["control.sdkLogDays", "number", "restart"],
  ["logLevel", "choice", "restart"],
];

const PATH_KEYS = ["db", "searchDb", "spool", "configFile", "rules", "trust", "logins", "daemonLog"] as const;

export function readSettings(home: Home, env: Env): ConfigAnswer {
  const { config } = loadConfig(home, env);
  const defaults = Config.parse({});
  const settings = SETTABLE.map(([key, kind, when]): Setting => {
    const { description, schema, nullable } = schemaOf(key);
    return {
      key,
      value: valueAt(config, key),
      default: valueAt(defaults, key),
      description,
      kind,
      choices: schema instanceof z.ZodEnum ? schema.options.map(String) : [],
      nullable,
      live: when === "live",
    };
  });
  const places = [
    { key: "home", path: home.dir },
    { key: "log", path: logFile(home, config) },
    ...PATH_KEYS.map((key) => ({ key, path: home[key] })),
  ];
  return { settings, places };
}

/** Sets one key in the file and preserves everything else. */
export function writeSetting(home: Home, { key, value }: ConfigChange): void {
  if (kindOf(key) === undefined) throw new AppError("config_key_refused", `${key} can't be set on a page`);
  if (typeof value === "string" && !NAME.test(value) && kindOf(key) === "text")
    throw new AppError("config_invalid", `${key}: not a name`);
  const [first, ...rest] = key.split(".");
  const current = readConfigFile(home)[first!];
  writeConfig(home, { [first!]: withValue(current, rest, value) });
}

/** The name of a model: it is passed to a program, so it must not look like an option. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._:@/[\]-]{0,199}$/;

function kindOf(key: string): Setting["kind"] | undefined {
  return SETTABLE.find(([name]) => name === key)?.[1];
}

function withValue(current: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const fields = typeof current === "object" && current !== null ? (current as Record<string, unknown>) : {};
  return { ...fields, [key]: withValue(fields[key], rest, value) };
}

function valueAt(config: unknown, key: string): unknown {
  return key
    .split(".")
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], config);
}

/** Schema of a key, without its default. */
function schemaOf(key: string): { description: string; schema: z.ZodType; nullable: boolean } {
  let schema: z.ZodType = Config;
  let description = "";
  for (const part of key.split(".")) {
    schema = (unwrapSchema(schema).schema as z.ZodObject).shape[part] as z.ZodType;
    description = schema.description ?? "";
  }
  return { description, ...unwrapSchema(schema) };
}

function unwrapSchema(schema: z.ZodType): { schema: z.ZodType; nullable: boolean } {
  let inner = schema;
  let nullable = false;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault || inner instanceof z.ZodNullable) {
    if (inner instanceof z.ZodNullable) nullable = true;
    inner = inner.unwrap() as z.ZodType;
  }
  return { schema: inner, nullable };
}
