import { parentPort, workerData } from "node:worker_threads";
import { AppError } from "../../app-error.ts";
import type { ItemChangesModule } from "../../store/item-changes.ts";
import { openEmbedder } from "../embed/embedder.ts";
import type { IndexStatus, SearchAnswer } from "../memory-contract.ts";
import type { FromIndexWorker, IndexCall, IndexWorkerData, ToIndexWorker } from "./index-messages.ts";
import { openLocalIndex } from "./local-index.ts";

/** The thread that runs the index, so that searching and indexing never block capture. */

const { source, path, embedder } = workerData as IndexWorkerData;
const port = parentPort!;
const { openItemChanges } = (await import(source.module)) as ItemChangesModule;
const index = openLocalIndex({
  source: openItemChanges(source.at),
  path,
  embedder: openEmbedder(embedder),
});

port.on("message", (message: ToIndexWorker) => {
  if (message.id === null) index[message.notify]();
  else void answer(message.id, message.request);
});

async function answer(id: number, call: IndexCall): Promise<void> {
  let reply: FromIndexWorker;
  try {
    reply = { id, answer: await execute(call) };
  } catch (error) {
    const code = error instanceof AppError ? error.code : "search_failed";
    reply = { id, error: { code, message: (error as Error).message } };
  }
  port.postMessage(reply);
  if (call.call === "close") port.close();
}

async function execute(call: IndexCall): Promise<SearchAnswer | IndexStatus | null> {
  switch (call.call) {
    case "search":
      return await index.search(call.request);
    case "status":
      return await index.status();
    case "settle":
    case "scrub":
    case "close":
      await index[call.call]();
      return null;
    default:
      return call satisfies never;
  }
}
