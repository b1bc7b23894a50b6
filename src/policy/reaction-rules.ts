import { z } from "zod";
import { ProjectGlob } from "./project-glob.ts";
import type { RuleSource } from "./rule.ts";
import { Matcher } from "./rules-match.ts";
import { Pattern } from "./rules-pattern.ts";

/** What happens when something happened: as a rules file says it, and as the engine gets it. */

/** Hook events of Claude Code that can be reacted to, and `needs_person`: a session began to wait for somebody. */
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

/** Logic that is ours and not a command's. `session_metrics`: a line of figures and the summary, at SessionEnd. */
export const BUILTINS = ["session_metrics"] as const;
export type Builtin = (typeof BUILTINS)[number];

/** What stands for a value in the texts of an action. Commands get the same as HOOKLINE_… and never as text. */
export const PLACEHOLDERS = ["session", "project", "cwd", "tool", "file", "prompt", "branch"] as const;

const Text = z.string().min(1).max(10_000);
const Most = z.number().int().min(1).max(10).default(1);

export const ReactionAction = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("command"),
    /** For `sh -c`, with HOOKLINE_… in its environment and the event as JSON on stdin. */
    command: Text,
    /** Where it runs, `~` and relative to the session's folder; else in that folder. */
    cwd: z.string().min(1).optional(),
    /**
     * What the session is told. `none`: it does not wait. `context`: what it printed, to the model. `message`: what
     * it printed, to the person. `block_on_failure`: what it printed when it failed; at the end of a turn the agent
     * goes on, before a tool call that call is denied.
     */
    answer: z.enum(["none", "context", "message", "block_on_failure"]).default("none"),
    /** For `block_on_failure`: so often in a row at most. */
    most: Most,
  }),
  /** A desktop notification. */
  z.strictObject({ type: z.literal("notify"), title: Text.default("Hookline"), text: Text }),
  /** The event as a CloudEvent, POSTed. */
  z.strictObject({
    type: z.literal("webhook"),
    url: z.url({ protocol: /^https?$/ }),
    /** `Name: value`; `$file:~/path` at the value's end stands for the line in that file. */
    secretHeader: z
      .string()
      .regex(/^[A-Za-z0-9-]+: ?[^\r\n]+$/, "a header is written `Name: value`")
      .optional(),
  }),
  z.strictObject({ type: z.literal("speak"), text: Text }),
  z.strictObject({ type: z.literal("context"), text: Text }),
  z.strictObject({ type: z.literal("block"), reason: Text, most: Most }),
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

/** Calls that ended well: since when, and of which tools (any of these matchers). */
export const RanCondition = z.strictObject({
  tools: z.array(Matcher).min(1),
  /** `turn`: since the last prompt of a person. `edit`: since the last change of a file. */
  since: z.enum(["session", "turn", "edit"]).default("turn"),
});
export type RanCondition = z.infer<typeof RanCondition>;

/** All that are named must hold. */
export const ReactionConditions = z.strictObject({
  /** Found in the prompt (UserPromptSubmit). */
  prompt: Pattern.optional(),
  /** Found in the last answer (Stop, SubagentStop). */
  answer: Pattern.optional(),
  /** SessionStart: how it began. */
  source: z.enum(["startup", "resume", "clear", "compact", "fork"]).optional(),
  /** Such a call ran. */
  ran: RanCondition.optional(),
  /** No such call ran. */
  ranWithout: RanCondition.optional(),
});
export type ReactionConditions = z.infer<typeof ReactionConditions>;

const SECONDS = 30;

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
  timeoutSeconds: z.number().positive().max(600).default(SECONDS),
});
export type ReactionEntry = z.infer<typeof ReactionEntry>;

/** As the engine gets it. Null: any. */
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
/** Where Claude Code takes context for the model. */
const CONTEXT_EVENTS: ReadonlySet<ReactionEvent> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "SubagentStart",
]);
/** Where what a hook says is shown to the person. */
const MESSAGE_EVENTS: ReadonlySet<ReactionEvent> = new Set([...CONTEXT_EVENTS, ...STOP_EVENTS, "PreCompact"]);

/** Whether the session waits for what the reaction says; all others run beside it. */
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

/** What in an entry does not fit its event: the key and a sentence's end. */
export function misfits(entry: ReactionEntry): { path: string[]; message: string }[] {
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

/** The events at which an action can be had; null: all. */
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
