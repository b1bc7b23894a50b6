import type { MayRecord } from "../../capture/recording-rules.ts";
import { controlReactionEvent } from "../../event/control-events.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { ReactionRule } from "../../policy/reaction-rules.ts";
import { redactText } from "../../privacy/redact.ts";
import type { Occasion } from "./occasion.ts";

export interface RecordOptions {
  /** Whether anything of there is recorded now. */
  readonly mayRecord: MayRecord;
  /** Writes events into the log and the database. */
  readonly note: (events: readonly HooklineEvent[]) => Promise<void>;
  /** Tells a person. */
  readonly notice: (message: string) => void;
  readonly nowMs: () => number;
}

/** What was done is written down, and what went wrong is said. Never rejects. */
export type RecordReaction = (
  rule: ReactionRule,
  occasion: Occasion,
  failure: string | null,
) => Promise<void>;

/** What fails at every call is said once in so long; the log has each. */
const TELL_AGAIN_MS = 60_000;

export function createReactionRecord({ note, notice, nowMs }: RecordOptions): RecordReaction {
  const toldAtMs = new Map<string, number>();
  const tell = (rule: ReactionRule, message: string): void => {
    if (nowMs() - (toldAtMs.get(rule.id) ?? -Infinity) < TELL_AGAIN_MS) return;
    toldAtMs.set(rule.id, nowMs());
    notice(message);
  };
  return async (rule, occasion, failure) => {
    const message = failure === null ? null : redactText(failure);
    if (message !== null) tell(rule, `reaction ${rule.id} at ${occasion.on}: ${message}`);
    const { sessionId, projectPath, cwd, id } = occasion;
    const base = { sessionId, projectPath, cwd, occurredAtIso: new Date(nowMs()).toISOString() };
    const done = { rule: rule.id, eventId: id, action: rule.do.type, ok: failure === null, message };
    await note([controlReactionEvent(base, done)]).catch(() =>
      notice(`that reaction ${rule.id} ran could not be written down`),
    );
  };
}
