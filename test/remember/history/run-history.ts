import { join } from "node:path";
import { openItemBuilder } from "../../../src/memory/item-builder.ts";
import type { MemoryIndex } from "../../../src/memory/search/memory-index.ts";
import { openMemoryIndex } from "../../../src/memory/search/open-memory-index.ts";
import { itemChangesLocation } from "../../../src/store/sqlite/sqlite-item-changes.ts";
import { openPipeline } from "../../support/pipeline.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import { historyEvents } from "./history.ts";
import { historyQrels } from "./qrels.ts";

/** The history in a memory as the product builds it, ready for queries. */
export interface RememberedHistory {
  readonly items: number;
  readonly index: MemoryIndex;
  /** The questions as a user of that project would ask them, judged. */
  ask(methods: "both" | "full_text" | "vector"): Promise<Evaluation>;
  close(): Promise<void>;
}

/** A few days after its last session. */
const NOW_MS = Date.parse("2026-11-10T00:00:00Z");

export async function rememberHistory(embedder: string | null): Promise<RememberedHistory> {
  const pipeline = await openPipeline();
  await pipeline.appendEvents(historyEvents());
  const troubles: unknown[] = [];
  const builder = openItemBuilder({
    rows: pipeline.store.memory,
    onWritten: () => undefined,
    onDrained: () => undefined,
    onError: (error) => troubles.push(error),
  });
  await builder.drain();
  if (troubles.length > 0) throw troubles[0];
  const index = openMemoryIndex({
    source: itemChangesLocation(join(pipeline.dir, "hookline.db")),
    path: join(pipeline.dir, "search.db"),
    embedder: { embedder, embedderModel: null },
  });
  await index.settle();
  const questions = historyQrels();
  return {
    items: Number(pipeline.store.db.sql("SELECT count(*) AS n FROM memory_items").get()?.["n"]),
    index,
    async ask(methods) {
      const rankings = new Map<string, number[]>();
      for (const { qid, text, project } of questions) {
        const filters = project === null ? {} : { project };
        const { hits } = await index.search({
          query: text,
          filters,
          limit: 10,
          methods,
          nowMs: NOW_MS,
        });
        rankings.set(
          qid,
          hits.map(({ id }) => id),
        );
      }
      return evaluate(questions, rankings);
    },
    async close() {
      await index.close();
      await builder.close();
      await pipeline.close();
    },
  };
}
