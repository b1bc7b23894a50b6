import { rmSync } from "node:fs";
import { asObject } from "../../agents/read-json.ts";
import { isBusy } from "../../control/control-contract.ts";
import { followConfig } from "../../control/follow-config.ts";
import type { Judge } from "../../control/open-judge.ts";
import { foldSettledCards } from "../../control/settled-requests.ts";
import { abandonedEvent } from "../../control/terminal/card-events.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { DaemonStatus } from "../../serve/contract.ts";
import type { ControlPorts } from "../../serve/control-ports.ts";
import type { TerminalHookPorts } from "../../serve/terminal-hook-routes.ts";
import type { ControlRows } from "../../store/control-rows.ts";
import type { Base } from "../base.ts";
import type { Intake } from "../intake.ts";
import type { Recording } from "../recording.ts";
import type { Memory } from "../remembering/remembering.ts";
import type { Upkeep } from "../upkeep.ts";
import type { Monitor } from "../watching/watching.ts";
import { openDrivenRuntime } from "./open-driven.ts";
import { openReactions, type SteeringReactions } from "./open-reactions.ts";
import { openRules } from "./open-rules.ts";
import { openTerminal, type Terminal } from "./open-terminal.ts";
import { readSteeringStatus } from "./steering-status.ts";
import { createTerminalHooks } from "./terminal-hooks.ts";

/** The steering side of the daemon: policy, terminal answers, reactions and driven sessions, combined. */
export interface Steering {
  readonly ports: ControlPorts;
  readonly terminalHooks: TerminalHookPorts;
  status(): Promise<NonNullable<DaemonStatus["steering"]>>;
  /** Driven sessions that are open; `busyCount` counts those that would lose work if they ended now. */
  openCount(): number;
  busyCount(): number;
}

export interface SteeringParts {
  /** Port of the API; null if it is not served. */
  readonly port: number | null;
  readonly judge: Judge;
  readonly monitor: Monitor;
  readonly memory: Memory;
  readonly intake: Intake;
  readonly upkeep: Upkeep;
}

/** Holds of an earlier daemon may still be open for this long. */
const MAX_HOLD_MS = 3_600_000;
const MAX_RECENT_EVENTS = 2_000;
/** How long it is reported who answered a request. */
const SETTLED_RETENTION_MS = 7 * 24 * 3_600_000;

export async function startSteering(
  base: Base,
  recording: Recording,
  steeringParts: SteeringParts,
): Promise<Steering> {
  const { home, env, scope, nowMs, notice } = base;
  const { liveStore, projectOf } = recording;
  const { judge, monitor } = steeringParts;
  rmSync(home.guardNotices, { recursive: true, force: true });
  const config = followConfig(home, env, base.config);
  const control = <T>(work: (rows: ControlRows) => Promise<T>): Promise<T> =>
    liveStore.use((store) => work(store.control));
  const recent = (ms: number): Promise<HooklineEvent[]> =>
    control((rows) => rows.eventsSince(new Date(nowMs() - ms).toISOString(), MAX_RECENT_EVENTS));
  const record = (event: HooklineEvent): void =>
    void recording
      .record([event], { until: "store" })
      .catch((error: Error) => notice(`recording an answer failed: ${error.message}`));
  const onCards = (sessionId: string): void => monitor.ports.stream.publishCardsChanged(sessionId);

  const rules = openRules(base, recording, steeringParts.port);
  const driven = openDrivenRuntime(base, recording, { config, control, rules, judge, onCards });
  const { sessions } = driven;
  scope.defer(() => driven.close());
  await sessions.recovered;
  const lastHour = await recent(MAX_HOLD_MS);
  // No `await` from here on: events in between would reach no listener.
  const isDriven = (sessionId: string): boolean => sessions.isDriven(sessionId);
  const parts = { config, control, rules, judge, monitor, isDriven, record, onCards };
  const terminal = openTerminal(base, recording, parts);
  for (const event of abandonedHolds(lastHour, new Date(nowMs()).toISOString())) record(event);
  const reactions = openReactions(base, recording, { ...steeringParts, control, recent, rules });
  scope.defer(async () => {
    terminal.holds.close();
    await reactions.close();
  });
  listen(recording, monitor, terminal, reactions);
  const { holds } = terminal;
  return {
    ports: {
      driven: sessions,
      ...terminal.ports,
      findSettled: async (idStart) =>
        foldSettledCards(
          await control((rows) =>
            rows.requestEvents(idStart, new Date(nowMs() - SETTLED_RETENTION_MS).toISOString()),
          ),
        ),
      report: driven.report,
      trust: rules.trust,
      policy: {
        test: (request) => {
          const projectPath = request.projectPath ?? projectOf(request.cwd);
          return judge.judge(rules.policyOf(projectPath), { ...request, projectPath });
        },
      },
    },
    terminalHooks: createTerminalHooks(base, recording, { config, rules, terminal, reactions }),
    status: () => readSteeringStatus({ config, control, rules, driven: sessions, holds, monitor, nowMs }),
    openCount: () => sessions.list().filter(({ state }) => state !== "closed").length,
    busyCount: () => sessions.list().filter(isBusy).length,
  };
}

/** Connects steering to events of the other parts. */
function listen(
  { applied, unrecorded }: Recording,
  monitor: Monitor,
  { holds }: Terminal,
  reactions: SteeringReactions,
): void {
  applied.add(({ events }) => {
    reactions.onEvents(events);
    holds.onEvents(events);
  });
  unrecorded.add(holds.onUnrecorded);
  const onChange: Parameters<Monitor["onChange"]>[0] = (snapshot) => {
    reactions.sessionChanged(snapshot);
    holds.sessionChanged(snapshot);
  };
  monitor.onChange(onChange);
  // Sessions that were waiting before there was a listener.
  for (const snapshot of monitor.waiting()) onChange(snapshot);
}

/** A killed daemon recorded no end for the hooks it held: their terminals have decided since then. */
function abandonedHolds(events: readonly HooklineEvent[], atIso: string): HooklineEvent[] {
  const cards = events.filter(({ eventType }) => eventType === "control.card");
  const keyOf = ({ card }: HooklineEvent): unknown => asObject(card)["cardId"];
  const settled = new Set(cards.filter(({ phase }) => phase === "settled").map(keyOf));
  return (
    cards
      // A private or forgotten turn has nothing left to end.
      .filter(
        (event) => event.phase === "asked" && typeof keyOf(event) === "string" && !settled.has(keyOf(event)),
      )
      .map((event) => abandonedEvent(event, atIso))
  );
}
