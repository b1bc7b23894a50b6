import { type ChildProcess, execFile, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { claude } from "../../src/agents/claude/claude.ts";
import { type Home, resolveHome } from "../../src/home.ts";
import { hookEntries } from "../../src/hook/commands.ts";
import type { DaemonStatus } from "../../src/serve/contract.ts";
import { PATIENCE_MS } from "./patience.ts";

/** The real program in a scratch home: real shells, real daemons, real files. Nothing outlives `close`. */
export interface Hookline {
  readonly root: string;
  readonly home: Home;
  readonly env: Readonly<Record<string, string>>;
  /** Runs `bin/hookline` to its end. */
  run(...args: readonly string[]): Promise<CommandResult>;
  /** Starts `bin/hookline daemon` and waits until it answers on its socket. */
  start(): Promise<DaemonChild>;
  /** Starts it without waiting. */
  spawn(): DaemonChild;
  /** One hook call as Claude Code makes it: every command of the event, the payload and a newline on stdin. */
  fire(payload: Readonly<Record<string, unknown>>): Promise<CommandResult>;
  /** The same with any bytes on stdin, through the record command only. */
  fireRaw(stdin: string | Buffer): Promise<CommandResult>;
  ask<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  status(): Promise<DaemonStatus>;
  /** Returns once the spool has no complete file and the database has caught up with the log. */
  settle(): Promise<DaemonStatus>;
  dump(): ContractDump;
  query(sql: string, ...values: (string | number)[]): Record<string, unknown>[];
  spoolFiles(): string[];
  close(): Promise<void>;
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface DaemonChild {
  readonly pid: number;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
  kill(signal?: NodeJS.Signals): Promise<number | null>;
}

export type ContractDump = Readonly<Record<string, readonly Record<string, unknown>[]>>;

const BIN = join(import.meta.dirname, "../../bin/hookline");

/** DESIGN §7: the tables that other programs query, each with its sort order. */
const CONTRACT: Readonly<Record<string, string>> = {
  session_lifecycle_events: "id, occurred_at_iso, session_id, provider, phase, project_path, cwd, raw_json",
  skill_lifecycle_events:
    "id, occurred_at_iso, session_id, provider, skill_name, phase, trigger_command, target_doc_path, turn_seq, project_path, raw_json",
  lifecycle_stream_offsets: "stream_key, inode, byte_offset, updated_at_iso",
  events: "id, event_type, session_id, timestamp, payload_json",
  sdk_sessions:
    "id, claude_session_id, project, first_user_prompt, prompt_counter, status, created_at, completed_at",
  user_prompts: "id, session_id, prompt_number, prompt, created_at",
  observations:
    "id, session_id, prompt_number, tool_name, tool_input_json, tool_response_text, compressed_observation, created_at",
  session_summaries: "id, session_id, request, investigated, learned, completed, next_steps, created_at",
};

export function dumpContract(db: DatabaseSync): ContractDump {
  return Object.fromEntries(
    Object.entries(CONTRACT).map(([table, columns]) => [
      table,
      db.prepare(`SELECT ${columns} FROM ${table} ORDER BY 1`).all(),
    ]),
  );
}

export interface HooklineOptions {
  /** No embedder unless `memory` names one: otherwise each daemon would load the model for its first item. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** A home whose daemon has ended: this one starts as a copy of it. */
  readonly copyOf?: Home;
  /** The path of the home; by default inside the scratch folder. */
  readonly homeDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The program to run; by default this clone's. */
  readonly bin?: string;
}

export function openHookline(options: HooklineOptions = {}): Hookline {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-durable-")));
  const dir = options.homeDir ?? join(root, ".hookline");
  const home = resolveHome({ HOOKLINE_HOME: dir });
  if (options.copyOf !== undefined) copyHome(options.copyOf, home);
  mkdirSync(home.spool, { recursive: true, mode: 0o700 });
  writeFileSync(home.configFile, JSON.stringify(withoutModel(options.config)));
  const env = {
    HOME: root,
    PATH: "/usr/bin:/bin",
    HOOKLINE_HOME: dir,
    HOOKLINE_PORT: "0",
    HOOKLINE_AUTOSTART: "0",
    ...options.env,
  };
  const bin = options.bin ?? BIN;
  const children = new Set<DaemonChild>();

  const start = async (): Promise<DaemonChild> => {
    const child = startChild(bin, env, children);
    let code: number | null | undefined;
    child.ended.then((ended) => {
      code = ended;
    });
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await setTimeout(10)) {
      if (code !== undefined) throw new Error(`the daemon ended with ${code}: ${child.output()}`);
      const health = await askSocket<{ pid: number }>(home.sock, "GET", "/api/health").catch(() => null);
      if (health?.pid === child.pid) return child;
    }
    throw new Error(`the daemon did not answer: ${child.output()}`);
  };
  const ask = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    askSocket<T>(home.sock, method, path, body);
  /** Null while the daemon answers but has not opened its database yet. */
  const flush = (until: number): Promise<DaemonStatus | null> =>
    ask<DaemonStatus>("POST", "/api/flush").catch((error: Error) => {
      if (Date.now() > until || !error.message.includes('"code":"starting"')) throw error;
      return null;
    });
  const withDatabase = <T>(work: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(home.db, { readOnly: true, timeout: 5_000 });
    try {
      return work(db);
    } finally {
      db.close();
    }
  };

  return {
    root,
    home,
    env,
    run: (...args) => runFile(bin, args, env),
    start,
    spawn: () => startChild(bin, env, children),
    async fire(payload) {
      const results: CommandResult[] = [];
      for (const command of commandsFor(payload)) {
        results.push(await runShell(command, `${JSON.stringify(payload)}\n`, env));
      }
      return {
        code: Math.max(0, ...results.map(({ code }) => code ?? 255)),
        stdout: results.map(({ stdout }) => stdout).join(""),
        stderr: results.map(({ stderr }) => stderr).join(""),
      };
    },
    fireRaw: (stdin) => runShell(commandsFor({ hook_event_name: "Stop" })[0]!, stdin, env),
    ask,
    status: () => ask("GET", "/api/status"),
    async settle() {
      for (const until = Date.now() + PATIENCE_MS; ; await setTimeout(20)) {
        const status = await flush(until);
        if (status?.spoolDepth === 0) {
          // The tables also contain what memory derives.
          await ask("POST", "/api/memory/flush");
          return status;
        }
        if (status !== null && Date.now() > until)
          throw new Error(`the spool still holds ${status.spoolDepth}: ${status.notices.join("\n")}`);
      }
    },
    dump: () => withDatabase(dumpContract),
    query: (sql, ...values) => withDatabase((db) => db.prepare(sql).all(...values)),
    spoolFiles: () => (existsSync(home.spool) ? readdirSync(home.spool) : []),
    async close() {
      await Promise.all([...children].map((child) => child.kill()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Rewrites the inode in the log's position: the copied file has a new one and must not look replaced. */
function copyHome(from: Home, to: Home): void {
  cpSync(from.dir, to.dir, { recursive: true, filter: (path) => !lstatSync(path).isSocket() });
  const [oldInode, newInode] = [from, to].map(({ stream }) => statSync(join(stream, "lifecycle.jsonl")).ino);
  const db = new DatabaseSync(to.db);
  const names = [`:${oldInode}-`, `:${newInode}-`] as const;
  db.prepare("UPDATE lifecycle_stream_offsets SET inode = replace(inode, ?, ?)").run(...names);
  db.prepare("UPDATE log_positions SET position = replace(position, ?, ?)").run(...names);
  db.close();
}

function withoutModel(config: HooklineOptions["config"] = {}): object {
  return { ...config, memory: { embedder: null, ...(config["memory"] as object | undefined) } };
}

/** The commands that the settings have for a payload's event, in order. */
function commandsFor(payload: Readonly<Record<string, unknown>>): string[] {
  const groups = hookEntries(claude)[String(payload["hook_event_name"])] ?? [];
  return groups
    .filter(
      ({ matcher }) => matcher === undefined || new RegExp(`^(${matcher})$`).test(String(payload["source"])),
    )
    .flatMap(({ hooks }) => hooks.map(({ command }) => command));
}

function startChild(
  bin: string,
  env: Readonly<Record<string, string>>,
  children: Set<DaemonChild>,
): DaemonChild {
  const child = spawn(bin, ["daemon"], { env, cwd: "/", stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", (code) => resolve(code));
    child.on("error", () => resolve(null));
  });
  const daemon: DaemonChild = {
    pid: child.pid!,
    output: () => output,
    ended,
    kill(signal = "SIGKILL") {
      child.kill(signal);
      return ended;
    },
  };
  children.add(daemon);
  ended.then(() => children.delete(daemon));
  return daemon;
}

function runShell(
  command: string,
  stdin: string | Buffer,
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  return collect(spawn("/bin/sh", ["-c", command], { env, cwd: "/" }), stdin);
}

function runFile(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  return collect(execFile(file, args, { env, cwd: "/", timeout: PATIENCE_MS }), "");
}

function collect(child: ChildProcess, stdin: string | Buffer): Promise<CommandResult> {
  const output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  // A hook that cannot write stops reading its input.
  child.stdin?.on("error", () => undefined).end(stdin);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...output }));
  });
}

function askSocket<T>(sock: string, method: string, path: string, body?: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const call = request({ socketPath: sock, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 204) resolve(null as T);
        else if (response.statusCode === 200 || response.statusCode === 201) resolve(JSON.parse(text) as T);
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
      });
    });
    call.on("error", reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
