import { copyFileSync, existsSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { FakeRequest } from "../support/fake-api.ts";

/** Every term of the full-text index, read from a copy. */
export function termsOf(searchDb: string, root: string): string[] {
  const copy = join(mkdtempSync(join(root, "terms-")), "search.db");
  for (const end of ["", "-wal"]) if (existsSync(searchDb + end)) copyFileSync(searchDb + end, copy + end);
  const db = new DatabaseSync(copy);
  try {
    db.exec("CREATE VIRTUAL TABLE terms USING fts5vocab('words', 'row')");
    return db
      .prepare("SELECT term FROM terms")
      .all()
      .map((row) => String(row["term"]));
  } finally {
    db.close();
  }
}

export interface ContextBlock {
  /** The hook that injected it, or a tool's result. */
  readonly from: string;
  readonly text: string;
}

/** The texts in a request that contain our tag, separately. */
export function contextBlocks({ body }: FakeRequest): ContextBlock[] {
  return (body.messages ?? []).flatMap(({ content }) =>
    (typeof content === "string" ? [{ type: "text", text: content }] : content).flatMap((block) => {
      if (block.type === "tool_result") {
        const parts = typeof block.content === "string" ? [block.content] : textsOf(block.content);
        return parts
          .filter((text) => text.includes("hookline-context"))
          .map((text) => ({ from: "tool_result", text }));
      }
      return (block.text ?? "")
        .split(/(?=\b\w+(?::\w+)? hook additional context: )/)
        .filter((text) => text.includes("hookline-context"))
        .map((text) => ({ from: /^(\w+)(?::\w+)? hook additional context/.exec(text)?.[1] ?? "text", text }));
    }),
  );
}

function textsOf(content: unknown): string[] {
  return Array.isArray(content) ? content.map((part: { readonly text?: string }) => part.text ?? "") : [];
}
