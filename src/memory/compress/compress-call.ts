import type { ToolForm } from "../../agents/tool-table.ts";
import type { ItemContent, ItemType } from "../memory-item.ts";
import type { CallDescription } from "./call-description.ts";
import { clip, clipLine, oneLine } from "./clean-text.ts";
import { conceptsOf } from "./concepts.ts";
import { describeCommand } from "./describe-command.ts";
import {
  describeEdit,
  describeNotebook,
  describePatch,
  describeRead,
  describeWrite,
} from "./describe-file.ts";
import {
  describeDelegation,
  describeFetch,
  describeGlob,
  describeGrep,
  describeList,
  describeMcp,
  describeWebSearch,
} from "./describe-lookup.ts";
import {
  describeOther,
  describePlan,
  describeQuestion,
  describeSkill,
  describeTask,
} from "./describe-other.ts";
import { errorLine, errorLocation } from "./error-line.ts";
import { type Call, type CallContext, type Refusal, readCall } from "./read-call.ts";
import { REFUSAL_TITLES } from "./refusal-titles.ts";
import { sentencesOf } from "./sentences.ts";
import { mentionsFix, statesDecision, weighsChoice } from "./text-cues.ts";

export type { CallContext };

export const MAX_TITLE = 120;
const MAX_FACTS = 8;
const MAX_FACT_CHARS = 240;
const MAX_NARRATIVE_CHARS = 600;
const MAX_FILES = 20;

/**
 * Compresses a tool call into an item, by rules over tool, input, output, exit code and the agent's text
 * around it. Pure and total; of long texts only the ends are read.
 */
export function compressCall(context: CallContext): ItemContent {
  return compressCallWithOutcome(context).content;
}

export interface CompressedCall {
  readonly content: ItemContent;
  /** Null if not reported, or hidden by the shell line. */
  readonly success: boolean | null;
}

/** An item's content, and whether its call is known to have succeeded. */
export function compressCallWithOutcome(context: CallContext): CompressedCall {
  const call = readCall(context);
  return { content: contentOf(call), success: hasSucceeded(call, context.event.payload?.success ?? null) };
}

function hasSucceeded({ outcome }: Call, reported: boolean | null): boolean | null {
  if (outcome === null) return reported;
  return outcome.line === "unknown" ? null : outcome.line === "passed";
}

function contentOf(call: Call): ItemContent {
  const description = DESCRIBERS[call.form](call);
  const hasFailed = description.hasFailed ?? call.failed;
  const outcome = hasFailed ? failureOf(call, description) : successOf(call, description);
  const { reads = [], modifies = [] } = description;
  const touched = [...new Set([...modifies, ...reads])];
  const title = clipLine(outcome.title, MAX_TITLE) || clipLine(call.tool, MAX_TITLE);
  return {
    type: outcome.type,
    title,
    facts: boundedFacts(outcome.facts, title),
    narrative: narrativeOf(call),
    // Files that could not be changed still count as touched.
    filesRead: (call.failed ? touched : reads).slice(0, MAX_FILES),
    filesModified: (call.failed ? [] : modifies).slice(0, MAX_FILES),
    concepts: conceptsOf({
      files: touched,
      texts: [outcome.title, description.about ?? "", call.before, call.after],
      names: description.names ?? [],
      errors: hasFailed ? `${outcome.title}\n${call.error}` : "",
      ...(description.known !== undefined && { known: description.known }),
    }),
  };
}

const DESCRIBERS: Readonly<Record<ToolForm, (call: Call) => CallDescription>> = {
  read: describeRead,
  edit: describeEdit,
  write: describeWrite,
  notebook: describeNotebook,
  patch: describePatch,
  shell: describeCommand,
  powershell: describeCommand,
  watch: describeOther,
  search: describeGrep,
  glob: describeGlob,
  list: describeList,
  symbols: describeOther,
  fetch: describeFetch,
  webSearch: describeWebSearch,
  agent: describeDelegation,
  plan: describePlan,
  question: describeQuestion,
  task: describeTask,
  skill: describeSkill,
  mcp: describeMcp,
  own: describeOther,
  other: describeOther,
};

interface Outcome {
  readonly type: ItemType;
  readonly title: string;
  readonly facts: readonly string[];
}

