import type { IndexedItem, ItemChanges } from "../../store/item-changes.ts";
import { estimateTokens, itemText } from "../item-text.ts";
import type { SearchHit } from "../memory-contract.ts";
import type { ItemKind } from "../memory-item.ts";
import { parseItemContent } from "./document.ts";
import type { Ranked } from "./fuse.ts";
import { hitOutcome } from "./hit-outcome.ts";
import type { IndexDb } from "./index-db.ts";
import type { SearchRequest } from "./memory-index.ts";
import { buildSnippet } from "./snippet.ts";

/** The best of a ranking with their texts, which only the store has. Items deleted there are skipped. */
export async function toHits(
  { db, source }: { readonly db: IndexDb; readonly source: Pick<ItemChanges, "items"> },
  request: SearchRequest,
  ranked: readonly Ranked[],
): Promise<SearchHit[]> {
  // A few more: some may be deleted meanwhile.
  const best = ranked.slice(0, request.limit + 20);
  const itemIdByDoc = new Map(
    db
      .sql("SELECT doc, item_id FROM docs WHERE doc IN (SELECT value FROM json_each(?))")
      .all(JSON.stringify(best.map(({ doc }) => doc)))
      .map((row) => [row["doc"] as number, row["item_id"] as number]),
  );
  const itemsById = new Map((await source.items([...itemIdByDoc.values()])).map((item) => [item.id, item]));
  return best
    .flatMap((entry) => {
      const item = itemsById.get(itemIdByDoc.get(entry.doc) ?? Number.NaN);
      return item === undefined ? [] : [{ entry, item }];
    })
    .slice(0, request.limit)
    .map(({ entry, item }) => toHit(entry, item, request.query));
}

function toHit(entry: Ranked, item: IndexedItem, query: string): SearchHit {
  const { content, summary } = parseItemContent(item);
  const text = itemText({ content, summary });
  const afterTitle = text.slice(content.title.length).trim();
  return {
    id: item.id,
    kind: item.kind as ItemKind,
    type: content.type,
    title: content.title,
    ...buildSnippet(afterTitle === "" ? content.title : afterTitle, query),
    score: round4(entry.score),
    why: {
      fullText: entry.wordScore === null ? null : round4(entry.wordScore),
      vector: entry.cosine === null ? null : round4(entry.cosine),
      recency: round4(entry.recency),
      sameFile: entry.isSameFile,
      pinned: entry.isPinned,
    },
    sessionId: item.sessionId,
    project: item.project,
    promptNumber: item.promptNumber,
    toolName: item.toolName,
    branch: item.branch,
    success: item.success,
    outcome: hitOutcome(item, content.title),
    createdAtIso: item.createdAtIso,
    files: [...new Set([...content.filesModified, ...content.filesRead])],
    tokens: estimateTokens(text),
  };
}

function round4(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
