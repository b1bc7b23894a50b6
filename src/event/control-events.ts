import type { HooklineEvent, Origin } from "./event.ts";
import { factId } from "./ids.ts";

/**
 * What control writes into the log: envelopes of driven sessions, verdicts for terminals, cards that waited
 * for a person, reactions that ran. Independent facts; from envelopes the monitor reads only who waits.
 */

interface ControlEventBase {
  readonly sessionId: string;
  readonly projectPath: string | null;
  readonly cwd: string | null;
  readonly occurredAtIso: string;
}

/** One envelope of a driven session. `phase` is its type, `seq` its position. */
export function controlEnvelopeEvent(
  base: ControlEventBase,
  envelope: Readonly<Record<string, unknown>> & { readonly type: string; readonly seq: number },
): HooklineEvent {
  const id = factId("control.envelope", base.sessionId, String(envelope.seq));
  const { toolUseId } = envelope;
  return {
    ...stamp(base),
    id,
    eventType: "control.envelope",
    phase: envelope.type,
    ...(typeof toolUseId === "string" && { toolUseId }),
    envelope: { ...envelope },
  };
}

/** What the guard answered a terminal session about a call or a prompt. */
export function controlVerdictEvent(
  base: ControlEventBase,
  verdict: {
    readonly key: string;
    readonly hookEvent: string;
    readonly toolName: string | null;
    readonly toolUseId: string | null;
    /** The agent that made the call. */
    readonly agent: string;
    /** For a permission request, which names no call. */
    readonly requestId?: string | null;
    readonly verdict: string;
    readonly rule: string;
    readonly reason: string;
  },
): HooklineEvent {
  const { key, toolUseId, agent, requestId = null, ...rest } = verdict;
  const details = { ...rest, ...(requestId !== null && { requestId }) };
  const id = factId("control.verdict", base.sessionId, key);
  return {
    ...stamp(base),
    id,
    eventType: "control.verdict",
    ...(toolUseId !== null && { toolUseId }),
    // Verdicts written before agents were distinguished are all about Claude's calls.
    ...(agent !== "claude" && { agent }),
    told: details,
  };
}

/**
 * A terminal session's request that was offered to a person elsewhere: `asked`, then `settled`, each once;
 * `overruled` if the terminal turns out to have answered first.
 */
export function controlCardEvent(
  base: ControlEventBase,
  phase: "asked" | "settled" | "overruled",
  card: Readonly<Record<string, unknown>> & { readonly cardId: string },
): HooklineEvent {
  const id = factId("control.card", card.cardId, phase);
  return { ...stamp(base), id, eventType: "control.card", phase, card: { ...card } };
}

/** A reaction that ran for an event: once written, it does not run again for that event. */
export function controlReactionEvent(
  base: ControlEventBase,
  reaction: {
    readonly rule: string;
    readonly eventId: string;
    readonly action: string;
    readonly ok: boolean;
    readonly message: string | null;
  },
): HooklineEvent {
  const id = factId("control.reaction", reaction.rule, reaction.eventId);
  return { ...stamp(base), id, eventType: "control.reaction", reaction: { ...reaction } };
}

function stamp({ sessionId, projectPath, cwd, occurredAtIso }: ControlEventBase) {
  const origin: Origin = "watch";
  return { v: 1, occurredAtIso, sessionId, provider: "hookline", projectPath, cwd, origin };
}
