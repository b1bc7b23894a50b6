import type { HookAsk } from "../../agents/answer-format.ts";
import { claude } from "../../agents/claude/claude.ts";
import { type FollowedRules, followRules, type RulesTrouble } from "../../control/follow-rules.ts";
import { openTrust, type Trust } from "../../control/trust/trust.ts";
import type { Policy } from "../../policy/rule.ts";
import type { Base } from "../base.ts";
import type { Recording } from "../recording.ts";

/** The rules in force, and whose rules are trusted. */
export interface SteeringRules extends Pick<FollowedRules, "joined" | "prepare"> {
  readonly trust: Trust;
  policyOf(projectPath: string | null): Policy;
  /** Before a hook is answered: whether the rules of its project are trusted is known. */
  prepareFor(ask: HookAsk | null): Promise<void>;
  /** What is wrong with them, in words. */
  troubles(): string[];
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
    onTrouble: (trouble) => notice(tellTrouble(trouble)),
  });
  return {
    trust,
    joined: rules.joined,
    prepare: rules.prepare,
    // Wherever our own home lies and we listen, agents stay out of it.
    policyOf: (projectPath) => ({
      ...rules.joined(projectPath).policy,
      own: { dir: home.dir, port, pid: process.pid },
    }),
    async prepareFor(ask) {
      const cwd = ask?.cwd ?? null;
      if (cwd === null) return;
      // A folder that cannot be looked at is told of by who judges.
      await Promise.resolve(cwd)
        .then(projectOf)
        .then(rules.prepare)
        .catch(() => undefined);
    },
    troubles() {
      // A file that nobody asked about yet is looked at now.
      rules.joined(null);
      return rules.troubles().map(tellTrouble);
    },
  };
}

function tellTrouble({ file, problems, holdsOn }: RulesTrouble): string {
  const [first] = problems;
  const where = first === undefined ? "" : `, line ${first.line}: ${first.message}`;
  return `${file} is not taken${where}; ${holdsOn ? "what it said before holds on" : "none of its rules holds"}`;
}
