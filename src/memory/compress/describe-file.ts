import type { CallDescription } from "./call-description.ts";
import { changedLines, changeFacts, definedNames, isInformative } from "./changed-lines.ts";
import { clipLine, formatList, oneLine } from "./clean-text.ts";
import { absolutePath, type Call, fileOf, inputNumber, inputText, shortPath } from "./read-call.ts";
import { purposeOf } from "./sentences.ts";

export function describeRead(call: Call): CallDescription {
  const file = fileOf(call);
  const name = file === "" ? "a file" : shortPath(call, file);
  const lines = contentLines(call.output);
  const names = definedNames(lines);
  const headings = /\.mdx?$/.test(file) ? lines.filter((line) => /^#{1,3} \S/.test(line)) : [];
  const firstLine = headings.length + names.length > 0 || call.failed ? undefined : lines.find(isInformative);
  const facts = [
    headings.length === 0
      ? ""
      : `Headings: ${formatList(
          headings.map((line) => oneLine(line.replace(/^#+ /, ""))),
          220,
        )}`,
    names.length === 0 ? "" : `Defines ${formatList(names, 220)}`,
    firstLine === undefined || firstLine.startsWith("[image ") ? "" : `Begins: ${clipLine(firstLine, 200)}`,
  ];
  return {
    type: "discovery",
    title: `Read ${name}${extent(call)}`,
    attempt: `Read ${name}`,
    facts,
    reads: file === "" ? [] : [file],
    names,
  };
}

/** How much of the file was read. */
function extent(call: Call): string {
  if (call.output.startsWith("[image ")) return " (image)";
  const total = call.meta["lineCount"];
  const totalLines = typeof total === "number" ? total : null;
  const from = inputNumber(call, "offset");
  const limit = inputNumber(call, "limit");
  const ofTotal = totalLines === null ? "" : ` of ${totalLines}`;
  if (limit === 1 && from !== null) return ` (line ${from}${ofTotal})`;
  if (limit !== null) {
    const first = from ?? 1;
    const last = totalLines === null ? first + limit - 1 : Math.min(totalLines, first + limit - 1);
    return last > first ? ` (lines ${first}-${last}${ofTotal})` : "";
  }
  if (from !== null) return ` (from line ${from}${ofTotal})`;
  return totalLines === null ? "" : ` (${plural(totalLines, "line")})`;
}

/** Lines as they are in the file: a transcript numbers them. */
function contentLines(output: string): string[] {
  return output.split("\n", 400).map((line) => line.replace(/^ {0,8}\d{1,7}[\t→]/, ""));
}

export function describeEdit(call: Call): CallDescription {
  const file = fileOf(call);
  const name = file === "" ? "a file" : shortPath(call, file);
  const changed = changedLines(call);
  const names = definedNames([...changed.added, ...changed.removed, ...changed.around]);
  const edits = Array.isArray(call.input["edits"]) ? call.input["edits"].length : 0;
  const what =
    purposeOf(call.before) ?? singleLineSwap(changed) ?? (names.length > 0 ? formatList(names, 60) : null);
  const tail = what ?? (edits > 1 ? `${edits} changes` : null);
  return {
    type: "change",
    title: `Edited ${name}${tail === null ? "" : `: ${tail}`}`,
    attempt: `Edit of ${name}`,
    facts: [names.length === 0 ? "" : `Touches ${formatList(names, 220)}`, ...changeFacts(changed)],
    modifies: file === "" ? [] : [file],
    names,
    about: [...changed.added, ...changed.removed].join("\n").slice(0, 2_000),
  };
}

function singleLineSwap({
  removed,
  added,
}: {
  removed: readonly string[];
  added: readonly string[];
}): string | null {
  const [oldLine, newLine] = [removed[0]?.trim(), added[0]?.trim()];
  if (removed.length !== 1 || added.length !== 1 || oldLine === undefined || newLine === undefined)
    return null;
  return oldLine.length + newLine.length <= 64 ? `${oldLine} → ${newLine}` : null;
}

export function describeWrite(call: Call): CallDescription {
  const file = fileOf(call);
  const name = file === "" ? "a file" : shortPath(call, file);
  const content = inputText(call, "content") || inputText(call, "new_source");
  const lines = content.split("\n", 400);
  const names = definedNames(lines);
  const isNew = /^\{"type":"create"|^File created|Successfully created/.test(call.output.slice(0, 200));
  const count = call.meta["lineCount"];
  const size = typeof count === "number" ? ` (${plural(count, "line")})` : "";
  const purpose = purposeOf(call.before);
  const first = lines.find(isInformative);
  return {
    type: "change",
    title: `${isNew ? "Created" : "Wrote"} ${name}${size}${purpose === null ? "" : `: ${purpose}`}`,
    attempt: `Write of ${name}`,
    facts: [
      names.length === 0 ? "" : `Defines ${formatList(names, 220)}`,
      first === undefined ? "" : `Begins: ${clipLine(first, 200)}`,
    ],
    modifies: file === "" ? [] : [file],
    names,
    about: content.slice(0, 1_000),
  };
}

export function describeNotebook(call: Call): CallDescription {
  const description = describeEdit(call);
  const cell = inputText(call, "cell_id", 80);
  const mode = inputText(call, "edit_mode", 20);
  const fact = [mode === "" ? "replace" : mode, "cell", cell].join(" ").trim();
  return { ...description, facts: [`Notebook: ${fact}`, ...(description.facts ?? [])], known: ["notebook"] };
}

/** The patch language of Codex: its headers name the files. */
export function describePatch(call: Call): CallDescription {
  const patch =
    inputText(call, "command", 16_000) ||
    inputText(call, "input", 16_000) ||
    inputText(call, "patch", 16_000);
  const files: string[] = [];
  const added: string[] = [];
  const removed: string[] = [];
  for (const line of patch.split("\n", 2_000)) {
    const file = /^\*\*\* (?:Add|Update|Delete) File: (.{1,1000})$/.exec(line)?.[1];
    const path = absolutePath(call, file);
    if (path !== null) files.push(path);
    else if (line.startsWith("+") && added.length < 60) added.push(line.slice(1));
    else if (line.startsWith("-") && removed.length < 60) removed.push(line.slice(1));
  }
  const names = definedNames([...added, ...removed]);
  const where =
    files.length === 0
      ? "files"
      : formatList(
          files.map((file) => shortPath(call, file)),
          70,
        );
  const what = purposeOf(call.before) ?? (names.length > 0 ? formatList(names, 60) : null);
  return {
    type: "change",
    title: `Edited ${where}${what === null ? "" : `: ${what}`}`,
    attempt: `Edit of ${where}`,
    facts: changeFacts({ removed, added, isWhole: false }),
    modifies: files,
    names,
    about: added.join("\n").slice(0, 2_000),
  };
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : noun.endsWith("ch") ? "es" : "s"}`;
}
