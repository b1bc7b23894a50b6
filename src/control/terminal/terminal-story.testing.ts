import { claude } from "../../agents/claude/claude.ts";
import { redactEvent } from "../../capture/redact-event.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { statusEvent } from "../../monitor/decide-evidence.ts";
import { foldEvent } from "../../monitor/fold-event.ts";
import { foldUnrecorded } from "../../monitor/fold-unrecorded.ts";
import { readSession } from "../../monitor/read-session.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { createSessionView, type SessionView } from "../../monitor/session-view.ts";
import { withoutContent } from "../../privacy/private-event.ts";
import type { Card } from "../control-contract.ts";
import { createHolds } from "./hold-requests.ts";
import type { Holds } from "./holds.ts";
import { createViewers } from "./viewers.ts";

export type Payload = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly id: string;
  /** What its hook printed: undefined while it waits, null for nothing. */
  output?: object | null;
  /** No or Esc: Claude Code kills the hook. */
  abort(): void;
}

export interface StoryOptions {
  readonly holdMs?: number;
  readonly headless?: boolean;
  readonly mayRecord?: () => boolean;
  readonly isOn?: () => boolean;
}

/** Terminal sessions, their monitor and the holds, wired as in the daemon, with fake time. */
export function openTerminalStory(options: StoryOptions = {}) {
  const views = new Map<string, SessionView>();
  const recordedEvents: HooklineEvent[] = [];
  const changes: Card[] = [];
  const viewers = createViewers(Date.now);
  let deliveries = 0;

  const viewOf = (sessionId: string): SessionView => {
    const view = views.get(sessionId) ?? createSessionView(sessionId, claude.usage);
    views.set(sessionId, view);
    return view;
  };
  const session = (sessionId: string): SessionSnapshot =>
    readSession(viewOf(sessionId), { nowMs: Date.now(), quietMs: 0 });
  const recordedIds = new Set<string>();
  /** Requests of private turns. */
  const privateIds = new Set<string>();
  const apply = (events: readonly HooklineEvent[]): void => {
    for (const event of events) {
      recordedIds.add(event.id);
      foldEvent(viewOf(event.sessionId), event);
    }
    holds.onEvents(events);
    for (const sessionId of new Set(events.map((event) => event.sessionId)))
      holds.sessionChanged(session(sessionId));
  };
  const applyUnrecorded = (events: readonly HooklineEvent[]): void => {
    for (const event of events) {
      foldUnrecorded(viewOf(event.sessionId), event, { ended: new Map(), status: null });
      holds.sessionChanged(session(event.sessionId));
    }
  };
  let holdMs = options.holdMs ?? 120_000;
  const openHolds = (): Holds =>
    createHolds({
      isOn: options.isOn ?? (() => true),
      get holdMs() {
        return holdMs;
      },
      headless: options.headless ?? false,
      nowMs: Date.now,
      projectOf: (cwd) => cwd,
      isDriven: (sessionId) => sessionId === "driven",
      viewers,
      session,
      isRecorded: async (id) => recordedIds.has(id),
      mayRecord: options.mayRecord ?? (() => true),
      record: (event) => {
        if (options.mayRecord?.() === false) {
          applyUnrecorded([event]);
          return;
        }
        recordedEvents.push(event);
        // Arrives through the log, a moment later.
        const { cardId } = event["card"] as { cardId: string };
        const redact = privateIds.has(cardId) ? withoutContent : redactEvent;
        queueMicrotask(() => apply([redact(event)]));
      },
      onChange: (card) => changes.push(card),
    });
  let holds = openHolds();

  /** The events that the log has for a payload. */
  const toEvents = (payload: Payload): HooklineEvent[] => {
    const nowMs = Date.now();
    const delivery = {
      payload,
      occurredAtIso: new Date(nowMs).toISOString(),
      env: {},
      pid: 4711,
      name: `4711-${++deliveries}-0`,
      timeNs: String(nowMs * 1_000_000 + deliveries),
      contentHash: () => "",
    };
    return claude.translateHook(delivery, (cwd) => cwd).map(redactEvent);
  };

  return {
    recordedEvents,
    changes,
    viewers,
    session,
    apply,
    toEvents,
    get holds() {
      return holds;
    },
    receive: (payload: Payload) => apply(toEvents(payload)),
    /** As if recording were paused. */
    receiveUnrecorded: (payload: Payload) => applyUnrecorded(toEvents(payload)),
    /** As if its prompt were wholly private. */
    receivePrivate: (payload: Payload) => apply(toEvents(payload).map(withoutContent)),
    registry(sessionId: string, status: "busy" | "idle" | "waiting") {
      const entry = {
        pid: 4711,
        status,
        statusUpdatedAtMs: Date.now(),
        waitingFor: null,
        cwd: null,
        provider: claude.id,
        attended: true,
        name: null,
      };
      apply([statusEvent(sessionId, entry as unknown as Parameters<typeof statusEvent>[1], null, null)]);
    },
    ask(payload: Payload, { attended = true as boolean | null, isPrivate = false } = {}): Asked {
      const events = isPrivate ? toEvents(payload).map(withoutContent) : toEvents(payload);
      const id = events.find(({ eventType }) => eventType === "permission")?.id ?? "none";
      if (isPrivate) privateIds.add(id);
      const hook = new AbortController();
      const asked: Asked = { id, abort: () => hook.abort() };
      const { read, write, events: moments } = claude.answers;
      holds.hold(read(payload), { requestId: id, attended, signal: hook.signal }).then((reply) => {
        asked.output = reply && write(moments.permission, reply);
      });
      apply(events);
      return asked;
    },
    /** The daemon is killed and restarted: hooks are gone, and recorded events are replayed. */
    restart(asked: readonly Asked[]) {
      holds.close();
      for (const request of asked) if (request.output === undefined) request.output = null;
      holds = openHolds();
    },
    holdFor: (ms: number) => {
      holdMs = ms;
    },
    ids: () => holds.cards().map(({ id }) => id),
    pending: () => holds.cards().flatMap(({ id, status }) => (status === "pending" ? [id] : [])),
    waiting: (sessionId: string) => session(sessionId).requests.map(({ requestId }) => requestId),
    close: () => holds.close(),
  };
}
