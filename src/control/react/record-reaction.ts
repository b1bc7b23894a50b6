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
  trigger: ReactionTrigger,
  failure: string | null,
) => Promise<void>;

/** A failure that repeats is reported once per interval; the log has all of them. */
const NOTICE_INTERVAL_MS = 60_000;

export function createReactionRecorder({ record, notice, nowMs }: RecordOptions): RecordReaction {
  const noticedAtMs = new Map<string, number>();
  const noticeOnce = (rule: ReactionRule, message: string): void => {
    if (nowMs() - (noticedAtMs.get(rule.id) ?? -Infinity) < NOTICE_INTERVAL_MS) return;
    noticedAtMs.set(rule.id, nowMs());
    notice(message);
  };
  return async (rule, trigger, failure) => {
    const message = failure === null ? null : redactText(failure);
    if (message !== null) noticeOnce(rule, `reaction ${rule.id} at ${trigger.on}: ${message}`);
    const { sessionId, projectPath, cwd, id } = trigger;
    const base = { sessionId, projectPath, cwd, occurredAtIso: new Date(nowMs()).toISOString() };
    const reaction = { rule: rule.id, eventId: id, action: rule.do.type, ok: failure === null, message };
    await record([controlReactionEvent(base, reaction)]).catch(() =>
      notice(`that reaction ${rule.id} ran could not be written down`),
    );
  };
}
