import { rmSync } from "node:fs";
import { asObject } from "../../agents/read-json.ts";
import { isAtWork } from "../../control/control-contract.ts";
import { followConfig } from "../../control/follow-config.ts";
import type { Judge } from "../../control/open-judge.ts";
import { foldSettled } from "../../control/settled-requests.ts";
import { abandonedEvent } from "../../control/terminal/card-told.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { DaemonStatus } from "../../serve/contract.ts";
import type { ControlPorts } from "../../serve/control-ports.ts";
import type { SteerAskPorts } from "../../serve/steer-ask-routes.ts";
import type { ControlRows } from "../../store/control-rows.ts";
import type { Base } from "../base.ts";
import type { Intake } from "../intake.ts";
import type { Recording } from "../recording.ts";
import type { Memory } from "../remembering/remembering.ts";
import type { Upkeep } from "../upkeep.ts";
import type { Watch } from "../watching/watching.ts";
import { answerHooks } from "./answer-hooks.ts";
import { openDriven } from "./open-driven.ts";
import { openReactions, type SteeringReactions } from "./open-reactions.ts";
import { openRules } from "./open-rules.ts";
import { openTerminal, type Terminal } from "./open-terminal.ts";
import { steeringStatus } from "./steering-status.ts";

/** The steering side of the daemon: policy, answers to terminals, reactions and driven sessions, joined. */
export interface Steer {
  readonly ports: ControlPorts;
  readonly asks: SteerAskPorts;
  status(): Promise<NonNullable<DaemonStatus["steering"]>>;
  /** Driven sessions that are open, and those of them that would lose something if they ended now. */
  open(): number;
  atWork(): number;
}

export interface SteerNeeds {
  /** Where the API is served; null when it is not. */
  readonly port: number | null;
  readonly judge: Judge;
  readonly watch: Watch;
  readonly memory: Memory;
  readonly intake: Intake;
  readonly upkeep: Upkeep;
}

/** Holds of an earlier daemon that may still be open. */
const LONGEST_HOLD_MS = 3_600_000;
const MOST_RECENT = 2_000;
/** So long it is told who answered a request. */
const SETTLED_MS = 7 * 24 * 3_600_000;

export async function startSteer(base: Base, recording: Recording, needs: SteerNeeds): Promise<Steer> {
  const { home, env, scope, nowMs, notice } = base;
  const { keeper, projectOf } = recording;
  const { judge, watch } = needs;
  rmSync(home.guardTold, { recursive: true, force: true });
  const config = followConfig(home, env, base.config);
  const control = <T>(work: (rows: ControlRows) => Promise<T>): Promise<T> =>
    keeper.use((store) => work(store.control));
  const recent = (ms: number): Promise<HooklineEvent[]> =>
    control((rows) => rows.eventsSince(new Date(nowMs() - ms).toISOString(), MOST_RECENT));
  const note = (event: HooklineEvent): void =>
    void recording
      .record([event], { until: "store" })
      .catch((error: Error) => notice(`writing down what was answered failed: ${error.message}`));
  const onCards = (sessionId: string): void => watch.ports.stream.cardsChanged(sessionId);

  const rules = openRules(base, recording, needs.port);
  const driven = openDriven(base, recording, { config, control, rules, judge, onCards });
  const { sessions } = driven;
  scope.defer(() => driven.close());
  await sessions.recovered;
  const lastHour = await recent(LONGEST_HOLD_MS);
  // From here on without a pause: what happens meanwhile would be told to nobody.
  const isDriven = (sessionId: string): boolean => sessions.isDriven(sessionId);
  const parts = { config, control, rules, judge, watch, isDriven, note, onCards };
  const terminal = openTerminal(base, recording, parts);
  for (const event of abandonedHolds(lastHour, new Date(nowMs()).toISOString())) note(event);
  const reactions = openReactions(base, recording, { ...needs, control, recent, rules });
  scope.defer(async () => {
    terminal.holds.close();
    await reactions.close();
  });
  listen(recording, watch, terminal, reactions);
  const { holds } = terminal;
  return {
    ports: {
      driven: sessions,
      ...terminal.ports,
      settled: async (idStart) =>
        foldSettled(
          await control((rows) => rows.requests(idStart, new Date(nowMs() - SETTLED_MS).toISOString())),
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
    asks: answerHooks(base, recording, { config, rules, terminal, reactions }),
    status: () => steeringStatus({ config, control, rules, driven: sessions, holds, watch, nowMs }),
    open: () => sessions.list().filter(({ state }) => state !== "closed").length,
    atWork: () => sessions.list().filter(isAtWork).length,
  };
}

/** What steering hears of the rest. */
function listen(
  { applied, unrecorded }: Recording,
  watch: Watch,
  { holds }: Terminal,
  reactions: SteeringReactions,
): void {
  applied.add(({ events }) => {
    reactions.told(events);
    holds.told(events);
  });
  unrecorded.add(holds.unrecorded);
  const changed: Parameters<Watch["onChange"]>[0] = (snapshot) => {
    reactions.sessionChanged(snapshot);
    holds.sessionChanged(snapshot);
  };
  watch.onChange(changed);
  // Those that waited before there was anybody to tell.
  for (const snapshot of watch.waiting()) changed(snapshot);
}

/** A daemon that was killed said nothing of the hooks it held: their terminals decide since then. */
function abandonedHolds(events: readonly HooklineEvent[], atIso: string): HooklineEvent[] {
  const cards = events.filter(({ eventType }) => eventType === "control.card");
  const keyOf = ({ card }: HooklineEvent): unknown => asObject(card)["cardId"];
  const settled = new Set(cards.filter(({ phase }) => phase === "settled").map(keyOf));
  return (
    cards
      // Of a private turn, or one that was forgotten, nothing is left that could be ended.
      .filter(
        (asked) => asked.phase === "asked" && typeof keyOf(asked) === "string" && !settled.has(keyOf(asked)),
      )
      .map((asked) => abandonedEvent(asked, atIso))
  );
}
