import type { ItemDetail } from "../serve/contract.ts";
import { localTime } from "../shown/duration.ts";
import { oneLine, plainLines } from "../shown/plain-text.ts";
import { countText } from "./amounts.ts";
import { noPaint, type Paint } from "./paint.ts";
import { colourOf, type MemoryTextOptions } from "./search-text.ts";

/** For a tool's input or output; `--json` prints all of it. */
const MAX_TOOL_LINES = 40;

export function itemsText(items: readonly ItemDetail[], options: MemoryTextOptions): string {
  return items.map((item) => itemText(item, options)).join("\n\n");
}

function itemText(item: ItemDetail, { now, paint = noPaint }: MemoryTextOptions): string {
  const { content } = item;
  const metadata = [
    `session ${item.sessionId}`,
    item.promptNumber === null ? null : `prompt ${item.promptNumber}`,
    item.project,
    item.branch,
    item.toolName,
    item.success === false ? "failed" : null,
    item.pinned ? "pinned" : null,
    item.madeBy === "rules" ? null : `by ${item.madeBy === "person" ? "a person" : `a ${item.madeBy}`}`,
    `${countText(item.tokens)} tok`,
  ];
  // The first line of the text is the title.
  const textLines = plainLines(item.text)
    .slice(1)
    .map((line) => `  ${line}`.trimEnd());
  return [
    [
      paint("cyan", String(item.id)),
      paint("dim", localTime(item.createdAtIso, now)),
      paint(colourOf(content.type), content.type),
      paint("bold", oneLine(content.title)),
    ].join("  "),
    paint("dim", `  ${oneLine(metadata.filter((part) => part !== null && part !== "").join(" · "))}`),
    ...textLines,
    ...toolLines("Input", item.tool === null ? null : inputText(item.tool.input), paint),
    ...toolLines("Output", item.tool?.output ?? null, paint),
  ].join("\n");
}

function inputText(input: unknown): string | null {
  return input === undefined || input === null ? null : JSON.stringify(input, null, 2);
}

function toolLines(label: string, text: string | null, paint: Paint): string[] {
  if (text === null || text.trim() === "") return [];
  const lines = plainLines(text.trimEnd());
  const hiddenCount = lines.length - MAX_TOOL_LINES;
  const shown = lines.slice(0, MAX_TOOL_LINES).map((line) => `    ${line}`.trimEnd());
  return [
    paint("dim", `  ${label}`),
    ...shown,
    ...(hiddenCount > 0 ? [paint("dim", `    … ${hiddenCount} more lines`)] : []),
  ];
}
