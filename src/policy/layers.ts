import { inProject } from "./project-glob.ts";
import type { PromptRule } from "./prompt-rules.ts";
import { needsAnswer, type ReactionRule } from "./reaction-rules.ts";
import type { Policy, ToolRule } from "./rule.ts";
import { NO_RULES, type Rules } from "./rules-file.ts";
import { hookMatcher } from "./rules-match.ts";

/** All that holds for a session: what its person said for it, what its project says once trusted, the user's own. */
export interface Layers {
  readonly user: Rules;
  /** Null: there is none, or nobody trusts it. */
  readonly project: { readonly root: string; readonly rules: Rules } | null;
  readonly session: readonly ToolRule[];
}

export const NO_LAYERS: Layers = { user: NO_RULES, project: null, session: [] };

/** Everything that holds in one project, the nearest layer first. */
export interface JoinedRules {
  readonly policy: Policy;
  readonly prompts: readonly PromptRule[];
  readonly reactions: readonly ReactionRule[];
}

/** For a session in that project, or in none. Rules for other projects are left out. */
export function joinLayers({ user, project, session }: Layers, projectPath: string | null): JoinedRules {
  const own = project !== null && project.root === projectPath ? project.rules : NO_RULES;
  const isMeant = (rule: { readonly project: string | null }): boolean =>
    inProject(rule.project, projectPath);
  return {
    policy: {
      rules: [...session, ...own.tools, ...user.tools].filter(isMeant),
      protect: [...own.protect, ...user.protect].filter(isMeant).map(({ glob }) => glob),
    },
    prompts: [...own.prompts, ...user.prompts].filter(isMeant),
    reactions: [...own.reactions, ...user.reactions].filter(isMeant),
  };
}

/** A hook that must ask and wait. */
export interface AnsweringEvent {
  readonly event: string;
  /** Of tools, or at SessionStart of sources; missing: all. */
  readonly matcher?: string;
  /** What its rules may take together. */
  readonly seconds: number;
}

const MOST_SECONDS = 600;
const PROMPT_SECONDS = 5;

/** The events whose rules have something to say to the session; all others need no hook that waits. */
export function answeringEvents(rules: Pick<Rules, "prompts" | "reactions">): AnsweringEvent[] {
  const asked = rules.reactions
    .filter((rule) => needsAnswer(rule) && rule.on !== "needs_person")
    .map((rule) => ({ event: rule.on as string, matcher: matcherOf(rule), seconds: rule.timeoutSeconds }));
  if (rules.prompts.length > 0)
    asked.push({ event: "UserPromptSubmit", matcher: null, seconds: PROMPT_SECONDS });
  return [...Map.groupBy(asked, ({ event }) => event)].map(([event, group]) => {
    const matchers = group.map(({ matcher }) => matcher);
    const names = matchers.includes(null) ? [] : matchers.flatMap((matcher) => matcher!.split("|"));
    const seconds = Math.min(MOST_SECONDS, Math.ceil(group.reduce((sum, rule) => sum + rule.seconds, 0)));
    return { event, ...(names.length > 0 && { matcher: [...new Set(names)].join("|") }), seconds };
  });
}

function matcherOf({ on, match, when }: ReactionRule): string | null {
  if (on === "SessionStart") return when.source ?? null;
  return match === null ? null : hookMatcher(match);
}
