import { withoutLogins } from "../../control/caller-credentials.ts";
import { createReactionAnswers, type ReactionAnswers } from "../../control/react/answer-reactions.ts";
import { driveReactions } from "../../control/react/drive-reactions.ts";
import { createPersonWaits } from "../../control/react/person-waits.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { factId } from "../../event/ids.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import type { ControlRows } from "../../store/control-rows.ts";
import type { Base } from "../base.ts";
import type { Intake } from "../intake.ts";
import type { Recording } from "../recording.ts";
import type { Memory } from "../remembering/remembering.ts";
import type { Upkeep } from "../upkeep.ts";
import type { Monitor } from "../watching/watching.ts";
import type { SteeringRules } from "./open-rules.ts";

export interface ReactionParts {
  readonly control: <T>(work: (rows: ControlRows) => Promise<T>) => Promise<T>;
  readonly recent: (ms: number) => Promise<HooklineEvent[]>;
  readonly rules: SteeringRules;
  readonly monitor: Monitor;
  readonly memory: Memory;
  readonly intake: Intake;
  readonly upkeep: Upkeep;
}

/** Runs the reactions of rules: in the background on events, and in answer to hooks. */
export interface SteeringReactions {
  readonly answers: ReactionAnswers;
  onEvents(events: readonly HooklineEvent[]): void;
  sessionChanged(snapshot: SessionSnapshot): void;
  close(): Promise<void>;
}

const RECENT_MS = 60_000;

export function openReactions(base: Base, recording: Recording, parts: ReactionParts): SteeringReactions {
  const { home, nowMs } = base;
  const { control, rules, monitor, memory, intake, upkeep } = parts;
  const sharedOptions = createSharedOptions(base, recording, parts);
  const answers = createReactionAnswers(sharedOptions);
  const reactions = driveReactions({
    ...sharedOptions,
    prepare: rules.prepare,
    isWaiting: (sessionId) => monitor.snapshot(sessionId)?.needsPerson === true,
    metricsFile: home.metrics,
    sessionSummary: async (sessionId) => {
      await intake.catchUp();
      await memory.flush();
      const snapshot = monitor.snapshot(sessionId);
      if (snapshot === undefined) return null;
      return { snapshot, summary: await control((rows) => rows.lastSummary(sessionId)) };
    },
    hasRun: (rule, eventId) => control((rows) => rows.hasEvent(factId("control.reaction", rule, eventId))),
    recent: () => parts.recent(RECENT_MS),
    // Events ingested during long work are backlog, not live.
    isBacklog: () => upkeep.currentWork() !== null,
    nowMs,
  });
  const personWaits = createPersonWaits({
    session: monitor.snapshot,
    onWait: (snapshot) => reactions.needsPerson(snapshot),
  });
  return {
    answers,
    onEvents: reactions.onEvents,
    sessionChanged: personWaits.sessionChanged,
    async close() {
      personWaits.close();
      answers.close();
      await reactions.close();
    },
  };
}

function createSharedOptions(base: Base, recording: Recording, { rules, intake }: ReactionParts) {
  const { agents, env, home, notice, nowMs } = base;
  const { liveStore, record, projectOf, mayRecord } = recording;
  return {
    rules: (projectPath: string | null) => rules.joined(projectPath).reactions,
    projectOf,
    isMachinePrompt: agents.prompts.isMachine,
    env: { ...withoutLogins(env), HOOKLINE_HOME: home.dir },
    events: (query: { after: number; limit: number; sessionId: string }) =>
      liveStore.use((store) => store.facts.events(query)),
    catchUp: intake.catchUp,
    mayRecord,
    record: async (events: readonly HooklineEvent[]) => void (await record(events, { until: "store" })),
    notice,
    nowMs,
  };
}
