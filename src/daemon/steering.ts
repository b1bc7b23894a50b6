import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { AgentTable } from "../agents/agent-table.ts";
import { type HookAsk, joinReplies } from "../agents/answer-format.ts";
import { claude } from "../agents/claude/claude.ts";
import type { ProjectOf } from "../agents/hook-delivery.ts";
import { asObject } from "../agents/read-json.ts";
import type { MayRecord } from "../capture/recording-rules.ts";
import type { Config } from "../config.ts";
import { type Card, isAtWork } from "../control/control-contract.ts";
import { openDrivenSessions } from "../control/driven-sessions.ts";
import { createClaudeFinder } from "../control/find-claude.ts";
import { followConfig } from "../control/follow-config.ts";
import { followRules, type RulesTrouble } from "../control/follow-rules.ts";
import { keepEnvelopes } from "../control/keep-envelopes.ts";
import { withoutLogins } from "../control/lent-credentials.ts";
import { localWorld } from "../control/local-world.ts";
import { createEnvelopeMask } from "../control/mask-envelopes.ts";
import type { Judge } from "../control/open-judge.ts";
import { openClaudeProcesses } from "../control/process/claude-processes.ts";
import { answerReactions } from "../control/react/answer-reactions.ts";
import { createPersonWaits } from "../control/react/await-person.ts";
import { driveReactions } from "../control/react/drive-reactions.ts";
import { OWN_TERMINAL } from "../control/react/own-sessions.ts";
import { openSdkLog } from "../control/sdk-log.ts";
import { sessionEnv } from "../control/session-env.ts";
import { openSessionLocks } from "../control/session-locks.ts";
import { abandonedEvent } from "../control/terminal/card-told.ts";
import { createGuard } from "../control/terminal/guard-answer.ts";
import { denial } from "../control/terminal/guard-output.ts";
import { createHolds } from "../control/terminal/hold-requests.ts";
import { createInbox } from "../control/terminal/inbox.ts";
import { createPromptGuard } from "../control/terminal/prompt-guard.ts";
import { createViewers } from "../control/terminal/viewers.ts";
import { openTrust } from "../control/trust/trust.ts";
import type { HooklineEvent } from "../event/event.ts";
import { factId } from "../event/ids.ts";
import type { Env, Home } from "../home.ts";
import { noAsks } from "../hook/ask-command.ts";
import { hookEntries } from "../hook/commands.ts";
import type { SessionSnapshot } from "../monitor/session-snapshot.ts";
import type { Policy } from "../policy/rule.ts";
import type { DaemonStatus } from "../serve/contract.ts";
import type { ControlPorts } from "../serve/control-ports.ts";
import type { SteerAskPorts } from "../serve/steer-ask-routes.ts";
import type { ControlRows } from "../store/control-rows.ts";
import type { StoreKeeper } from "../store/keep-store.ts";
import { answerAs } from "./agents.ts";

/** The steering side of the daemon: policy, answers to terminals, reactions and driven sessions, joined. */
export interface Steer {
  readonly ports: ControlPorts;
  readonly asks: SteerAskPorts;
  /** What the database has just taken. */
  told(events: readonly HooklineEvent[]): void;
  /** What was heard and may not be recorded. */
  unrecorded(event: HooklineEvent): void;
  sessionChanged(snapshot: SessionSnapshot): void;
  status(): Promise<NonNullable<DaemonStatus["steering"]>>;
  /** Driven sessions that are open, and those of them that would lose something if they ended now. */
  open(): number;
  atWork(): number;
  close(): Promise<void>;
}

export interface SteerOptions {
  readonly agents: AgentTable;
  readonly home: Home;
  readonly env: Env;
  readonly config: Config;
  /** Where the API is served; null when it is not. */
  readonly port: number | null;
  readonly keeper: StoreKeeper;
  readonly judge: Judge;
  readonly projectOf: ProjectOf;
  readonly mayRecord: MayRecord;
  /** Writes events into the log and the database. */
  readonly note: (events: readonly HooklineEvent[]) => Promise<void>;
  /** As `note`, but who waits for it waits only for the log. */
  readonly write: (events: readonly HooklineEvent[]) => Promise<void>;
  /** Resolves when what hooks wrote so far is in the database. */
  readonly level: () => Promise<void>;
  /** As `level`, and memory has made of it what it makes. */
  readonly remembered: () => Promise<void>;
  /** While what is told is not what happens now. */
  readonly isBacklog: () => boolean;
  /** The id of the request that a hook recorded under that name of the spool; of this very payload only. */
  readonly requestId: (spoolName: string, payload: unknown) => string | undefined;
  /** Told when a request of that session was put or settled. */
  readonly onCards: (sessionId: string) => void;
  readonly session: (sessionId: string) => SessionSnapshot | undefined;
  /** The sessions that need a person. */
  readonly waiting: () => readonly SessionSnapshot[];
  readonly notice: (message: string) => void;
  readonly nowMs: () => number;
}

