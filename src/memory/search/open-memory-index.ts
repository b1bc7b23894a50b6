import { Worker } from "node:worker_threads";
import { AppError } from "../../app-error.ts";
import type { IndexStatus, SearchAnswer } from "../memory-contract.ts";
import type { FromIndexWorker, IndexCall, IndexWorkerData, ToIndexWorker } from "./index-messages.ts";
import type { MemoryIndex } from "./memory-index.ts";

/** The index in its own thread, started on the first request and again after a crash. */
export function openMemoryIndex(options: IndexWorkerData): MemoryIndex {
  let worker: Worker | null = null;
  let lastId = 0;
  let isClosed = false;
  let lastEndMs = Number.NEGATIVE_INFINITY;
  const pendingCalls = new Map<number, PendingCall>();

  function runningWorker(): Worker {
    if (isClosed) throw new AppError("search_closed", "the search index is closed");
    if (worker !== null) return worker;
    const started = new Worker(WORKER_FILE, { workerData: options, resourceLimits: RESOURCE_LIMITS });
    started.unref();
    started.on("message", (reply: FromIndexWorker) => {
      const call = pendingCalls.get(reply.id);
      pendingCalls.delete(reply.id);
      if (pendingCalls.size === 0) started.unref();
      if ("error" in reply) call?.reject(new AppError(reply.error.code, reply.error.message));
      else call?.resolve(reply.answer);
    });
    started.on("error", (error) => onWorkerEnd(started, error));
    started.on("exit", () => onWorkerEnd(started, null));
    worker = started;
    return started;
  }

  function onWorkerEnd(endedWorker: Worker, error: unknown): void {
    if (worker !== endedWorker) return;
    worker = null;
    lastEndMs = performance.now();
    const message = error instanceof Error ? `: ${error.message}` : "";
    const why = new AppError("search_failed", `the search index ended unexpectedly${message}`, {
      cause: error,
    });
    for (const { reject } of pendingCalls.values()) reject(why);
    pendingCalls.clear();
  }

  function callWorker(call: IndexCall): Promise<unknown> {
    const thread = runningWorker();
    const id = ++lastId;
    thread.ref();
    return new Promise((resolve, reject) => {
      pendingCalls.set(id, { resolve, reject });
      thread.postMessage({ id, request: call } satisfies ToIndexWorker);
    });
  }

  function notify(kind: "changed" | "warm"): void {
    // Don't restart a crashing worker for fire-and-forget messages.
    const mayStart = worker !== null || performance.now() - lastEndMs > RESTART_DELAY_MS;
    if (!isClosed && mayStart)
      runningWorker().postMessage({ id: null, notify: kind } satisfies ToIndexWorker);
  }

  return {
    search: async (request) => (await callWorker({ call: "search", request })) as SearchAnswer,
    changed: () => notify("changed"),
    settle: async () => void (await callWorker({ call: "settle" })),
    warm: () => notify("warm"),
    status: async () => (await callWorker({ call: "status" })) as IndexStatus,
    scrub: async () => void (await callWorker({ call: "scrub" })),
    async close() {
      if (isClosed) return;
      const thread = worker;
      const closed = thread === null ? null : callWorker({ call: "close" });
      isClosed = true;
      await closed?.catch(() => {});
      await thread?.terminate();
    },
  };
}

/** A clone runs the sources, the published package compiled files. */
const WORKER_FILE = new URL(
  import.meta.url.endsWith(".ts") ? "./index-worker.ts" : "./index-worker.js",
  import.meta.url,
);

const RESTART_DELAY_MS = 5_000;

/** Long-lived data is outside the heap; small limits make V8 collect garbage before it takes memory. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 512 };

interface PendingCall {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}
