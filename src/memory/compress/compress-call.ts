import type { ItemContent, ItemType } from "../memory-item.ts";
import { clip, clipLine, oneLine } from "./clean-text.ts";
import { conceptsOf } from "./concepts.ts";
import { errorLine, errorPlace } from "./error-line.ts";
import { type Call, type CallTelling, readCall } from "./read-call.ts";
import { sentencesOf } from "./sentences.ts";
import { tellCommand } from "./tell-command.ts";
import { tellEdit, tellNotebook, tellPatch, tellRead, tellWrite } from "./tell-file.ts";
import {
  tellDelegation,
  tellFetch,
  tellGlob,
  tellGrep,
  tellList,
  tellMcp,
  tellWebSearch,
} from "./tell-lookup.ts";
import { tellAny, tellPlan, tellQuestion, tellSkill, tellTask } from "./tell-other.ts";
import type { Telling } from "./telling.ts";
import { speaksOfFix, statesDecision, weighsChoice } from "./word-signs.ts";

export type { CallTelling };

export const MAX_TITLE = 120;
const MAX_FACTS = 8;
const MAX_FACT = 240;
const MAX_NARRATIVE = 600;
const MAX_FILES = 20;

/**
 * What a tool call tells, as an item of memory: by rules over tool, input, output, exit code and the agent's own
 * words around it. Pure and total; of long texts the ends are looked at.
 */
export function compressCall(telling: CallTelling): ItemContent {
  const call = readCall(telling);
  const told = (TELLERS.get(call.tool) ?? (call.tool.startsWith("mcp__") ? tellMcp : tellAny))(call);
  const hasFailed = told.hasFailed ?? call.failed;
  const outcome = hasFailed ? failureOf(call, told) : successOf(call, told);
  const { reads = [], modifies = [] } = told;
  const tried = [...new Set([...modifies, ...reads])];
  const title = clipLine(outcome.title, MAX_TITLE) || clipLine(call.tool, MAX_TITLE);
  return {
    type: outcome.type,
    title,
    facts: bounded(outcome.facts, title),
    narrative: narrativeOf(call),
    // What could not be changed was at least spoken of.
    filesRead: (call.failed ? tried : reads).slice(0, MAX_FILES),
    filesModified: (call.failed ? [] : modifies).slice(0, MAX_FILES),
    concepts: conceptsOf({
      files: tried,
      texts: [outcome.title, told.about ?? "", call.before, call.after],
      names: told.names ?? [],
      errors: hasFailed ? `${outcome.title}\n${call.error}` : "",
      ...(told.known !== undefined && { known: told.known }),
    }),
  };
}

const TELLERS: ReadonlyMap<string, (call: Call) => Telling> = new Map([
  ["Read", tellRead],
  ["NotebookRead", tellRead],
  ["Edit", tellEdit],
  ["MultiEdit", tellEdit],
  ["Write", tellWrite],
  ["NotebookEdit", tellNotebook],
  ["apply_patch", tellPatch],
  ["Bash", tellCommand],
  ["PowerShell", tellCommand],
  ["Grep", tellGrep],
  ["Glob", tellGlob],
  ["LS", tellList],
  ["WebFetch", tellFetch],
  ["WebSearch", tellWebSearch],
  ["Task", tellDelegation],
  ["ExitPlanMode", tellPlan],
  ["AskUserQuestion", tellQuestion],
  ["TaskCreate", tellTask],
  ["TaskUpdate", tellTask],
  ["Skill", tellSkill],
]);

interface Outcome {
  readonly type: ItemType;
  readonly title: string;
  readonly facts: readonly string[];
}

