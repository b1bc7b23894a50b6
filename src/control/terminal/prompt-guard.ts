import type { HookAsk, HookReply } from "../../agents/answer-format.ts";
import type { PromptReader } from "../../agents/prompt-reader.ts";
import type { MayRecord } from "../../capture/recording-rules.ts";
import { controlVerdictEvent } from "../../event/control-events.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { wrapInContextTag } from "../../memory/inject/wrap-context.ts";
import { judgePrompt, type PromptRule } from "../../policy/prompt-rules.ts";

export interface PromptGuardOptions {
  readonly rules: (place: {
    readonly projectPath: string | null;
    readonly cwd: string;
  }) => readonly PromptRule[];
  readonly isDriven: (sessionId: string) => boolean;
  readonly prompts: Pick<PromptReader, "authorOf">;
  readonly projectOf: (cwd: string | null) => string | null;
  readonly mayRecord: MayRecord;
  readonly record: (event: HooklineEvent) => void;
  readonly nowMs: () => number;
}

/** The reply to a prompt by the rules about prompts; null: none. */
export type PromptGuard = (ask: HookAsk | null) => HookReply | null;

export function createPromptGuard(options: PromptGuardOptions): PromptGuard {
  let count = 0;
  return (ask) => {
    if (ask?.moment !== "prompt") return null;
    const { event: hookEvent, sessionId, prompt, promptId, cwd } = ask;
    if (prompt === null || cwd === null) return null;
    // The text that the agent shows for a command may contain the user's own words.
    const author = options.prompts.authorOf(prompt);
    if (author === "machine" || author === "reminder" || options.isDriven(sessionId)) return null;
    const projectPath = options.projectOf(cwd);
    const verdict = judgePrompt(options.rules({ projectPath, cwd }), { prompt, projectPath });
    if (verdict === null) return null;

    const occurredAtIso = new Date(options.nowMs()).toISOString();
    if (options.mayRecord({ projectPath, cwd, occurredAtIso })) {
      const key = `${hookEvent} ${promptId ?? `${occurredAtIso} ${++count}`}`;
      const reason = verdict.type === "context" ? "Context was added for the model." : verdict.reason;
      const { type, rule } = verdict;
      const call = { key, hookEvent, toolName: null, toolUseId: null, agent: ask.provider };
      options.record(
        controlVerdictEvent(
          { sessionId, projectPath, cwd, occurredAtIso },
          { ...call, verdict: type, rule, reason },
        ),
      );
    }
    switch (verdict.type) {
      case "block":
        return block(`Hookline: ${verdict.reason} [${verdict.rule}]`);
      case "filter":
        return block(
          `Hookline: ${verdict.reason} [${verdict.rule}]\nYou can send this instead:\n\n${verdict.prompt}`,
        );
      case "context":
        return { context: wrapInContextTag(verdict.text) };
      default:
        return verdict satisfies never;
    }
  };
}

/**
 * A hook cannot change a prompt, so one that must be filtered is blocked, and the user is shown what may be
 * sent. The text stays out of the transcript; in a terminal it stays in the input box for editing.
 */
function block(reason: string): HookReply {
  return { block: { reason, hidesPrompt: true } };
}
