import { AppError } from "../../app-error.ts";
import type { MayRecord } from "../../capture/recording-rules.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { SeenEntry } from "../../monitor/watch-registry.ts";
import type { Card, CardAnswer } from "../control-contract.ts";
import type { SettledBy } from "../envelope.ts";
import { allowOutput, giveAnswer } from "./card-answer.ts";
import { endOf, inputInLog } from "./card-ends.ts";
import { createAllowances } from "./card-exact.ts";
import { createDenials } from "./card-overruled.ts";
import { readRequest, type TerminalRequest, toCard } from "./card-request.ts";
import { askedEvent, overruledEvent, settledEvent, whySettled } from "./card-told.ts";

/**
 * Requests of terminal sessions, held open beside the terminal's own dialog: the first answer wins. Each is settled
 * exactly once, and never held longer than it may.
 */
export interface Holds {
  /** The hook's JSON when somebody answers; null when the terminal is to decide alone. */
  hold(payload: unknown, how: HoldHow): Promise<object | null>;
  answer(cardId: string, answer: CardAnswer): Card;
  /** Those that wait, the oldest first; with `settled`, also those that were settled a while ago. */
  cards(options?: { readonly settled?: boolean }): readonly Card[];
  get(cardId: string): Card | undefined;
  /** What the log has just taken: calls that ran, turns and sessions that ended. */
  told(events: readonly HooklineEvent[]): void;
  /** The agent's registry as it is now. */
  entries(entries: readonly SeenEntry[]): void;
  /** Gives everything back to the terminals. */
  close(): void;
}

export interface HoldHow {
  /** False for a run without a person (`claude -p`). */
  readonly attended: boolean | null;
  /** Aborted when the hook is gone: No, Esc, or the end of its process. */
  readonly signal: AbortSignal;
  /** Of the rule that had it asked, where one did. */
  readonly reason?: string | null;
  readonly rule?: string | null;
}

export interface HoldOptions {
  readonly holdMs: number;
  readonly nowMs: () => number;
  readonly newId: () => string;
  readonly projectOf: (cwd: string | null) => string | null;
  readonly isDriven: (sessionId: string) => boolean;
  /** Whether somebody looks at the cards: only then may one be held that the terminal cannot answer meanwhile. */
  readonly isWatched: () => boolean;
  readonly mayRecord: MayRecord;
  /** Writes into the log. */
  readonly note: (event: HooklineEvent) => void;
  readonly onChange: (card: Card) => void;
}

interface Held {
  card: Card;
  readonly request: TerminalRequest;
  readonly input: string;
  /** No dialog is shown while it is held. */
  readonly isBlocking: boolean;
  readonly sinceMs: number;
  /** The registry has named its session. */
  isListed: boolean;
  release(output: object | null): void;
}

const KEPT_MS = 10 * 60_000;
const MOST_KEPT = 200;
const LOOK_MS = 1_000;
const LEEWAY_MS = 500;