function successOf(call: Call, description: CallDescription): Outcome {
  const facts = description.facts ?? [];
  const choice = choiceOf(call, description.type);
  if (choice !== null) {
    const title = description.type === "change" ? description.title : choice;
    return { type: "decision", title, facts: [`Decision: ${choice}`, description.title, ...facts] };
  }
  if (description.type !== "change") return { type: description.type, title: description.title, facts };
  const text = `${call.before}\n${call.after}\n${description.title}`;
  if (mentionsFix(text) || mentionsFix(call.prompt)) return { type: "fix", title: description.title, facts };
  const weighedChoice = sentencesOf(call.before).find(weighsChoice);
  if (weighedChoice === undefined) return { type: "change", title: description.title, facts };
  return { type: "decision", title: description.title, facts: [`Decision: ${weighedChoice}`, ...facts] };
}

/** The sentence around a call that states a choice. Text after an inspection belongs to what follows it. */
function choiceOf(call: Call, type: ItemType): string | null {
  if (type === "decision") return null;
  const words = type === "change" ? `${call.before}\n${call.after}` : call.before;
  return statesDecision(words) ? (sentencesOf(words).find(statesDecision) ?? null) : null;
}

function failureOf(call: Call, description: CallDescription): Outcome {
  if (call.refusal !== null) return refusedOutcome(call, description, call.refusal);
  const text = call.error === "" ? call.output : call.error;
  const line = errorLine(text, call.form === "shell" ? "last" : "first");
  const attempt = attemptOf(description);
  const exitText = call.exitCode === null || call.exitCode === 0 ? "" : ` (exit ${call.exitCode})`;
  const error = line === null ? null : relativeTo(call, line);
  const location = errorLocation(text);
  const facts = [
    error === null ? "" : `Error: ${error}`,
    // An edit that failed changed nothing worth a fact.
    ...(description.type === "change" && call.form !== "shell" ? [] : (description.facts ?? [])),
    location === null ? "" : `At ${relativeTo(call, location)}`,
    exitText === "" ? "" : `Exit code ${call.exitCode}`,
  ];
  const title =
    description.failure ??
    `${attempt} failed${error === null ? exitCodeText(call) : `${exitText}: ${error}`}`;
  return { type: "failure", title, facts };
}

/** It never ran, so the work did not fail. A reason given by the user is their decision. */
function refusedOutcome(call: Call, description: CallDescription, { by, reason }: Refusal): Outcome {
  const attempt = `${REFUSAL_TITLES[by]}${attemptOf(description)}`;
  const reasonText = relativeTo(call, reason);
  const [command = ""] = call.form === "shell" ? (description.facts ?? []) : [];
  if (by === "interruption")
    return { type: "command", title: attempt, facts: ["Its outcome is unknown", command] };
  if (by === "rule")
    return {
      type: "command",
      title: attempt,
      facts: [reasonText && `Reason: ${reasonText}`, command],
    };
  const title = `${attempt}${reasonText === "" ? "" : ` (${reasonText})`}`;
  const facts = [reasonText && `The user said: ${reasonText}`, command];
  return { type: reasonText === "" ? "command" : "decision", title, facts };
}

function attemptOf({ attempt }: CallDescription): string {
  return clip(oneLine(attempt), 80);
}

function exitCodeText(call: Call): string {
  return call.exitCode === null || call.exitCode === 0 ? "" : ` with exit code ${call.exitCode}`;
}

/** Strips the project's folder, which is redundant within the project. */
function relativeTo(call: Call, line: string): string {
  return call.project === null || call.project === "/" ? line : line.replaceAll(`${call.project}/`, "");
}

function boundedFacts(facts: readonly string[], title: string): string[] {
  const unique = new Set<string>();
  for (const fact of facts) {
    if (unique.size >= MAX_FACTS) break;
    const line = clipLine(fact, MAX_FACT_CHARS);
    // Skip what the title already says in full.
    if (line !== "" && line !== title && !title.endsWith(line.replace(/^(?:Error|Decision): /, "")))
      unique.add(line);
  }
  return [...unique];
}

function narrativeOf(call: Call): string | null {
  if (call.before === "" && call.after === "") return null;
  if (call.after === "" || call.after === call.before) return clip(call.before, MAX_NARRATIVE_CHARS);
  if (call.before === "") return clip(call.after, MAX_NARRATIVE_CHARS);
  const half = Math.floor(MAX_NARRATIVE_CHARS / 2) - 1;
  const before = clip(call.before, Math.max(half, MAX_NARRATIVE_CHARS - 1 - call.after.length));
  return clip(`${before}\n${call.after}`, MAX_NARRATIVE_CHARS);
}
