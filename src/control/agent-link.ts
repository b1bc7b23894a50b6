import type { ChildProcess } from "node:child_process";
import type { Options, Query, SDKUserMessage } from "./agent-sdk.ts";
import type { ClaudeProcesses } from "./control-ports.ts";
import { createInputQueue, type InputQueue } from "./input-queue.ts";

/** The agent of one session: its SDK query and its process. Commands before `connect` are no-ops. */
export interface AgentLink {
  /** Messages that the SDK reads. */
  readonly input: InputQueue<SDKUserMessage>;
  /** Passed to the SDK, which starts the process with it. */
  readonly spawn: NonNullable<Options["spawnClaudeCodeProcess"]>;
  connect(query: Query): void;
  /** Null before the process starts and after it exits. */
  pid(): number | null;
  /** True once a started process has exited. */
  hasExited(): boolean;
  interrupt(dropQueued: boolean): void;
  setMode(mode: "default" | "plan"): void;
  setModel(model: string): void;
  stopTask(taskId: string): void;
  rewind(messageId: string, dryRun: boolean): ReturnType<Query["rewindFiles"]> | undefined;
  /** Asks the agent to exit. */
  end(): void;
  /** Kills the process and everything it started; null if none was started. */
  killTree(): Promise<void> | null;
}

export interface AgentLinkOptions {
  readonly processes: ClaudeProcesses;
  /** Called when the agent fails to carry out a command. */
  readonly onFailure: (what: "mode" | "model" | "stop", error: unknown) => void;
}

export function createAgentLink({ processes, onFailure }: AgentLinkOptions): AgentLink {
  const input = createInputQueue<SDKUserMessage>();
  let query: Query | null = null;
  let child: ChildProcess | null = null;
  const hasExited = (): boolean => child !== null && (child.exitCode !== null || child.signalCode !== null);
  return {
    input,
    spawn(command) {
      child = processes.spawn(command);
      return child as ReturnType<AgentLink["spawn"]>;
    },
    connect(opened) {
      query = opened;
    },
    pid: () => (hasExited() ? null : (child?.pid ?? null)),
    hasExited: hasExited,
    interrupt(dropQueued) {
      // `cancelQueued` is not in the SDK's types: it also drops messages queued behind the turn.
      const interrupted = (query as unknown as Interruptible | null)?.interrupt({ cancelQueued: dropQueued });
      interrupted?.catch((error) => onFailure("stop", error));
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
