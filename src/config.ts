import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { AppError } from "./app-error.ts";
import type { Env, Home } from "./home.ts";

/** `config.json`: every key is optional, with a default and a description. */
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
    .describe("JSONL files of other programs to read; null: ~/.kw-chat/streams/lifecycle.jsonl if it exists"),
  exclude: z.array(z.string()).default([]).describe("globs of project folders that are not recorded"),
  retentionDays: z
    .number()
    .positive()
    .max(36_500)
    .nullable()
    .default(null)
    .describe("sessions older than this are removed; null: never"),
  rotateBytes: z
    .number()
    .int()
    .min(1_024)
    .default(32 * 1024 * 1024)
    .describe("size at which the log starts a new segment"),
  skippedTools: z
    .array(z.string())
    .nullable()
    .default(null)
    .describe("tools that create no observation; null: the default list"),
  followTranscripts: z
    .boolean()
    .default(true)
    .describe("read the transcripts of running sessions: tokens, cost, titles, and what hooks miss"),
  watchRegistry: z
    .boolean()
    .default(true)
    .describe("read Claude Code's own list of its sessions, to see who waits even when hooks are silent"),
  processLoad: z.boolean().default(false).describe("measure CPU and memory of the agents' processes"),
  serve: z
    .strictObject({
      compat: z
        .boolean()
        .default(false)
        .describe("serve the worker's routes without a token, for local clients that cannot send one"),
    })
    .prefault({})
    .describe("the HTTP API"),
  memory: z
    .strictObject({
      inject: z
        .strictObject({
          startup: z.boolean().default(true).describe("a digest when a session starts"),
          resume: z.boolean().default(true).describe("a digest when a session is resumed or forked"),
          compact: z.boolean().default(true).describe("open work after a compaction"),
          prompt: z.boolean().default(true).describe("what is relevant to a prompt"),
          file: z.boolean().default(false).describe("what is known about a file before it is read or edited"),
        })
        .prefault({})
        .describe("what is injected into sessions"),
      off: z.array(z.string()).default([]).describe("globs of project folders without injection"),
      notice: z
        .boolean()
        .default(true)
        .describe("show one line about what was injected into a session, and where to see it"),
      digestTokens: z.number().int().min(100).default(900).describe("maximum tokens of a digest"),
      promptTokens: z.number().int().min(50).default(400).describe("maximum tokens injected for a prompt"),
      model: z
        .string()
        .nullable()
        .default(null)
        .describe("a Claude model that writes better observations, one call per turn; null: none"),
      modelVia: z
        .enum(["sdk", "api"])
        .default("sdk")
        .describe("through the Agent SDK and the user's own login, or an API key in ANTHROPIC_API_KEY"),
      dailyTokens: z
        .number()
        .int()
        .min(0)
        .default(200_000)
        .describe("daily tokens after which the model is not called"),
      embedder: z
        .string()
        .nullable()
        .default("local")
        .describe(
          "local, a folder with an ONNX model, the URL of an OpenAI-compatible /v1/embeddings, or null",
        ),
      embedderModel: z.string().nullable().default(null).describe("the model's name at that URL"),
    })
    .prefault({})
    .describe("what is remembered and injected"),
  guard: z
    .strictObject({
      on: z.boolean().default(false).describe("check tool calls of terminal sessions against the policy"),
      failClosed: z
        .boolean()
        .default(false)
        .describe("deny tool calls instead of allowing them while the daemon does not answer"),
    })
    .prefault({})
    .describe("the policy in terminal sessions; `install --guard` switches it on"),
  approve: z
    .strictObject({
      on: z
        .boolean()
        .default(false)
        .describe("requests of terminal sessions can be answered through the API as well"),
      holdSeconds: z
        .number()
        .int()
        .min(1)
        .max(3_600)
        .default(120)
        .describe("how long the API may answer before only the terminal's own dialog decides"),
      headless: z
        .boolean()
        .default(false)
        .describe("also hold requests of headless runs (`claude -p`) for an answer"),
      messages: z
        .boolean()
        .default(false)
        .describe("allow messages into idle terminal sessions, labelled as such"),
    })
    .prefault({})
    .describe("answers from elsewhere; `install --approve` switches it on"),
  control: z
    .strictObject({
      maxSessions: z
        .number()
        .int()
        .min(1)
        .default(4)
        .describe("driven sessions that run at once; more wait in a queue"),
      idleMinutes: z
        .number()
        .positive()
        // A timer longer than 24 days fires immediately.
        .max(34_560)
        .nullable()
        .default(60)
        .describe("close a driven session after this many idle minutes; null: never"),
      maxBudgetUsd: z
        .number()
        .positive()
        .nullable()
        .default(null)
        .describe("default cost limit of a driven session"),
      billing: z
        .enum(["api", "subscription"])
        .default("api")
        .describe("whether driven sessions may use a claude.ai login where there is no API key"),
      claude: z.string().nullable().default(null).describe("the claude to run; null: the one in the PATH"),
      sdkLog: z.boolean().default(true).describe("log the Agent SDK's messages in logs/, masked"),
      sdkLogDays: z.number().int().min(1).default(7).describe("days after which such a log is removed"),
    })
    .prefault({})
    .describe("sessions driven through the Agent SDK"),
  logLevel: z.enum(["error", "warn", "info", "debug"]).default("info").describe("level of daemon.log"),
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

export function logFile(home: Home, config: Config): string {
  return config.streamPath ?? join(home.stream, "lifecycle.jsonl");
}

/** Streams of other programs to read; never our own log, which may be where theirs used to be. */
export function foreignStreams(config: Config, env: Env, ownLog: string): string[] {
  const defaultStream = join(env["HOME"] || homedir(), ".kw-chat/streams/lifecycle.jsonl");
  const paths = config.streams ?? (existsSync(defaultStream) ? [defaultStream] : []);
  return paths.map((path) => resolve(path)).filter((path) => path !== resolve(ownLog));
}
