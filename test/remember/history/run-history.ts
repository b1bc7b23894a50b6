import { join } from "node:path";
import { keepMemory } from "../../../src/memory/keep-memory.ts";
import type { MemoryIndex } from "../../../src/memory/search/memory-index.ts";
import { openMemoryIndex } from "../../../src/memory/search/open-memory-index.ts";
import { itemChangesAt } from "../../../src/store/sqlite/sqlite-item-changes.ts";
import { openPipeline } from "../../support/pipeline.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import { historyEvents } from "./history.ts";
import { historyQrels } from "./qrels.ts";

/** The history in a memory as the product makes it, to be asked. */
export interface RememberedHistory {
  readonly items: number;
  readonly index: MemoryIndex;
  /** The questions as a person of that project would ask them, judged. */
  ask(ways: "both" | "full_text" | "vector"): Promise<Evaluation>;
  close(): Promise<void>;
}

/** A few days after its last session. */
const NOW_MS = Date.parse("2026-11-10T00:00:00Z");

export async function rememberHistory(embedder: string | null): Promise<RememberedHistory> {
  const pipeline = await openPipeline();
  await pipeline.lines(historyEvents());
  const troubles: unknown[] = [];
  const keeper = keepMemory({
    rows: pipeline.store.memory,
    onWritten: () => undefined,
    onLevel: () => undefined,
    onTrouble: (error) => troubles.push(error),
  });
  await keeper.drain();
  if (troubles.length > 0) throw troubles[0];
  const index = openMemoryIndex({
    source: itemChangesAt(join(pipeline.dir, "hookline.db")),
    path: join(pipeline.dir, "search.db"),
    embedder: { embedder, embedderModel: null },
  });
  await index.settle();
  const questions = historyQrels();
  return {
    items: Number(pipeline.store.db.sql("SELECT count(*) AS n FROM memory_items").get()?.["n"]),
    index,
    async ask(ways) {
      const rankings = new Map<string, number[]>();
      for (const { qid, text, project } of questions) {
        const filters = project === null ? {} : { project };
        const { hits } = await index.search({ query: text, filters, limit: 10, ways, nowMs: NOW_MS });
        rankings.set(
          qid,
          hits.map(({ id }) => id),
        );
      }
      return evaluate(questions, rankings);
    },
    async close() {
      await index.close();
      await keeper.close();
      await pipeline.close();
    },
  };
}
