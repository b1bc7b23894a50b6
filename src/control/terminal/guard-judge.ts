import type { Verdict } from "../../policy/request.ts";
import type { Policy } from "../../policy/rule.ts";
import type { Judge } from "../open-judge.ts";
import type { GuardedCall } from "./guard-call.ts";

export interface CallJudgeOptions {
  readonly policy: (place: { readonly projectPath: string | null; readonly cwd: string }) => Policy;
  readonly judge: Judge["judge"];
  /** Folders that count as inside; the project's by default. */
  readonly workspaceOf?: (cwd: string) => readonly string[];
}

export interface CallJudge {
  judge(call: GuardedCall): Promise<Verdict>;
  /** The rule that changes the input: the verdict names the one that judged the changed input. */
  findRewriteRule(call: GuardedCall): Promise<Pick<Verdict, "rule" | "reason">>;
}

/** Judges calls of terminal sessions by the policy of their location. */
export function createCallJudge(options: CallJudgeOptions): CallJudge {
  const policyOf = ({ request: { projectPath, cwd } }: GuardedCall): Policy =>
    options.policy({ projectPath, cwd });
  const judgeBy = ({ request }: GuardedCall, policy: Policy): Promise<Verdict> => {
    const { projectPath, cwd } = request;
    const workspace = options.workspaceOf?.(cwd) ?? [projectPath ?? cwd, cwd];
    return options.judge(policy, { ...request, workspace });
  };
  return {
    judge: (call) => judgeBy(call, policyOf(call)),
    async findRewriteRule(call) {
      for (const rule of policyOf(call).rules) {
        if (rule.then !== "rewrite") continue;
        const { updatedInput } = await judgeBy(call, { rules: [rule], protect: [] });
        if (updatedInput !== undefined) return { rule: rule.id, reason: rule.reason ?? DEFAULT_REASON };
      }
      return { rule: "", reason: DEFAULT_REASON };
    },
  };
}

const DEFAULT_REASON = "A rule changed the input.";
