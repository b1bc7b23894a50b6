/** A simple command of a shell line: its words as the shell sees them, and where its output goes. */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** Files its output is redirected to. */
  readonly writes: readonly string[];
  /** Joins it to the command before it; `;` also for a newline. */
  readonly operator: "" | ";" | "&" | "&&" | "||" | "|";
  /** As written in the line. */
  readonly source: string;
}

/** Adds its start offset in the line. */
export interface LocatedCommand extends SimpleCommand {
  readonly start: number;
}

const MAX_COMMANDS = 40;
const MAX_WORDS = 60;

/** Marks a word that the shell would expand (a variable, a glob, a substitution). */
export const EXPANSION_MARK = "\u0001";

/**
 * Splits a shell line into its simple commands: handles quotes, operators, redirections and here-documents,
 * everything else is a word. Not a shell: what it cannot know it marks as uncertain. Linear.
 */
export function splitCommand(line: string): SimpleCommand[] {
  return locateCommands(line).map(({ start: _, ...command }) => command);
}

export function locateCommands(line: string): LocatedCommand[] {
  const commands: LocatedCommand[] = [];
  let words: string[] = [];
  let writes: string[] = [];
  let word: string | undefined;
  let target: "write" | "other" | undefined;
  const hereDocuments: string[] = [];
  let joinedBy: SimpleCommand["operator"] = "";
  let start = -1;
  let at = 0;

  const endWord = (): void => {
    if (word === undefined) return;
    if (target === "write") writes.push(word);
    else if (target === undefined && words.length < MAX_WORDS) words.push(word);
    target = undefined;
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0 || writes.length > 0)
      commands.push({ words, writes, operator: joinedBy, source: line.slice(start, at).trimEnd(), start });
    words = [];
    writes = [];
    target = undefined;
    start = -1;
  };

  while (at < line.length && commands.length < MAX_COMMANDS) {
    const char = line[at]!;
    if (start < 0 && !WHITESPACE.includes(char) && !SEPARATORS.includes(char)) start = at;
    if (char === "\n") {
      endCommand();
      joinedBy = ";";
      at = hereDocuments.length > 0 ? skipDocuments(line, at, hereDocuments) : at + 1;
    } else if (char === " " || char === "\t") {
      endWord();
      at++;
    } else if (char === "#" && word === undefined) {
      at = endOf(line, "\n", at);
    } else if (char === "'") {
      const end = endOf(line, "'", at + 1);
      word = (word ?? "") + line.slice(at + 1, end);
      at = end + 1;
    } else if (char === '"') {
      const quoted = readQuoted(line, at + 1);
      word = (word ?? "") + quoted.text;
      at = quoted.end;
    } else if (char === "\\") {
      if (line[at + 1] !== "\n") word = (word ?? "") + (line[at + 1] ?? "");
      at += 2;
    } else if (char === "$" && line[at + 1] === "(") {
      word = (word ?? "") + EXPANSION_MARK;
      at = skipSubstitution(line, at + 2);
    } else if (char === "`") {
      word = (word ?? "") + EXPANSION_MARK;
      at = endOf(line, "`", at + 1) + 1;
    } else if (line.startsWith("<<", at) && line[at + 2] !== "<") {
      endWord();
      const document = readDocumentMark(line, at);
      hereDocuments.push(document.mark);
      at = document.end;
    } else if (char === ">" || char === "<") {
      const descriptor = word !== undefined && /^[0-9&]$/.test(word) ? word : undefined;
      if (descriptor !== undefined) word = undefined;
      endWord();
      const redirection = /^(?:>>|>\||>&|<<<|<>|<&|>|<)/.exec(line.slice(at, at + 3))![0];
      const isWrite = redirection === ">" || redirection === ">>" || redirection === ">|";
      target = isWrite && (descriptor === undefined || descriptor !== "2") ? "write" : "other";
      at += redirection.length;
    } else if (char === "&" && line[at + 1] === ">") {
      endWord();
      target = "write";
      at += line[at + 2] === ">" ? 3 : 2;
    } else if (SEPARATORS.includes(char)) {
      endCommand();
      const operator = /^(?:&&|\|\||\|&?|;|&)/.exec(line.slice(at, at + 2))?.[0];
      // A bracket does not change the operator that joins the next command.
      if (operator !== undefined)
        joinedBy = operator === "|&" ? "|" : (operator as SimpleCommand["operator"]);
      at += operator?.length ?? 1;
    } else {
      word = (word ?? "") + (EXPANSION_CHARS.includes(char) ? EXPANSION_MARK + char : char);
      at++;
    }
  }
  endCommand();
  return commands;
}

const WHITESPACE = " \t\n";
const SEPARATORS = ";|&(){}";
const EXPANSION_CHARS = "$*?[~";

function endOf(line: string, char: string, from: number): number {
  const end = line.indexOf(char, from);
  return end < 0 ? line.length : end;
}

function readQuoted(line: string, start: number): { text: string; end: number } {
  let text = "";
  let at = start;
  while (at < line.length && line[at] !== '"') {
    const char = line[at]!;
    if (char === "\\" && at + 1 < line.length) {
      text += '"\\$`'.includes(line[at + 1]!) ? line[at + 1]! : line.slice(at, at + 2);
      at += 2;
    } else if (char === "$" && line[at + 1] === "(") {
      text += EXPANSION_MARK;
      at = skipSubstitution(line, at + 2);
    } else {
      text += char === "$" || char === "`" ? EXPANSION_MARK + char : char;
      at++;
    }
  }
  return { text, end: at + 1 };
}

/** Returns the position after the `)` of a `$(`, whose here-documents may hold any quotes and brackets. */
function skipSubstitution(line: string, start: number): number {
  let depth = 1;
  let at = start;
  while (at < line.length) {
    const char = line[at]!;
    if (char === "'") at = endOf(line, "'", at + 1);
    else if (char === "\\") at++;
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at + 1;
    else if (line.startsWith("<<", at) && line[at + 2] !== "<") {
      const document = readDocumentMark(line, at);
      at = skipDocuments(line, endOf(line, "\n", document.end), [document.mark]) - 1;
    }
    at++;
  }
  return at;
}

function readDocumentMark(line: string, at: number): { mark: string; end: number } {
  const mark = /^<<-?\s*(['"\\]?)([\w.-]{1,60})\1?/.exec(line.slice(at, at + 80));
  return mark === null ? { mark: "", end: at + 2 } : { mark: mark[2]!, end: at + mark[0].length };
}

/** Returns the position after the here-documents that start after the newline at `at`. */
function skipDocuments(line: string, at: number, marks: string[]): number {
  let from = at + 1;
  for (const mark of marks.splice(0)) {
    if (mark === "") continue;
    for (;;) {
      const end = endOf(line, "\n", from);
      const isLast = line.slice(from, end).trim() === mark;
      from = end + 1;
      if (isLast || end >= line.length) break;
    }
  }
  return Math.min(from, line.length);
}
