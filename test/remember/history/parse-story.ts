import { AppError } from "../../../src/app-error.ts";
import type { HistoryProject, StoryCall, StorySession, StoryTurn } from "./story.ts";

/**
 * Stories are plain text, a sign at the start of each line:
 *   === key | date time | branch   a session        > #key words   a prompt        = words   the last message
 *   " words   said before the next call             $ #key command     ? #key pattern @ folder     * #key glob
 *   < #key file   read    + #key file   written     ~ #key file   edited (-|old, +|new)
 *   |text   what the call gave back or wrote        !code   it failed
 * A key is optional; signs that repeat (>, ", =) go on with the line before. Lines with ; are notes.
 */
export function parseStories(text: string, project: HistoryProject): StorySession[] {
  const sessions: StorySession[] = [];
  for (const part of text.split(/^(?==== )/m)) {
    const head = /^=== (\S+) \| (\S+) (\S+) \| (\S+)\n/.exec(part);
    if (head === null) continue;
    const [whole, key, date, time, branch] = head;
    const startMs = Date.parse(`${date}T${time}:00.000Z`);
    const turns = parseTurns(part.slice(whole.length));
    sessions.push({ key: key!, project, startMs, branch: branch!, turns });
  }
  return sessions;
}

interface OpenCall extends StoryCall {
  readonly output: string[];
  readonly removed: string[];
  readonly added: string[];
  exitCode?: number | undefined;
}

interface OpenTurn extends StoryTurn {
  prompt: string;
  readonly calls: OpenCall[];
  end: string;
}

const TOOL_OF_SIGN: Readonly<Record<string, StoryCall["tool"]>> = {
  $: "Bash",
  "<": "Read",
  "+": "Write",
  "~": "Edit",
  "?": "Grep",
  "*": "Glob",
};

export function parseTurns(text: string): StoryTurn[] {
  const turns: OpenTurn[] = [];
  let words: string | undefined;
  let before = "";
  for (const line of text.split("\n")) {
    const sign = line[0] ?? "";
    const turn = turns.at(-1);
    const call = turn?.calls.at(-1);
    const rest = line.slice(2);
    if (line.trim() === "" || sign === ";") continue;
    if (sign === ">" && before === ">") turn!.prompt += `\n${rest}`;
    else if (sign === ">") {
      const { key, text: said } = keyed(rest);
      turns.push({ key, prompt: said, calls: [], end: "" });
    } else if (turn === undefined) throw broken(line);
    else if (sign === '"') words = words === undefined ? rest : `${words}\n${rest}`;
    else if (sign === "=") turn.end = turn.end === "" ? rest : `${turn.end}\n${rest}`;
    else if (/^[|+-]\||^\|/.test(line)) addBody(call, line);
    else if (sign === "!" && call !== undefined) call.exitCode = Number(line.slice(1));
    else if (TOOL_OF_SIGN[sign] !== undefined && line[1] === " ") {
      const { key, text: said } = keyed(rest);
      const tool = TOOL_OF_SIGN[sign];
      turn.calls.push({ key, words, tool, target: said, output: [], removed: [], added: [] });
      words = undefined;
    } else throw broken(line);
    before = sign;
  }
  return turns;
}

function addBody(call: OpenCall | undefined, line: string): void {
  if (call === undefined) throw broken(line);
  if (line.startsWith("-|")) call.removed.push(line.slice(2));
  else if (line.startsWith("+|")) call.added.push(line.slice(2));
  else call.output.push(line.slice(1));
}

function keyed(text: string): { key: string | undefined; text: string } {
  const found = /^#(\S+) (.*)$/.exec(text);
  return found === null ? { key: undefined, text } : { key: found[1], text: found[2]! };
}

function broken(line: string): AppError {
  return new AppError("bad_story", `This line of a story has no place: ${line}`);
}
