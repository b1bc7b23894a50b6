import type { ContextSwitches, DigestPreview, Injection } from "../serve/contract.ts";
import { localTime } from "../shown/duration.ts";
import { oneLine, plainLines } from "../shown/plain-text.ts";
import { countText, plural } from "./amounts.ts";
import { noPaint } from "./paint.ts";
import type { MemoryTextOptions } from "./search-text.ts";
import { tableLines } from "./table.ts";

export function previewText(preview: DigestPreview, options: MemoryTextOptions): string {
  const { paint = noPaint } = options;
  const where = `${preview.kind} in ${oneLine(preview.project)}`;
  if (preview.off !== null) return `Nothing is injected at ${where}: ${oneLine(preview.off)}.`;
  if (preview.text.trim() === "")
    return `Nothing would be injected at ${where}: memory has nothing relevant.`;
  const head = `Injected at ${where} (${plural(preview.tokens, "token")}):`;
  const why = itemLines(preview.items, options);
  return [
    paint("bold", head),
    ...plainLines(preview.text.trimEnd()),
    ...(why.length === 0 ? [] : ["", paint("bold", "Why:"), ...why]),
  ].join("\n");
}

/** The context injected into each session, newest first. */
export function injectionsText(injections: readonly Injection[], options: MemoryTextOptions): string {
  const { now, paint = noPaint } = options;
  return injections
    .flatMap((injection) => [
      [
        paint("dim", localTime(injection.atIso, now)),
        paint("yellow", injection.kind),
        `session ${oneLine(injection.sessionId)}`,
        oneLine(injection.project ?? ""),
        paint("dim", `${countText(injection.tokens)} tok`),
      ]
        .filter((part) => part !== "")
        .join("  "),
      ...itemLines(injection.items, options),
    ])
    .join("\n");
}

export function switchesText({ kinds, projects, sessions }: ContextSwitches): string {
  const lines = [
    ...kinds.map((kind) => `${kind}, everywhere`),
    ...projects.map((project) => `everything, in ${project}`),
    ...sessions.map((session) => `everything, in session ${session}`),
  ];
  if (lines.length === 0) return "Nothing is turned off.";
  return ["Turned off:", ...lines.map((line) => `  ${oneLine(line)}`)].join("\n");
}

function itemLines(items: Injection["items"], { width }: MemoryTextOptions): string[] {
  const rows = items.map((item) => [
    String(item.id),
    oneLine(item.title),
    oneLine(item.why),
    `${countText(item.tokens)} tok`,
  ]);
  return tableLines([{ align: "end" }, { isWide: true }, {}, { align: "end" }], rows, width);
}
