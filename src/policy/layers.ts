import { appliesToProject } from "./project-glob.ts";
import type { PromptRule } from "./prompt-rules.ts";
import { needsAnswer, type ReactionRule } from "./reaction-rules.ts";
import type { Policy, ToolRule } from "./rule.ts";
import { NO_RULES, type Rules } from "./rules-file.ts";
import { toHookMatcher } from "./rules-matcher.ts";

/** All rules of a session: those the user set for it, its project's once trusted, and the user's own. */
export interface Layers {
  readonly user: Rules;
  /** Null: there are none, or they are not trusted. */
  readonly project: { readonly root: string; readonly rules: Rules } | null;
  readonly session: readonly ToolRule[];
}

export const NO_LAYERS: Layers = { user: NO_RULES, project: null, session: [] };

/** All rules in force in one project, nearest layer first. */
export interface JoinedRules {
  readonly policy: Policy;
  readonly prompts: readonly PromptRule[];
  readonly reactions: readonly ReactionRule[];
}

/** For a session in that project, or in none. Omits rules for other projects. */
export function joinLayers({ user, project, session }: Layers, projectPath: string | null): JoinedRules {
  const projectRules = project !== null && project.root === projectPath ? project.rules : NO_RULES;
  const applies = (rule: { readonly project: string | null }): boolean =>
    appliesToProject(rule.project, projectPath);
  return {
    policy: {
      rules: [...session, ...projectRules.tools, ...user.tools].filter(applies),
      protect: [...projectRules.protect, ...user.protect].filter(applies).map(({ glob }) => glob),
    },
    prompts: [...projectRules.prompts, ...user.prompts].filter(applies),
    reactions: [...projectRules.reactions, ...user.reactions].filter(applies),
  };
}

/** A hook that waits for the daemon's answer. */
export interface WaitingHook {
  readonly event: string;
  /** Matches tools, or sources at SessionStart; missing: all. */
  readonly matcher?: string;
  /** The total time that its rules may take. */
  readonly seconds: number;
}

const MAX_SECONDS = 600;
const PROMPT_SECONDS = 5;

/** The events whose rules can answer the session; all others need no waiting hook. */
export function waitingHooks(rules: Pick<Rules, "prompts" | "reactions">): WaitingHook[] {
  const waiting = rules.reactions
    .filter((rule) => needsAnswer(rule) && rule.on !== "needs_person")
    .map((rule) => ({ event: rule.on as string, matcher: matcherOf(rule), seconds: rule.timeoutSeconds }));
  if (rules.prompts.length > 0)
    waiting.push({ event: "UserPromptSubmit", matcher: null, seconds: PROMPT_SECONDS });
  return [...Map.groupBy(waiting, ({ event }) => event)].map(([event, group]) => {
    const matchers = group.map(({ matcher }) => matcher);
    const names = matchers.includes(null) ? [] : matchers.flatMap((matcher) => matcher!.split("|"));
    const seconds = Math.min(MAX_SECONDS, Math.ceil(group.reduce((sum, rule) => sum + rule.seconds, 0)));
    return { event, ...(names.length > 0 && { matcher: [...new Set(names)].join("|") }), seconds };
  });
}

function matcherOf({ on, match, when }: ReactionRule): string | null {
  if (on === "SessionStart") return when.source ?? null;
  return match === null ? null : toHookMatcher(match);
}
