import { z } from "zod";
import { ProjectGlob } from "./project-glob.ts";
import type { RuleSource } from "./rule.ts";
import { Matcher } from "./rules-matcher.ts";
import { Pattern } from "./rules-pattern.ts";

/** Reactions to events: as a rules file defines them, and as the engine uses them. */

/** Claude Code's hook events that rules can react to, and `needs_person`: a session waits for a person. */
export const REACTION_EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PermissionDenied",
  "PostToolUse",
  "PostToolUseFailure",
  "Notification",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "TaskCompleted",
  "PreCompact",
  "PostCompact",
  "SessionEnd",
  "needs_person",
] as const;
export type ReactionEvent = (typeof REACTION_EVENTS)[number];

/** Built-in logic, not a command. `session_metrics`: a line of figures and the summary, at SessionEnd. */
export const BUILTINS = ["session_metrics"] as const;
export type Builtin = (typeof BUILTINS)[number];

/** Placeholders in the texts of an action. Commands get the same values as HOOKLINE_… and never as text. */
export const PLACEHOLDERS = ["session", "project", "cwd", "tool", "file", "prompt", "branch"] as const;

const Text = z.string().min(1).max(10_000);
const MaxTimes = z.number().int().min(1).max(10).default(1);

export const ReactionAction = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("command"),
    /** For `sh -c`, with HOOKLINE_… in its environment and the event as JSON on stdin. */
    command: Text,
    /** Where it runs, `~` or relative to the session's folder; defaults to that folder. */
    cwd: z.string().min(1).optional(),
    /**
     * What the session gets. `none`: it does not wait. `context`: the output, for the model. `message`: the output, for
     * the user. `block_on_failure`: the output of a failed command; at the end of a turn the agent continues, before a
     * tool call that call is denied.
     */
    answer: z.enum(["none", "context", "message", "block_on_failure"]).default("none"),
    /** For `block_on_failure`: the maximum number of times in a row. */
    most: MaxTimes,
  }),
  /** A desktop notification. */
  z.strictObject({ type: z.literal("notify"), title: Text.default("Hookline"), text: Text }),
  /** POSTs the event as a CloudEvent. */
  z.strictObject({
    type: z.literal("webhook"),
    url: z.url({ protocol: /^https?$/ }),
    /** `Name: value`; `$file:~/path` at the end of the value stands for the line in that file. */
    secretHeader: z
      .string()
      .regex(/^[A-Za-z0-9-]+: ?[^\r\n]+$/, "a header is written `Name: value`")
      .optional(),
  }),
  z.strictObject({ type: z.literal("speak"), text: Text }),
  z.strictObject({ type: z.literal("context"), text: Text }),
  z.strictObject({ type: z.literal("block"), reason: Text, most: MaxTimes }),
  z.strictObject({
    type: z.literal("env"),
    set: z.record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "not the name of a variable"),
      z.string().max(10_000),
    ),
  }),
  z.strictObject({ type: z.literal("deny"), reason: Text }),
  z.strictObject({
    type: z.literal("builtin"),
    name: z.enum(BUILTINS),
    options: z.record(z.string(), z.string()).default({}),
  }),
]);
export type ReactionAction = z.infer<typeof ReactionAction>;

/** Successful calls: since when, and of which tools (any of these matchers). */
export const RanCondition = z.strictObject({
  tools: z.array(Matcher).min(1),
  /** `turn`: since the user's last prompt. `edit`: since the last file change. */
  since: z.enum(["session", "turn", "edit"]).default("turn"),
});
export type RanCondition = z.infer<typeof RanCondition>;

/** All conditions present must be met. */
export const ReactionConditions = z.strictObject({
  /** Found in the prompt (UserPromptSubmit). */
  prompt: Pattern.optional(),
  /** Found in the last answer (Stop, SubagentStop). */
  answer: Pattern.optional(),
  /** SessionStart: how the session started. */
  source: z.enum(["startup", "resume", "clear", "compact", "fork"]).optional(),
  /** Such a call ran. */
  ran: RanCondition.optional(),
  /** No such call ran. */
  ranWithout: RanCondition.optional(),
});
export type ReactionConditions = z.infer<typeof ReactionConditions>;

const DEFAULT_TIMEOUT_SECONDS = 30;

