import type { MayRecord } from "../../capture/recording-rules.ts";
import { controlReactionEvent } from "../../event/control-events.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { ReactionRule } from "../../policy/reaction-rules.ts";
import { redactText } from "../../privacy/redact.ts";
import type { ReactionTrigger } from "./reaction-trigger.ts";

export interface RecordOptions {
  /** Whether that location is currently recorded. */
  readonly mayRecord: MayRecord;
  /** Writes events to the log and the database. */
  readonly record: (events: readonly HooklineEvent[]) => Promise<void>;
  /** Shows a message to the user. */
  readonly notice: (message: string) => void;
  readonly nowMs: () => number;
}

/** Records what was done and reports failures. Never rejects. */
export type RecordReaction = (
  rule: ReactionRule,
  occasion: ReactionTrigger,
  failure: string | null,
) => Promise<void>;

/** A failure that repeats is reported once per interval; the log has all of them. */
const NOTICE_INTERVAL_MS = 60_000;

export function createReactionRecorder({ record, notice, nowMs }: RecordOptions): RecordReaction {
  const toldAtMs = new Map<string, number>();
  const tell = (rule: ReactionRule, message: string): void => {
    if (nowMs() - (toldAtMs.get(rule.id) ?? -Infinity) < NOTICE_INTERVAL_MS) return;
    toldAtMs.set(rule.id, nowMs());
    notice(message);
  };
  return async (rule, occasion, failure) => {
    const message = failure === null ? null : redactText(failure);
    if (message !== null) tell(rule, `reaction ${rule.id} at ${occasion.on}: ${message}`);
    const { sessionId, projectPath, cwd, id } = occasion;
    const base = { sessionId, projectPath, cwd, occurredAtIso: new Date(nowMs()).toISOString() };
    const done = { rule: rule.id, eventId: id, action: rule.do.type, ok: failure === null, message };
    await record([controlReactionEvent(base, done)]).catch(() =>
      notice(`that reaction ${rule.id} ran could not be written down`),
    );
  };
}
