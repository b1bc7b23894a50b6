import type { ChildProcess } from "node:child_process";
import type { ClaudeProcesses } from "./control-ports.ts";
import { createInputQueue, type InputQueue } from "./input-queue.ts";
import type { Options, Query, SDKUserMessage } from "./sdk-door.ts";

/** The agent of one session: its SDK query and its process. Commands before `connect` do nothing. */
export interface AgentLink {
  /** What the SDK reads. */
  readonly input: InputQueue<SDKUserMessage>;
  /** For the SDK: starts the process. */
  readonly spawn: NonNullable<Options["spawnClaudeCodeProcess"]>;
  connect(query: Query): void;
  /** Null when there is none, or none any more. */
  pid(): number | null;
  /** It was there and has ended. */
  isGone(): boolean;
  interrupt(dropQueued: boolean): void;
  setMode(mode: "default" | "plan"): void;
  setModel(model: string): void;
  stopTask(taskId: string): void;
  rewind(messageId: string, dryRun: boolean): ReturnType<Query["rewindFiles"]> | undefined;
  /** Asks it to end. */
  end(): void;
  /** The process and everything it started; null when none was started. */
  killTree(): Promise<void> | null;
}

export interface AgentLinkOptions {
  readonly processes: ClaudeProcesses;
  /** Called when the agent could not do what it was told. */
  readonly onFailure: (what: "mode" | "model" | "stop", error: unknown) => void;
}

export function createAgentLink({ processes, onFailure }: AgentLinkOptions): AgentLink {
  const input = createInputQueue<SDKUserMessage>();
  let query: Query | null = null;
  let child: ChildProcess | null = null;
  const isGone = (): boolean => child !== null && (child.exitCode !== null || child.signalCode !== null);
  return {
    input,
    spawn(command) {
      child = processes.spawn(command);
      return child as ReturnType<AgentLink["spawn"]>;
    },
    connect(to) {
      query = to;
    },
    pid: () => (isGone() ? null : (child?.pid ?? null)),
    isGone,
    interrupt(dropQueued) {
      // Not in the SDK's types: what waits behind the turn is dropped as well.
      const asked = (query as unknown as Interruptible | null)?.interrupt({ cancelQueued: dropQueued });
      asked?.catch((error) => onFailure("stop", error));
    },
    setMode: (mode) => void query?.setPermissionMode(mode).catch((error) => onFailure("mode", error)),
    setModel: (model) => void query?.setModel(model).catch((error) => onFailure("model", error)),
    stopTask: (taskId) => void query?.stopTask(taskId).catch(() => undefined),
    rewind: (messageId, dryRun) => query?.rewindFiles(messageId, { dryRun }),
    end() {
      input.end();
      query?.close();
    },
    killTree: () => (child?.pid === undefined ? null : processes.killTree(child.pid)),
  };
}

interface Interruptible {
  interrupt(options: { readonly cancelQueued: boolean }): Promise<unknown>;
}
