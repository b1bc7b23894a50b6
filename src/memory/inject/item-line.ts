import type { MemoryItem } from "../memory-item.ts";
import type { Candidate } from "./fill-budget.ts";
import { toSafeLine } from "./safe-line.ts";

/** How items are told: paths short, days as the person counts them. */
export interface Telling {
  /** The project's folder; its files are named from there. */
  readonly project: string;
  /** An IANA name. A day, not an age: the line may be read much later than it is written. */
  readonly timeZone: string;
}

export const LINE_CHARACTERS = 180;

export function toCandidate(
  item: MemoryItem,
  why: string,
  telling: Telling,
  limit = LINE_CHARACTERS,
): Candidate {
  return candidateOf(item, gistOf(item), why, telling, { limit, label: `${item.content.type}: ` });
}

/** With other words than the item's own gist. Without words there is no text. */
export function candidateOf(
  item: Pick<MemoryItem, "id" | "createdAtIso" | "content">,
  words: string,
  why: string,
  { project, timeZone }: Telling,
  { limit, label = "" }: { readonly limit: number; readonly label?: string },
): Candidate {
  const told = toSafeLine(shortPaths(words, project), limit);
  const text = told === "" ? "" : `${dayOf(item.createdAtIso, timeZone)} ${label}${told}`;
  const title = toSafeLine(item.content.title, 120);
  return { text, item: { id: item.id, title, why: toSafeLine(shortPaths(why, project), 160) } };
}

/** What an item says in a line: a turn by what was done and asked, a call by its title and what it found. */
export function gistOf({ content, summary }: MemoryItem): string {
  if (summary === null) return [content.title, ...content.facts.slice(0, 2)].filter(isNew()).join(" · ");
  const { request, completed } = summary;
  if (request === null || request === "" || request === content.title) return content.title;
  return completed === null
    ? toSafeLine(request, 160)
    : `${content.title} (asked: ${toSafeLine(request, 70)})`;
}

function isNew(): (part: string) => boolean {
  const seen: string[] = [];
  return (part) => {
    const plain = part.toLowerCase().trim();
    if (plain === "" || seen.some((other) => other.includes(plain))) return false;
    seen.push(plain);
    return true;
  };
}

export function shortPaths(text: string, project: string): string {
  if (project === "/" || !text.includes(`${project}/`)) return text;
  const escaped = project.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return text.replace(new RegExp(`(?<![\\w./-])${escaped}/`, "g"), "");
}

export function dayOf(iso: string, timeZone: string): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return toSafeLine(iso, 10);
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
  return format.format(at);
}

const formats = new Map<string, Intl.DateTimeFormat>();
