import { ExportedItem } from "./export-items.ts";
import { createItemWriter, type ItemWriterOptions, itemEvents } from "./write-items.ts";

export interface ImportItemsOptions extends ItemWriterOptions {
  readonly lines: AsyncIterable<string> | Iterable<string>;
  /** Whether an item with this id exists here; it is not overwritten. */
  readonly hasItem: (id: number) => Promise<boolean>;
}

export interface ImportedItems {
  readonly items: number;
  /** Already known, excluded, or forgotten here. */
  readonly skipped: number;
  /** The first lines that are not items, with the reason. */
  readonly bad: readonly BadLine[];
  readonly badLines: number;
}

export interface BadLine {
  readonly line: number;
  readonly reason: string;
}

const MAX_BAD_LINES = 20;

/** Imports an export. Idempotent. */
export async function importItems(options: ImportItemsOptions): Promise<ImportedItems> {
  const writer = createItemWriter(options);
  const bad: BadLine[] = [];
  let [items, skipped, badLines, lineNumber] = [0, 0, 0, 0];
  for await (const line of options.lines) {
    lineNumber++;
    if (line.trim() === "") continue;
    const read = readLine(line);
    if ("reason" in read) {
      badLines++;
      if (bad.length < MAX_BAD_LINES) bad.push({ line: lineNumber, reason: read.reason });
    } else if (!(await options.hasItem(read.item.id)) && (await writer.put(itemEvents(read.item)))) items++;
    else skipped++;
  }
  await writer.flush();
  return { items, skipped, bad, badLines };
}

function readLine(line: string): { item: ExportedItem } | { reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { reason: "not JSON" };
  }
  const parsed = ExportedItem.safeParse(value);
  if (parsed.success) return { item: parsed.data };
  const [issue] = parsed.error.issues;
  return { reason: `${issue!.path.join(".") || "(whole)"}: ${issue!.message}` };
}
