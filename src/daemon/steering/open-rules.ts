import type { HookAsk } from "../../agents/answer-format.ts";
import { claude } from "../../agents/claude/claude.ts";
import { type FollowedRules, followRules, type RulesError } from "../../control/follow-rules.ts";
import { openTrust, type Trust } from "../../control/trust/trust.ts";
import type { Policy } from "../../policy/rule.ts";
import type { Base } from "../base.ts";
import type { Recording } from "../recording.ts";

/** The rules in force, and whose rules are trusted. */
export interface SteeringRules extends Pick<FollowedRules, "joined" | "prepare"> {
  readonly trust: Trust;
  policyOf(projectPath: string | null): Policy;
  /** Before a hook is answered: resolves when trust in its project's rules is known. */
  prepareFor(ask: HookAsk | null): Promise<void>;
  /** Problems in the rules, as text. */
  errors(): string[];
}

export function openRules(
  { home, env, nowMs, notice }: Base,
  { projectOf }: Recording,
  port: number | null,
): SteeringRules {
  const trust = openTrust({ file: home.trust, nowMs, driving: claude.driving, env });
  const rules = followRules({
    userFile: home.rules,
    trustFile: home.trust,
    isTrusted: async (root) => (await trust.read(root)).trusted,
    onError: (error) => notice(rulesErrorText(error)),
  });
  return {
    trust,
    joined: rules.joined,
    prepare: rules.prepare,
    // Agents stay out of our own home and port, wherever those are.
    policyOf: (projectPath) => ({
      ...rules.joined(projectPath).policy,
      own: { dir: home.dir, port, pid: process.pid },
    }),
    async prepareFor(ask) {
      const cwd = ask?.cwd ?? null;
      if (cwd === null) return;
      // The judge reports a folder that cannot be inspected.
      await Promise.resolve(cwd)
        .then(projectOf)
        .then(rules.prepare)
        .catch(() => undefined);
    },
    errors() {
      // Checks a file that was not used yet.
      rules.joined(null);
      return rules.errors().map(rulesErrorText);
    },
  };
}

function rulesErrorText({ file, problems, previousInForce }: RulesError): string {
  const [first] = problems;
  const where = first === undefined ? "" : `, line ${first.line}: ${first.message}`;
  return `${file} was not loaded${where}; ${previousInForce ? "the previous rules stay active" : "none of its rules is active"}`;
}