function successOf(call: Call, told: Telling): Outcome {
  const facts = told.facts ?? [];
  const choice = choiceOf(call, told.type);
  if (choice !== null) {
    const title = told.type === "change" ? told.title : choice;
    return { type: "decision", title, facts: [`Decision: ${choice}`, told.title, ...facts] };
  }
  if (told.type !== "change") return { type: told.type, title: told.title, facts };
  const words = `${call.before}\n${call.after}\n${told.title}`;
  if (speaksOfFix(words) || speaksOfFix(call.prompt)) return { type: "fix", title: told.title, facts };
  const weighed = sentencesOf(call.before).find(weighsChoice);
  if (weighed === undefined) return { type: "change", title: told.title, facts };
  return { type: "decision", title: told.title, facts: [`Decision: ${weighed}`, ...facts] };
}

/** The sentence around a call that states a choice. What is said after a look belongs to what follows it. */
function choiceOf(call: Call, type: ItemType): string | null {
  if (type === "decision") return null;
  const words = type === "change" ? `${call.before}\n${call.after}` : call.before;
  return statesDecision(words) ? (sentencesOf(words).find(statesDecision) ?? null) : null;
}

function failureOf(call: Call, told: Telling): Outcome {
  const said = refusalOf(call);
  const text = call.error === "" ? call.output : call.error;
  const line = errorLine(text, call.tool === "Bash" ? "last" : "first");
  const attempt = clip(oneLine(told.attempt), 80);
  const code = call.exitCode === null || call.exitCode === 0 ? "" : ` (exit ${call.exitCode})`;
  const error = line === null ? null : relativeTo(call, line);
  const place = errorPlace(text);
  const facts = [
    said === null || said === "" ? "" : `The user said: ${said}`,
    error === null || said !== null ? "" : `Error: ${error}`,
    // Of an edit that was not made there is nothing to tell.
    ...(told.type === "change" && call.tool !== "Bash" ? [] : (told.facts ?? [])),
    place === null ? "" : `At ${relativeTo(call, place)}`,
    code === "" ? "" : `Exit code ${call.exitCode}`,
  ];
  if (said !== null) {
    const title = `User refused: ${attempt}${said === "" ? "" : ` (${said})`}`;
    return { type: said === "" ? "failure" : "decision", title, facts };
  }
  if (call.exitCode === null && /has been denied|(?:needs|requires) approval|denied by/.test(error ?? "")) {
    return { type: "failure", title: `Not allowed: ${attempt}`, facts };
  }
  const title = told.failure ?? `${attempt} failed${error === null ? withCode(call) : `${code}: ${error}`}`;
  return { type: "failure", title, facts };
}

function withCode(call: Call): string {
  return call.exitCode === null || call.exitCode === 0 ? "" : ` with exit code ${call.exitCode}`;
}

/** What a person said on refusing: empty when they gave no word, null when nobody refused. */
function refusalOf(call: Call): string | null {
  if (!/^The user doesn't want to (?:proceed|take this action)|^User rejected/.test(call.error)) return null;
  const said = /the user said:\s*(\S[\s\S]{0,400})/.exec(call.error)?.[1];
  return said === undefined ? "" : clipLine(said, 200);
}

/** The project's own folder says nothing in a line about the project. */
function relativeTo(call: Call, line: string): string {
  return call.project === null || call.project === "/" ? line : line.replaceAll(`${call.project}/`, "");
}

function bounded(facts: readonly string[], title: string): string[] {
  const kept = new Set<string>();
  for (const fact of facts) {
    if (kept.size >= MAX_FACTS) break;
    const line = clipLine(fact, MAX_FACT);
    // What stands whole in the title need not be said again.
    if (line !== "" && line !== title && !title.endsWith(line.replace(/^(?:Error|Decision): /, "")))
      kept.add(line);
  }
  return [...kept];
}

function narrativeOf(call: Call): string | null {
  if (call.before === "" && call.after === "") return null;
  if (call.after === "" || call.after === call.before) return clip(call.before, MAX_NARRATIVE);
  if (call.before === "") return clip(call.after, MAX_NARRATIVE);
  const half = Math.floor(MAX_NARRATIVE / 2) - 1;
  const before = clip(call.before, Math.max(half, MAX_NARRATIVE - 1 - call.after.length));
  return clip(`${before}\n${call.after}`, MAX_NARRATIVE);
}
