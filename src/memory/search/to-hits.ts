import { itemText, tokensOf } from "../item-text.ts";
import type { SearchHit } from "../memory-contract.ts";
import type { ItemKind } from "../memory-item.ts";
import { wordsOfRow } from "./document.ts";
import type { Ranked } from "./fuse.ts";
import type { IndexDb } from "./index-db.ts";
import type { SearchRequest } from "./memory-index.ts";
import { makeSnippet } from "./snippet.ts";
import type { ItemSourceRow, SourceDb } from "./source-db.ts";

/** The best of a ranking with their words, which stand only in hookline.db. What is gone there is not found. */
export function toHits(
  { db, source }: { readonly db: IndexDb; readonly source: SourceDb },
  request: SearchRequest,
  ranked: readonly Ranked[],
): SearchHit[] {
  // A few more: some may be gone meanwhile.
  const best = ranked.slice(0, request.limit + 20);
  const items = new Map(
    db
      .sql("SELECT doc, item_id FROM docs WHERE doc IN (SELECT value FROM json_each(?))")
      .all(JSON.stringify(best.map(({ doc }) => doc)))
      .map((row) => [row["doc"] as number, row["item_id"] as number]),
  );
  const rows = new Map(source.rows([...items.values()]).map((row) => [row.id, row]));
  return best
    .flatMap((entry) => {
      const row = rows.get(items.get(entry.doc) ?? Number.NaN);
      return row === undefined ? [] : [{ entry, row }];
    })
    .slice(0, request.limit)
    .map(({ entry, row }) => toHit(entry, row, request.query));
}

function toHit(entry: Ranked, row: ItemSourceRow, query: string): SearchHit {
  const { content, summary } = wordsOfRow(row);
  const text = itemText({ content, summary });
  const afterTitle = text.slice(content.title.length).trim();
  return {
    id: row.id,
    kind: row.kind as ItemKind,
    type: content.type,
    title: content.title,
    ...makeSnippet(afterTitle === "" ? content.title : afterTitle, query),
    score: rounded(entry.score),
    why: {
      fullText: entry.words === null ? null : rounded(entry.words),
      vector: entry.cosine === null ? null : rounded(entry.cosine),
      recency: rounded(entry.recency),
      sameFile: entry.isSameFile,
      pinned: entry.isPinned,
    },
    sessionId: row.session_id,
    project: row.project,
    promptNumber: row.prompt_number,
    toolName: row.tool_name,
    branch: row.branch,
    success: row.success === null ? null : row.success === 1,
    createdAtIso: row.created_at,
    files: [...new Set([...content.filesModified, ...content.filesRead])],
    tokens: tokensOf(text),
  };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