/** Within what a guarded call waits for us in all. */
const PREPARE_MS = 800;
/** Holds of an earlier daemon that may still be open. */
const LONGEST_HOLD_MS = 3_600_000;
const RECENT_MS = 60_000;
const TOO_LARGE = "Hookline: This call has more than 16 MB and is too long to judge. [builtin/too-long]";
const DAY_MS = 24 * 3_600_000;
const MOST_RECENT = 2_000;

export async function startSteer(options: SteerOptions): Promise<Steer> {
  const { agents, home, env, keeper, judge, nowMs, notice, mayRecord, projectOf } = options;
  rmSync(home.guardTold, { recursive: true, force: true });
  const config = followConfig(home, env, options.config);
  const control = <T>(work: (rows: ControlRows) => Promise<T>): Promise<T> =>
    keeper.use((store) => work(store.control));
  const noteSoon = (event: HooklineEvent): void =>
    void options
      .note([event])
      .catch((error: Error) => notice(`writing down what was answered failed: ${error.message}`));

  const recent = (ms: number): Promise<HooklineEvent[]> =>
    control((rows) => rows.eventsSince(new Date(nowMs() - ms).toISOString(), MOST_RECENT));

  const trust = openTrust({ file: home.trust, nowMs, driving: claude.driving, env });
  const rules = followRules({
    userFile: home.rules,
    trustFile: home.trust,
    isTrusted: async (root) => (await trust.read(root)).trusted,
    onTrouble: (trouble) => notice(tellTrouble(trouble)),
  });

  /** Wherever our own home lies and we listen, agents stay out of it. */
  const policyOf = (projectPath: string | null): Policy => {
    const { policy } = rules.joined(projectPath);
    return { ...policy, own: { dir: home.dir, port: options.port, pid: process.pid } };
  };
  /** Before a hook is answered: whether the rules of its project are trusted is known. */
  const prepare = async (ask: HookAsk | null): Promise<void> => {
    const cwd = ask?.cwd ?? null;
    if (cwd === null) return;
    // A folder that cannot be looked at is told of by who judges.
    await Promise.resolve(cwd)
      .then(projectOf)
      .then(rules.prepare)
      .catch(() => undefined);
  };

  /** A daemon that was killed said nothing of the hooks it held: their terminals decide since then. */
  const endHoldsOfBefore = (events: readonly HooklineEvent[]): void => {
    const atIso = new Date(nowMs()).toISOString();
    const cards = events.filter(({ eventType }) => eventType === "control.card");
    const keyOf = ({ card }: HooklineEvent): unknown => asObject(card)["cardId"];
    const settled = new Set(cards.filter(({ phase }) => phase === "settled").map(keyOf));
    for (const asked of cards) {
      // Of a private turn, or one that was forgotten, nothing is left that could be ended.
      if (asked.phase !== "asked" || typeof keyOf(asked) !== "string" || settled.has(keyOf(asked))) continue;
      noteSoon(abandonedEvent(asked, atIso));
    }
  };

  const forgetTold = (sessionId: unknown): void => {
    if (typeof sessionId === "string" && /^[\w-]{1,200}$/.test(sessionId))
      rmSync(join(home.guardTold, sessionId), { force: true });
  };

  const finder = createClaudeFinder({
    driving: claude.driving,
    config: {
      get claude() {
        return config().control.claude;
      },
    },
    ...(env["HOME"] && { home: env["HOME"] }),
  });
  const processes = openClaudeProcesses({ env, onNotice: notice });
  const sdkLog = options.config.control.sdkLog
    ? openSdkLog({ dir: home.logs, days: options.config.control.sdkLogDays, nowMs })
    : null;
  const driven = openDrivenSessions({
    answers: claude.answers,
    store: keepEnvelopes({ rows: control, write: options.write }),
    processes,
    locks: openSessionLocks({
      dir: home.locks,
      liveness: claude.liveness,
      registryDirs: claude.liveness.configDirs(env, []).map(claude.liveness.folder),
      nowMs,
    }),
    trust,
    finder,
    judge: async (request) => {
      const projectPath = request.projectPath ?? null;
      await rules.prepare(projectPath);
      return judge.judge(policyOf(projectPath), request);
    },
    log: sdkLog && {
      ...sdkLog,
      write: (sessionId, direction, data) => {
        if (isRecorded(sessionId)) sdkLog.write(sessionId, direction, data);
      },
    },
    env,
    home,
    hooks: hookEntries(claude, noAsks),
    projectOf: (cwd) => projectOf(cwd),
    config: {
      ...options.config.control,
      // As the report that is told before a start.
      get billing() {
        return config().control.billing;
      },
      get maxBudgetUsd() {
        return config().control.maxBudgetUsd;
      },
    },
    now: nowMs,
    onNotice: notice,
    onCards: options.onCards,
    // What clients see is what the log will hold.
    createMask: createEnvelopeMask,
  });
  const isRecorded = (sessionId: string): boolean => {
    const { projectPath = null, cwd = null } = driven.live(sessionId) ?? {};
    return mayRecord({ projectPath, cwd, occurredAtIso: new Date(nowMs()).toISOString() });
  };
  const isDriven = (sessionId: string): boolean => driven.isDriven(sessionId);
  await driven.recovered;
  const lastHour = await recent(LONGEST_HOLD_MS);
  // From here on without a pause: what happens meanwhile would be told to nobody.

  const guard = createGuard({
    policy: ({ projectPath }) => policyOf(projectPath),
    judge: judge.judge,
    world: localWorld(env),
    isDriven,
    guard: () => config().guard,
    projectOf,
    mayRecord,
    note: noteSoon,
    onTrouble: (message, cause) => notice(`${message}: ${(cause as Error).message}`),
    nowMs,
  });
  const promptGuard = createPromptGuard({
    rules: ({ projectPath }) => rules.joined(projectPath).prompts,
    isDriven,
    prompts: agents.prompts,
    projectOf,
    mayRecord,
    note: noteSoon,
    nowMs,
  });
  const viewers = createViewers(nowMs);
  const holds = createHolds({
    isOn: () => config().approve.on,
    get holdMs() {
      return config().approve.holdSeconds * 1_000;
    },
    get headless() {
      return config().approve.headless;
    },
    nowMs,
    projectOf,
    isDriven,
    viewers,
    session: options.session,
    // Not known to be: then it is not taken for over.
    isRecorded: (requestId) =>
      control((rows) => rows.has(requestId)).catch((error: Error) => {
        notice(`looking up a request failed: ${error.message}`);
        return false;
      }),
    mayRecord,
    note: noteSoon,
    onChange: ({ sessionId }) => options.onCards(sessionId),
  });
  endHoldsOfBefore(lastHour);
  const inbox = createInbox({
    isOn: () => config().approve.messages,
    label: claude.label,
    liveness: claude.liveness,
    configDirs: () => claude.liveness.configDirs(env, []),
    modeOf: (sessionId) => options.session(sessionId)?.permissionMode ?? null,
  });

  const reacting = {
    rules: (projectPath: string | null) => rules.joined(projectPath).reactions,
    projectOf,
    isMachine: agents.prompts.isMachine,
    env: { ...withoutLogins(env), HOOKLINE_HOME: home.dir },
    events: (query: { after: number; limit: number; sessionId: string }) =>
      keeper.use((store) => store.facts.events(query)),
    level: options.level,
    mayRecord,
    note: options.note,
    notice,
    nowMs,
  };
  const answers = answerReactions(reacting);
  const reactions = driveReactions({
    ...reacting,
    prepare: rules.prepare,
    isWaiting: (sessionId) => options.session(sessionId)?.needsPerson === true,
    metricsFile: home.metrics,
    sessionSummary: async (sessionId) => {
      await options.remembered();
      const snapshot = options.session(sessionId);
      if (snapshot === undefined) return null;
      return { snapshot, summary: await control((rows) => rows.lastSummary(sessionId)) };
    },
    hasRun: (rule, eventId) => control((rows) => rows.has(factId("control.reaction", rule, eventId))),
    recent: () => recent(RECENT_MS),
    isBacklog: options.isBacklog,
  });
  const personWaits = createPersonWaits({
    session: options.session,
    onWait: (snapshot) => reactions.needsPerson(snapshot),
  });

  /** Those that are not held, too; one that was just settled may still be recorded as waiting. */
  const countPending = (cards: readonly Card[]): number => {
    const status = new Map(cards.map((card) => [card.id, card.status]));
    for (const { requestId } of options.waiting().flatMap(({ requests }) => requests))
      if (!status.has(requestId)) status.set(requestId, holds.get(requestId)?.status ?? "terminal");
    return [...status.values()].filter((one) => one === "pending" || one === "terminal").length;
  };

  return {
    ports: {
      driven,
      terminal: {
        cards: () => holds.cards(),
        get: (id) => holds.get(id),
        answer: (id, answer) => holds.answer(id, answer),
        viewed: ({ looking, ...view }) => (looking ? viewers.looks(view) : viewers.leaves(view.viewer)),
      },
      sendToTerminal: (message) => inbox.sendToTerminal(message),
      report: ({ billing, credentials }) =>
        finder.report({
          billing: billing ?? config().control.billing,
          env: sessionEnv({ env, home, credentials }),
          of: credentials === undefined ? "daemon" : "caller",
        }),
      trust,
      policy: {
        test: (request) => {
          const projectPath = request.projectPath ?? projectOf(request.cwd);
          return judge.judge(policyOf(projectPath), { ...request, projectPath });
        },
      },
    },
    asks: {
      guard: (payload, { signal }) =>
        answerAs(agents, payload, async (ask) => {
          // Whoever was told that nobody guards is told again the next time.
          forgetTold(ask?.sessionId);
          await Promise.race([prepare(ask), setTimeout(PREPARE_MS, undefined, { ref: false })]);
          return guard.tool(ask, signal);
        }),
      tooLarge: () => claude.answers.write(claude.answers.events.call, denial(TOO_LARGE)),
      permission: (payload, { spoolName, attended, waitMs, signal }) =>
        answerAs(agents, payload, async (ask) => {
          const arrivedMs = nowMs();
          await prepare(ask);
          const byRule = await guard.permission(ask);
          if (byRule !== null || !config().approve.on) return byRule;
          const { rule = null, reason = null } = (await guard.explain(ask)) ?? {};
          const requestId = (spoolName !== null && options.requestId(spoolName, payload)) || null;
          return holds.hold(ask, { requestId, arrivedMs, attended, waitMs, signal, rule, reason });
        }),
      react: (payload, { terminal, ...how }) =>
        answerAs(agents, payload, async (ask) => {
          await prepare(ask);
          const said = promptGuard(ask);
          const isOwn = terminal === OWN_TERMINAL.value;
          return joinReplies(said, await answers.answerReaction(ask, { ...how, isOwn }));
        }),
    },
    told(events) {
      reactions.told(events);
      holds.told(events);
    },
    unrecorded: (event) => holds.unrecorded(event),
    sessionChanged(snapshot) {
      personWaits.changed(snapshot);
      holds.sessionChanged(snapshot);
    },
    open: () => driven.list().filter(({ state }) => state !== "closed").length,
    atWork: () => driven.list().filter(isAtWork).length,
    async status() {
      // A file that nobody asked about yet is looked at now.
      rules.joined(null);
      const { guard, approve } = config();
      const open = driven.list().filter(({ state }) => state !== "closed");
      const cards = [...driven.cards(), ...holds.cards()];
      return {
        guard: guard.on ? (guard.failClosed ? "closed" : "open") : "off",
        approve: approve.on,
        driven: {
          running: open.filter(({ state }) => state !== "queued").length,
          waiting: open.filter(({ pending }) => pending.length > 0).length,
          queued: open.filter(({ state }) => state === "queued").length,
        },
        requests: {
          pending: countPending(cards),
          lost: cards.filter(({ status }) => status === "lost").length,
        },
        rules: rules.troubles().map(tellTrouble),
        unchecked: await control((rows) => rows.unchecked(new Date(nowMs() - DAY_MS).toISOString())),
      };
    },
    async close() {
      holds.close();
      personWaits.close();
      answers.close();
      await reactions.close();
      await driven.closeAll();
      await processes.close();
      await sdkLog?.close();
    },
  };
}

function tellTrouble({ file, problems, holdsOn }: RulesTrouble): string {
  const [first] = problems;
  const where = first === undefined ? "" : `, line ${first.line}: ${first.message}`;
  return `${file} is not taken${where}; ${holdsOn ? "what it said before holds on" : "none of its rules holds"}`;
}
