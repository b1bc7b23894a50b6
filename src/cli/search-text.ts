import { basename } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { SearchHit } from "../serve/contract.ts";
import { localTime } from "../shown/duration.ts";
import { oneLine } from "../shown/plain-text.ts";
import { countText } from "./amounts.ts";
import { displayWidth, fitToWidth, truncateToWidth } from "./display-width.ts";
import { highlightLine } from "./highlight-line.ts";
import { type Colour, noPaint, type Paint } from "./paint.ts";

export interface MemoryTextOptions {
  readonly width: number;
  readonly now: number;
  readonly paint?: Paint;
}

const MIN_WIDTH_CELLS = 60;
const TYPE_CELLS = 10;

/** One line per hit, and a second if the title does not show the match. */
export function searchText(hits: readonly SearchHit[], options: MemoryTextOptions): string {
  const idCells = Math.max(0, ...hits.map(({ id }) => String(id).length));
  const hasManyProjects = new Set(hits.map(({ project }) => project)).size > 1;
  return hits.flatMap((hit) => hitLines(hit, idCells, hasManyProjects, options)).join("\n");
}

function hitLines(
  hit: SearchHit,
  idCells: number,
  hasManyProjects: boolean,
  options: MemoryTextOptions,
): string[] {
  const { paint = noPaint } = options;
  const width = Math.max(MIN_WIDTH_CELLS, options.width);
  const title = oneLine(hit.title);
  // If the snippet is the title, the match is highlighted in the title.
  const highlighted =
    oneLine(hit.snippet) === title ? { title: hit.snippet, marks: hit.marks } : { marks: [] };
  const prefix = hit.why.pinned ? "📌 " : "";
  const first = itemLine({ ...hit, ...highlighted, prefix }, idCells, { ...options, width });
  const projectText = hasManyProjects ? `${oneLine(basename(hit.project ?? "?"))}: ` : "";
  const snippet = title.includes(oneLine(hit.snippet)) ? "" : hit.snippet;
  if (projectText === "" && snippet === "") return [first];
  const indent = " ".repeat(idCells + 2);
  const shown = truncateToWidth(projectText, Math.floor(width / 3));
  const found = highlightLine(snippet, hit.marks, width - indent.length - displayWidth(shown), paint);
  return [first, `${indent}${shown === "" ? "" : paint("dim", shown)}${found}`.trimEnd()];
}

export interface ItemLine {
  readonly id: number;
  readonly createdAtIso: string;
  readonly type: string;
  readonly title: string;
  /** The ranges of the title in bold. */
  readonly marks: readonly (readonly [number, number])[];
  readonly tokens: number;
  /** Printed before the title. */
  readonly prefix: string;
}

/** Id, time, type, title, and token cost, within the width. */
export function itemLine(
  item: ItemLine,
  idCells: number,
  { width, now, paint = noPaint }: MemoryTextOptions,
): string {
  const left = [
    paint("cyan", String(item.id).padStart(idCells)),
    paint("dim", localTime(item.createdAtIso, now).padStart(16)),
    paint(colourOf(item.type), fitToWidth(item.type, TYPE_CELLS)),
  ].join("  ");
  const cost = `${countText(item.tokens)} tok`.padStart(8);
  const rest = width - idCells - 16 - TYPE_CELLS - 6 - cost.length - 2;
  const room = Math.max(1, rest - displayWidth(item.prefix));
  const title = `${item.prefix}${highlightLine(item.title, item.marks, room, paint)}`;
  const space = " ".repeat(Math.max(0, rest - displayWidth(stripVTControlCharacters(title))));
  return `${left}  ${title}${space}  ${paint("dim", cost)}`;
}

export function colourOf(type: string): Colour {
  if (type === "failure") return "red";
  if (type === "fix" || type === "change") return "green";
  if (type === "decision" || type === "summary") return "yellow";
  return "blue";
}
