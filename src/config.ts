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
    .describe(
      "JSONL files of other programs to read; null: ~/.kw-chat/streams/lifecycle.jsonl when it is there",
    ),
  exclude: z.array(z.string()).default([]).describe("globs of project folders of which nothing is recorded"),
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
  serve: z
    .strictObject({
      compat: z
        .boolean()
        .default(false)
        .describe("the worker's routes without a token, for clients on this machine that know no other way"),
    })
    .prefault({})
    .describe("the HTTP API"),
  memory: z
    .strictObject({
      inject: z
        .strictObject({
          startup: z.boolean().default(true).describe("a digest when a session begins"),
          resume: z.boolean().default(true).describe("a digest when a session is resumed or forked"),
          compact: z.boolean().default(true).describe("open work after a compaction"),
          prompt: z.boolean().default(true).describe("what is relevant to a prompt"),
          file: z.boolean().default(false).describe("what is known of a file before it is read or edited"),
        })
        .prefault({})
        .describe("what is given to sessions"),
      off: z
        .array(z.string())
        .default([])
        .describe("globs of project folders whose sessions are given nothing"),
      notice: z
        .boolean()
        .default(true)
        .describe("say in one line what a session was given, and where to look"),
      digestTokens: z.number().int().min(100).default(900).describe("the most a digest costs"),
      promptTokens: z.number().int().min(50).default(400).describe("the most a prompt is given"),
      model: z
        .string()
        .nullable()
        .default(null)
        .describe("a Claude model that writes better observations, one call a turn; null: none is asked"),
      modelVia: z
        .enum(["sdk", "api"])
        .default("sdk")
        .describe("through the Agent SDK and the user's own login, or an API key in ANTHROPIC_API_KEY"),
      dailyTokens: z
        .number()
        .int()
        .min(0)
        .default(200_000)
        .describe("tokens a day after which no model is asked"),
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
    .describe("what is remembered and given back"),
  guard: z
    .strictObject({
      on: z.boolean().default(false).describe("the policy is asked before tool calls of terminal sessions"),
      failClosed: z
        .boolean()
        .default(false)
        .describe("while the daemon does not answer, tool calls are denied instead of let through"),
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
        .describe("how long the API may answer; then the terminal's own dialog decides alone"),
      headless: z
        .boolean()
        .default(false)
        .describe("requests of runs without a person (`claude -p`) are held for an answer, too"),
      messages: z
        .boolean()
        .default(false)
        .describe("messages may be sent into idle terminal sessions, said to be what they are"),
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
        .describe("a driven session that does nothing for so long is closed; null: never"),
      maxBudgetUsd: z
        .number()
        .positive()
        .nullable()
        .default(null)
        .describe("what a driven session may cost unless it is started with another limit"),
      billing: z
        .enum(["api", "subscription"])
        .default("api")
        .describe("whether driven sessions may use a claude.ai login where there is no API key"),
      claude: z.string().nullable().default(null).describe("the claude to run; null: the one in the PATH"),
      sdkLog: z.boolean().default(true).describe("keep what goes to and from the Agent SDK in logs/, masked"),
      sdkLogDays: z.number().int().min(1).default(7).describe("after so many days such a log is removed"),
    })
    .prefault({})
    .describe("sessions driven through the Agent SDK"),
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

export function logFile(home: Home, config: Config): string {
  return config.streamPath ?? join(home.stream, "lifecycle.jsonl");
}

/** Streams of other programs to read; never our own log, which may be where theirs used to be. */
export function foreignStreams(config: Config, env: Env, own: string): string[] {
  const usual = join(env["HOME"] || homedir(), ".kw-chat/streams/lifecycle.jsonl");
  const paths = config.streams ?? (existsSync(usual) ? [usual] : []);
  return paths.map((path) => resolve(path)).filter((path) => path !== resolve(own));
}
