import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { AppError } from "./app-error.ts";
import type { Env, Home } from "./home.ts";

/** `config.json`: every key is optional, has a default and says what it is. */
export const Config = z.strictObject({
  port: z.number().int().min(0).max(65_535).default(37_777).describe("port of the HTTP API on 127.0.0.1"),
  streamPath: z
    .string()
    .nullable()
    .default(null)
    .describe("file of the log, instead of stream/lifecycle.jsonl"),
  streams: z
    .array(z.string())
    .nullable()
    .default(null)
    .describe(
      "JSONL files of other programs to read; null: ~/.kw-chat/streams/lifecycle.jsonl when it is there",
    ),
  exclude: z.array(z.string()).default([]).describe("globs of project folders of which nothing is recorded"),
  retentionDays: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe("sessions older than this are removed; null: never"),
  rotateBytes: z
    .number()
    .int()
    .min(1_024)
    .default(32 * 1024 * 1024)
    .describe("size at which the log begins a new segment"),
  skippedTools: z
    .array(z.string())
    .nullable()
    .default(null)
    .describe("tools that leave no observation; null: the usual ones"),
  followTranscripts: z
    .boolean()
    .default(true)
    .describe("read the transcripts of running sessions: tokens, cost, titles, and what hooks miss"),
  watchRegistry: z
    .boolean()
    .default(true)
    .describe("read Claude Code's own list of its sessions: who waits, also where hooks are silent"),
  processLoad: z.boolean().default(false).describe("measure CPU and memory of the agents' processes"),
  logLevel: z.enum(["error", "warn", "info", "debug"]).default("info").describe("what daemon.log holds"),
});
export type Config = z.infer<typeof Config>;

export type ConfigSource = "default" | "file" | "environment";

export interface LoadedConfig {
  readonly config: Config;
  readonly sources: Readonly<Record<string, ConfigSource>>;
}

export function loadConfig(home: Home, env: Env = process.env): LoadedConfig {
  const file = readConfigFile(home);
  const parsed = Config.safeParse(file);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(
      (issue) => `${issue.path.join(".") || "(whole)"}: ${issue.message}`,
    );
    throw new AppError("config_invalid", `${home.configFile}: ${issues.join("; ")}`);
  }
  const sources: Record<string, ConfigSource> = {};
  for (const key of Object.keys(Config.shape)) sources[key] = key in file ? "file" : "default";
  const port = env["HOOKLINE_PORT"];
  if (port === undefined || port === "") return { config: parsed.data, sources };
  const overridden = Config.shape.port.safeParse(Number(port));
  if (!overridden.success) throw new AppError("config_invalid", `HOOKLINE_PORT is not a port: ${port}`);
  return { config: { ...parsed.data, port: overridden.data }, sources: { ...sources, port: "environment" } };
}

export function readConfigFile(home: Home): Record<string, unknown> {
  if (!existsSync(home.configFile)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(home.configFile, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch (error) {
    throw new AppError("config_invalid", `${home.configFile} is not JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
  throw new AppError("config_invalid", `${home.configFile} is not a JSON object`);
}

/** The file that the log is written to. */
export function logFile(home: Home, config: Config): string {
  return config.streamPath ?? join(home.stream, "lifecycle.jsonl");
}

/** Streams of other programs to read; never our own log, which may lie where theirs used to. */
export function foreignStreams(config: Config, env: Env, own: string): string[] {
  const usual = join(env["HOME"] || homedir(), ".kw-chat/streams/lifecycle.jsonl");
  const paths = config.streams ?? (existsSync(usual) ? [usual] : []);
  return paths.map((path) => resolve(path)).filter((path) => path !== resolve(own));
}
