import { type ChildProcess, spawn } from "node:child_process";
import { extname, join } from "node:path";
import type { Env } from "../../home.ts";
import type { EmbedAnswer, EmbedChunk } from "./embed-messages.ts";
import type { RunnableModel } from "./run-model.ts";

/** The running child. `onEnd` is called once, after its last answer, however it ended. */
export interface EmbedProcess {
  readonly pid: number | undefined;
  send(chunk: EmbedChunk): void;
  /** Whether the child keeps this process alive. */
  keepAlive(isHeld: boolean): void;
  /** Lets the child exit by itself, and kills it if it does not. */
  release(): void;
  kill(): void;
  readonly ended: Promise<void>;
}

const KILL_AFTER_MS = 5_000;
/** All that a native library may need, and none of the user's keys and tokens. */
const PASSED_ENV = ["LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"];

export function startEmbedProcess(
  model: RunnableModel,
  env: Env,
  onAnswer: (answer: EmbedAnswer) => void,
  onEnd: (why: string) => void,
): EmbedProcess {
  const { onnxFile, tokenizerFile, pooling } = model;
  const entry = join(import.meta.dirname, `embed-child${extname(import.meta.filename)}`);
  const args = [...nodeFlags(entry), entry, JSON.stringify({ onnxFile, tokenizerFile, pooling })];
  const child = spawn(process.execPath, args, {
    cwd: "/",
    env: Object.fromEntries(PASSED_ENV.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  child.on("message", (message) => onAnswer(message as EmbedAnswer));
  const ended = whenEnded(child).then(onEnd);
  return {
    pid: child.pid,
    ended,
    send: (chunk) => void child.send(chunk, () => {}),
    keepAlive: (isHeld) => {
      if (isHeld) child.ref();
      else child.unref();
      if (isHeld) child.channel?.ref();
      else child.channel?.unref();
    },
    release: () => {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS).unref();
      void ended.then(() => clearTimeout(timer));
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

/** Answers may still be in flight when the process exits, so wait for both. */
function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => {
      const why = signal === null ? `exited with code ${code}` : `killed by ${signal}`;
      if (child.connected) child.once("disconnect", () => resolve(why));
      else resolve(why);
    });
  });
}

function nodeFlags(entry: string): string[] {
  const needsStripTypes = process.versions.node.startsWith("22.") && entry.endsWith(".ts");
  return [
    "--disable-warning=ExperimentalWarning",
    ...(needsStripTypes ? ["--experimental-strip-types"] : []),
    "--max-old-space-size=128",
  ];
}
