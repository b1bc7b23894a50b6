// The process that holds the model. Started through `child-embedder.ts`; runs as long as its IPC channel.
import { setPriority } from "node:os";
import type { EmbedAnswer, EmbedChunk } from "./embed-messages.ts";
import { loadModel, type RunnableModel } from "./run-model.ts";

const BACKGROUND_NICENESS = 10;

// The channel closes when the parent releases us, and also when it is killed.
process.on("disconnect", () => process.exit(0));
process.title = "hookline-embedder";

try {
  const embed = await loadModel(JSON.parse(process.argv[2]!) as RunnableModel);
  process.on("message", async (chunk: EmbedChunk) => {
    setNiceness(chunk.isBackground);
    try {
      const vectors: Float32Array[] = [];
      for (const text of chunk.texts) vectors.push(await embed(text));
      sendAnswer({ type: "vectors", vectors });
    } catch (error) {
      sendAnswer({ type: "failed", why: (error as Error).message });
    }
  });
  sendAnswer({ type: "ready" });
} catch (error) {
  sendAnswer({ type: "broken", why: (error as Error).message }, () => process.exit(1));
}

function sendAnswer(message: EmbedAnswer, done?: () => void): void {
  // A dead parent is handled by "disconnect".
  process.send?.(message, undefined, undefined, () => done?.());
}

/** Only root can lower niceness: otherwise a query after a background batch stays as nice as the batch. */
function setNiceness(isBackground: boolean): void {
  try {
    setPriority(isBackground ? BACKGROUND_NICENESS : 0);
  } catch {}
}