/** One entry of `reactions` in a rules file. */
export const ReactionEntry = z.strictObject({
  id: z.string().optional(),
  recipe: z.string().optional(),
  on: z.enum(REACTION_EVENTS),
  match: Matcher.optional(),
  agentType: z.string().min(1).optional(),
  project: ProjectGlob.optional(),
  when: ReactionConditions.optional(),
  do: ReactionAction,
  timeoutSeconds: z.number().positive().max(600).default(DEFAULT_TIMEOUT_SECONDS),
});
export type ReactionEntry = z.infer<typeof ReactionEntry>;

/** A reaction as the engine uses it. Null means any. */
export interface ReactionRule {
  readonly id: string;
  readonly source: RuleSource;
  readonly recipe: string | null;
  readonly on: ReactionEvent;
  /** A tool matcher, as for tool rules. */
  readonly match: string | null;
  readonly agentType: string | null;
  /** A glob of project folders. */
  readonly project: string | null;
  readonly when: ReactionConditions;
  readonly do: ReactionAction;
  readonly timeoutSeconds: number;
}

const TOOL_EVENTS: ReadonlySet<ReactionEvent> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "PermissionDenied",
  "PostToolUse",
  "PostToolUseFailure",
]);
const STOP_EVENTS: ReadonlySet<ReactionEvent> = new Set(["Stop", "SubagentStop"]);
const CHECK_EVENTS: ReadonlySet<ReactionEvent> = new Set([...STOP_EVENTS, "PreToolUse"]);
/** Where Claude Code accepts context for the model. */
const CONTEXT_EVENTS: ReadonlySet<ReactionEvent> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "SubagentStart",
]);
/** Where a hook's message is shown to the user. */
const MESSAGE_EVENTS: ReadonlySet<ReactionEvent> = new Set([...CONTEXT_EVENTS, ...STOP_EVENTS, "PreCompact"]);

/** Whether the session waits for the reaction's answer; all others run in the background. */
export function needsAnswer({ do: action }: Pick<ReactionRule, "do">): boolean {
  switch (action.type) {
    case "command":
      return action.answer !== "none";
    case "context":
    case "block":
    case "env":
    case "deny":
      return true;
    case "notify":
    case "webhook":
    case "speak":
    case "builtin":
      return false;
    default:
      return action satisfies never;
  }
}

/** What in an entry does not fit its event: the key and the end of a sentence. */
export function findEventMismatches(entry: ReactionEntry): { path: string[]; message: string }[] {
  const { on, do: action, when = {} } = entry;
  const found: { path: string[]; message: string }[] = [];
  const add = (path: string[], message: string): void => void found.push({ path, message });
  if (entry.match !== undefined && !TOOL_EVENTS.has(on)) add(["match"], `${on} is not about a tool`);
  if (when.prompt !== undefined && on !== "UserPromptSubmit")
    add(["when", "prompt"], `${on} has no prompt; UserPromptSubmit has`);
  if (when.answer !== undefined && !STOP_EVENTS.has(on))
    add(["when", "answer"], `${on} has no answer; Stop and SubagentStop have`);
  if (when.source !== undefined && on !== "SessionStart")
    add(["when", "source"], `${on} has no source; SessionStart has`);
  const events = eventsOf(action);
  if (events !== null && !events.has(on))
    add(["do"], `${describe(action)} is possible at ${[...events].join(", ")}, not at ${on}`);
  return found;
}

/** The events that support an action; null: all. */
function eventsOf(action: ReactionAction): ReadonlySet<ReactionEvent> | null {
  switch (action.type) {
    case "context":
      return CONTEXT_EVENTS;
    case "block":
      return STOP_EVENTS;
    case "env":
      return new Set(["SessionStart"]);
    case "deny":
      return new Set(["PreToolUse"]);
    case "builtin":
      return new Set(["SessionEnd"]);
    case "command":
      if (action.answer === "none") return null;
      if (action.answer === "context") return CONTEXT_EVENTS;
      return action.answer === "message" ? MESSAGE_EVENTS : CHECK_EVENTS;
    default:
      return null;
  }
}

function describe(action: ReactionAction): string {
  return action.type === "command" ? `"answer": "${action.answer}"` : `"${action.type}"`;
}