export function createHolds(options: HoldOptions): Holds {
  const { nowMs } = options;
  const pending = new Map<string, Held>();
  /** Settled, with the command that did it: the same command again gets the same answer. */
  const settled = new Map<string, { readonly card: Card; readonly commandId: string | undefined }>();
  const allowances = createAllowances();
  const denials = createDenials();
  let registry: readonly SeenEntry[] = [];
  let isClosed = false;

  const settle = (
    held: Held,
    by: SettledBy,
    given: { outcome: string; output: object; answer?: CardAnswer } | null,
  ): Card => {
    const { answer } = given ?? {};
    const how = {
      outcome: given?.outcome ?? "withdrawn",
      by,
      who: answer?.who ?? null,
      rule: by === "rule" ? EXACT : null,
      atIso: new Date(nowMs()).toISOString(),
    };
    held.card = { ...held.card, status: "settled", settled: how };
    pending.delete(held.card.id);
    settled.set(held.card.id, { card: held.card, commandId: answer?.commandId });
    held.release(given?.output ?? null);
    note(held, how.atIso, () => settledEvent(held.card, held.request.promptId, answer));
    if (how.outcome === "deny") denials.add({ ...held, promptId: held.request.promptId });
    options.onChange(held.card);
    return held.card;
  };

  const overrule = (event: HooklineEvent): boolean => {
    const denied = denials.overruledBy(event);
    if (denied === undefined) return false;
    const how = {
      outcome: "withdrawn",
      by: "terminal",
      who: null,
      rule: null,
      atIso: event.occurredAtIso,
    } as const;
    const card = { ...denied.card, settled: how };
    if (settled.has(card.id)) settled.set(card.id, { card, commandId: undefined });
    note({ card }, how.atIso, () => overruledEvent(card, denied.promptId));
    options.onChange(card);
    return true;
  };

  /** What nothing may be recorded of leaves no word either. */
  const note = ({ card }: Pick<Held, "card">, occurredAtIso: string, event: () => HooklineEvent): void => {
    const { projectPath, cwd } = card;
    if (options.mayRecord({ projectPath, cwd, occurredAtIso })) options.note(event());
  };

  const withdraw = (fits: (held: Held) => SettledBy | null, most = Number.POSITIVE_INFINITY): void => {
    const found = [...pending.values()].flatMap((held) => {
      const by = fits(held);
      return by === null ? [] : [{ held, by }];
    });
    for (const { held, by } of found.slice(0, most)) settle(held, by, null);
  };

  const forgetOld = (): void => {
    const from = new Date(nowMs() - KEPT_MS).toISOString();
    for (const [id, { card }] of settled)
      if (settled.size > MOST_KEPT || card.settled!.atIso < from) settled.delete(id);
  };

  const ask = (request: TerminalRequest, how: HoldHow, isBlocking: boolean): Promise<object | null> =>
    new Promise((resolve) => {
      const sinceMs = nowMs();
      const untilMs = sinceMs + options.holdMs;
      const projectPath = options.projectOf(request.cwd);
      const { reason = null, rule = null } = how;
      const end = (by: SettledBy) => () => void settle(held, by, null);
      // A hook that waits as long as we do may give up a moment earlier.
      const onAbort = () => end(untilMs - nowMs() < LEEWAY_MS ? "timeout" : "terminal")();
      const timer = setTimeout(end("timeout"), options.holdMs);
      const looking = isBlocking
        ? setInterval(() => {
            if (!options.isWatched()) settle(held, "cancelled", null);
          }, LOOK_MS)
        : undefined;
      const held: Held = {
        card: toCard(request, { id: options.newId(), projectPath, reason, rule, sinceMs, untilMs }),
        request,
        input: inputInLog(request),
        isBlocking,
        sinceMs,
        isListed: registry.some((entry) => isOf(entry, request.sessionId)),
        release(output) {
          clearTimeout(timer);
          clearInterval(looking);
          how.signal.removeEventListener("abort", onAbort);
          resolve(output);
        },
      };
      forgetOld();
      pending.set(held.card.id, held);
      how.signal.addEventListener("abort", onAbort, { once: true });
      note(held, held.card.sinceIso, () => askedEvent(held.card, request.promptId));
      if (allowances.has(request)) settle(held, "rule", { outcome: "allow", output: allowOutput() });
      else options.onChange(held.card);
    });

  /** The registry says `waiting` while the dialog is open; whatever it says next, somebody has answered. */
  const leftDialog = (held: Held): SettledBy | null => {
    const mine = registry.filter((entry) => isOf(entry, held.request.sessionId));
    if (mine.length === 0) return held.isListed ? "ended" : null;
    held.isListed = true;
    if (held.isBlocking) return null;
    const hasLeft = mine.every(
      ({ status, statusUpdatedAtMs }) =>
        (status === "busy" || status === "idle") && (statusUpdatedAtMs ?? 0) > held.sinceMs,
    );
    return hasLeft ? "terminal" : null;
  };

  return {
    async hold(payload, how) {
      const request = readRequest(payload);
      if (isClosed || request === null || how.signal.aborted || options.isDriven(request.sessionId))
        return null;
      const isBlocking = request.agentId !== null || how.attended === false;
      if (isBlocking && !options.isWatched() && !allowances.has(request)) return null;
      return ask(request, how, isBlocking);
    },
    answer(cardId, answer) {
      const held = pending.get(cardId);
      const done = settled.get(cardId);
      if (done?.commandId !== undefined && done.commandId === answer.commandId) return done.card;
      if (done !== undefined) throw new AppError("not_pending", whySettled(done.card));
      if (held === undefined) throw new AppError("card_unknown", `There is no card ${cardId}.`);
      const given = giveAnswer(held.card, answer);
      if (given.outcome === "allowAll" && answer.scope !== "tool") allowances.allow(held.request);
      return settle(held, "user", { ...given, answer });
    },
    cards({ settled: withSettled = false } = {}) {
      forgetOld();
      const open = [...pending.values()].map(({ card }) => card);
      return withSettled ? [...open, ...[...settled.values()].map(({ card }) => card)] : open;
    },
    get: (cardId) => pending.get(cardId)?.card ?? settled.get(cardId)?.card,
    told(events) {
      for (const event of events) {
        if (overrule(event)) continue;
        // Requests do not name their calls: one that ended answers one of those that look like it.
        const most = event.eventType === "tool_observation" ? 1 : undefined;
        withdraw(({ card, request, input }) => endOf(card, request.promptId, input, event), most);
        if (event.eventType === "session.lifecycle" && event.phase === "ended")
          allowances.forget(event.sessionId);
      }
    },
    entries(entries) {
      registry = entries;
      withdraw(leftDialog);
    },
    close() {
      isClosed = true;
      withdraw(() => "stopped");
    },
  };
}

const EXACT = "session: allowed exactly";

function isOf({ sessionId, alive }: SeenEntry, wanted: string): boolean {
  return sessionId === wanted && alive !== false;
}
