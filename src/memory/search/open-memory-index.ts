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
  let endedMs = Number.NEGATIVE_INFINITY;
  const waiting = new Map<number, Waiting>();

  function running(): Worker {
    if (isClosed) throw new AppError("search_closed", "the search index is closed");
    if (worker !== null) return worker;
    const begun = new Worker(WORKER_FILE, { workerData: options, resourceLimits: LIMITS });
    begun.unref();
    begun.on("message", (reply: FromIndexWorker) => {
      const asked = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (waiting.size === 0) begun.unref();
      if ("error" in reply) asked?.reject(new AppError(reply.error.code, reply.error.message));
      else asked?.resolve(reply.answer);
    });
    begun.on("error", (error) => ended(begun, error));
    begun.on("exit", () => ended(begun, null));
    worker = begun;
    return begun;
  }

  function ended(which: Worker, error: unknown): void {
    if (worker !== which) return;
    worker = null;
    endedMs = performance.now();
    const message = error instanceof Error ? `: ${error.message}` : "";
    const why = new AppError("search_failed", `the search index ended unexpectedly${message}`, {
      cause: error,
    });
    for (const { reject } of waiting.values()) reject(why);
    waiting.clear();
  }

  function ask(call: IndexCall): Promise<unknown> {
    const thread = running();
    const id = ++lastId;
    thread.ref();
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      thread.postMessage({ id, request: call } satisfies ToIndexWorker);
    });
  }

  function tell(what: "changed" | "warm"): void {
    // Don't restart a crashing worker for fire-and-forget messages.
    const mayBegin = worker !== null || performance.now() - endedMs > REST_MS;
    if (!isClosed && mayBegin) running().postMessage({ id: null, notify: what } satisfies ToIndexWorker);
  }

  return {
    search: async (request) => (await ask({ call: "search", request })) as SearchAnswer,
    changed: () => tell("changed"),
    settle: async () => void (await ask({ call: "settle" })),
    warm: () => tell("warm"),
    status: async () => (await ask({ call: "status" })) as IndexStatus,
    scrub: async () => void (await ask({ call: "scrub" })),
    async close() {
      if (isClosed) return;
      const thread = worker;
      const closed = thread === null ? null : ask({ call: "close" });
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

const REST_MS = 5_000;

/** Long-lived data is outside the heap; small limits make V8 collect garbage before it takes memory. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 512 };

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}
