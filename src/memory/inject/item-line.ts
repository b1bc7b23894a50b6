import type { MemoryItem } from "../memory-item.ts";
import type { CandidateLine } from "./fill-budget.ts";
import { toSafeLine } from "./safe-line.ts";

/** How items are rendered: short paths, days in the user's time zone. */
export interface LineFormat {
  /** The project's folder; its files are shown relative to it. */
  readonly project: string;
  /** An IANA name. Lines show a date, not an age: they may be read much later than written. */
  readonly timeZone: string;
}

export const MAX_LINE_CHARS = 180;

export function toCandidate(
  item: MemoryItem,
  why: string,
  format: LineFormat,
  limit = MAX_LINE_CHARS,
): CandidateLine {
  return candidateWithText(item, gistOf(item), why, format, { limit, label: `${item.content.type}: ` });
}

/** With a text other than the item's gist. Empty if that text is. */
export function candidateWithText(
  item: Pick<MemoryItem, "id" | "createdAtIso" | "content">,
  words: string,
  why: string,
  { project, timeZone }: LineFormat,
  { limit, label = "" }: { readonly limit: number; readonly label?: string },
): CandidateLine {
  const line = toSafeLine(shortenPaths(words, project), limit);
  const text = line === "" ? "" : `${dayOf(item.createdAtIso, timeZone)} ${label}${line}`;
  const title = toSafeLine(item.content.title, 120);
  return { text, item: { id: item.id, title, why: toSafeLine(shortenPaths(why, project), 160) } };
}

/** An item in one line: a turn by what was done and asked, a call by its title and finding. */
export function gistOf({ content, summary }: MemoryItem): string {
  if (summary === null)
    return [content.title, ...content.facts.slice(0, 2)].filter(createNoveltyFilter()).join(" · ");
  const { request, completed } = summary;
  if (request === null || request === "" || request === content.title) return content.title;
  return completed === null
    ? toSafeLine(request, 160)
    : `${content.title} (asked: ${toSafeLine(request, 70)})`;
}

function createNoveltyFilter(): (part: string) => boolean {
  const seen: string[] = [];
  return (part) => {
    const plain = part.toLowerCase().trim();
    if (plain === "" || seen.some((other) => other.includes(plain))) return false;
    seen.push(plain);
    return true;
  };
}

export function shortenPaths(text: string, project: string): string {
  if (project === "/" || !text.includes(`${project}/`)) return text;
  const escaped = project.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return text.replace(new RegExp(`(?<![\\w./-])${escaped}/`, "g"), "");
}

export function dayOf(iso: string, timeZone: string): string {
  const timeMs = Date.parse(iso);
  if (Number.isNaN(timeMs)) return toSafeLine(iso, 10);
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("sv-SE", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    formats.set(timeZone, format);
  }
  return format.format(timeMs);
}

const formats = new Map<string, Intl.DateTimeFormat>();
