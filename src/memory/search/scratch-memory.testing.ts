import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore, type SqliteStore } from "../../store/sqlite/sqlite-store.ts";
import type { Embedder } from "../embed/embedder.ts";
import type { ItemContent } from "../memory-item.ts";

/** A scratch hookline.db with items, as the item builder would write them. */
export interface ScratchMemory {
  readonly folder: string;
  readonly hooklineDb: string;
  readonly searchDb: string;
  readonly store: SqliteStore;
  put(id: number, item: ScratchItem): void;
  remove(id: number): void;
  close(): void;
}

export interface ScratchItem extends Partial<ItemContent> {
  readonly title: string;
  readonly kind?: string;
  readonly session?: string;
  readonly project?: string | null;
  readonly tool?: string | null;
  readonly branch?: string | null;
  readonly success?: boolean | null;
  readonly at?: string;
  readonly pinned?: boolean;
  readonly output?: string;
  /** As a transcript records why the call did not run. */
  readonly denial?: string;
}

export function openScratchMemory(name = "hookline.db", folder = makeFolder()): ScratchMemory {
  const hooklineDb = join(folder, name);
  const store = openSqliteStore(hooklineDb);
  return {
    folder,
    hooklineDb,
    searchDb: join(folder, "search.db"),
    store,
    put: (id, item) => putItem(store, id, item),
    remove: (id) => {
      store.db.sql("DELETE FROM memory_items WHERE id = ?").run(id);
    },
    close() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Embeds by words, so that texts with the same words are near. Records its inputs. */
export function wordEmbedder(name = "words@1"): Embedder & { readonly embedded: string[] } {
  const embedded: string[] = [];
  return {
    name,
    dimensions: 96,
    embedded,
    async embed(texts) {
      if (!texts.some((text) => text.includes("비빔밥"))) embedded.push(...texts);
      return texts.map(vectorOf);
    },
    isWarm: () => true,
    warm: () => {},
    unavailableReason: () => null,
    close: async () => {},
  };
}

function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), "hookline-index-"));
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(96).fill(0.01);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7;
    for (const character of word.slice(0, 5))
      hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
    for (let bit = 0; bit < 8; bit++) vector[(hash >>> (bit * 3)) % 96]! += 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function putItem({ db }: SqliteStore, id: number, item: ScratchItem): void {
  const { kind = "observation", session = "s1", project = "/p", tool = "Bash", branch = null } = item;
  const { success = true, at = "2026-01-01T00:00:00.000Z", pinned = false, output, denial } = item;
  const content: ItemContent = {
    type: item.type ?? "discovery",
    title: item.title,
    facts: item.facts ?? [],
    narrative: item.narrative ?? null,
    filesRead: item.filesRead ?? [],
    filesModified: item.filesModified ?? [],
    concepts: item.concepts ?? [],
  };
  db.sql("DELETE FROM facts WHERE observation_id = ?").run(id);
  if (output !== undefined || denial !== undefined)
    db.sql(
      `INSERT INTO facts (id, event_type, session_id, timestamp, provider, is_machine, is_private, observation_id,
         first_part, last_part, event_json, payload_json)
       VALUES (?, 'tool_observation', ?, ?, 'claude', 0, 0, ?, 1, 1, ?, ?)`,
    ).run(
      `fact-${id}`,
      session,
      at,
      id,
      JSON.stringify({ denial }),
      JSON.stringify({ toolInput: { command: "run" }, toolOutput: output, success }),
    );
  db.sql(
    `INSERT INTO memory_items (id, kind, session_id, project, prompt_number, tool_name, type, title, branch, success,
       created_at, made_by, pinned, content_json) VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, 'rules', ?, ?)
     ON CONFLICT (id) DO UPDATE SET type = excluded.type, title = excluded.title, pinned = excluded.pinned,
       content_json = excluded.content_json`,
  ).run(
    id,
    kind,
    session,
    project,
    tool,
    content.type,
    content.title,
    branch,
    success === null ? null : Number(success),
    at,
    Number(pinned),
    JSON.stringify(content),
  );
}
