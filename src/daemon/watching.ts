import { readFileSync } from "node:fs";
import type { AgentTable } from "../agents/agent-table.ts";
import type { ProjectOf } from "../agents/hook-delivery.ts";
import type { Acceptor } from "../capture/accept.ts";
import { followTranscripts } from "../capture/follow-transcripts.ts";
import { holdBack } from "../capture/hold-back.ts";
import type { Quarantine } from "../capture/quarantine.ts";
import type { TailPosition } from "../capture/tail-file.ts";
import type { Config } from "../config.ts";
import { type HooklineEvent, isEvent } from "../event/event.ts";
import { isSampleSession } from "../event/sample.ts";
import { writeAtomically } from "../files/atomic-file.ts";
import type { Env, Home } from "../home.ts";
import type { LogBatch, LogReader, Position } from "../log/log.ts";
import { askAway, askUsed, askWaits } from "../monitor/ask-away.ts";
import { askSession, askSessions, findIds } from "../monitor/ask-sessions.ts";
import { keepSessions, type SessionKeeper } from "../monitor/keep-sessions.ts";
import { createLoadReader, type ProcessLoad } from "../monitor/process-load.ts";
import { isAlive } from "../monitor/processes.ts";
import type { SessionSnapshot } from "../monitor/session-snapshot.ts";
import { createUsageMeter } from "../monitor/usage-meter.ts";
import { type EvidenceWatch, watchEvidence } from "../monitor/watch-evidence.ts";
import type { DaemonStatus } from "../serve/contract.ts";
import { createMeters, memoryByKind } from "../serve/meters.ts";
import { createSessionStream } from "../serve/session-stream.ts";
import { UsageReport } from "../serve/usage-contract.ts";
import type { WatchPorts } from "../serve/watch-ports.ts";
import type { StoreKeeper } from "../store/keep-store.ts";
import type { AskSessionRows } from "../store/session-rows.ts";
import { followByAgent, watchRegistries } from "./agents.ts";

/** The live side of the daemon: monitor, transcripts, registry and stream, joined. */
export interface Watch {
  readonly ports: WatchPorts;
  /** What the database has just taken. */
  told(events: readonly HooklineEvent[], next: Position): Promise<void>;
  /** What was heard and must not be recorded: a request that it ends is over all the same. */
  unrecorded(event: HooklineEvent): void;
  /** Takes what the transcripts of running sessions have. */
  flush(): Promise<void>;
  /** An import has ended. */
  imported(): void;
  /** The database was made again. */
  again(): void;
  forget(sessionIds: readonly string[]): void;
  snapshot(sessionId: string): SessionSnapshot | undefined;
  /** Those that wait for a person now. */
  waiting(): readonly SessionSnapshot[];
  /** Sessions whose ids begin so. */
  sessionIds(prefix: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface WatchOptions {
  readonly isImporting: () => boolean;
  readonly home: Home;
  readonly env: Env;
  readonly config: Config;
  readonly log: LogReader;
  readonly keeper: StoreKeeper;
  readonly agents: AgentTable;
  readonly projectOf: ProjectOf;
  readonly openAcceptor: () => Acceptor;
  /** Whether a session of that folder is one of ours. */
  readonly isOwn: (cwd: string | null) => boolean;
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  readonly loadOffset: (key: string) => Promise<TailPosition | undefined>;
  readonly saveOffset: (key: string, position: TailPosition, lastEventIso: string | null) => Promise<void>;
  readonly quarantine: Quarantine;
  readonly flushSpool: () => Promise<void>;
  readonly status: () => Promise<DaemonStatus>;
  /** Told of every change that is shown. */
  readonly onChange: (snapshot: SessionSnapshot) => void;
  readonly notice: (message: string) => void;
  readonly nowMs: () => number;
  /** Never moved; stands still or not while the machine sleeps. */
  readonly monotonicMs: () => number;
}

/** The agent writes its last lines when its process ends, a moment after it said that the session does. */
const LAST_LINES_MS = 3_000;

export async function startWatch(options: WatchOptions): Promise<Watch> {
  const { home, config, keeper, nowMs, monotonicMs, notice } = options;
  const rows: AskSessionRows = (work) => keeper.use((store) => work(store.sessions));
  const trouble = (what: string) => (error: unknown) => notice(`${what}: ${(error as Error).message}`);
  const stream = createSessionStream({ epoch: Date.now().toString(36), nowMs });
  const meters = createMeters();
  const usage = createUsageMeter(options.agents.usage);
  const waiting = new Map<string, SessionSnapshot["requests"]>();
  const loadReader = config.processLoad ? createLoadReader() : null;
  let loads: ReadonlyMap<number, ProcessLoad> = new Map();
  let evidence: EvidenceWatch | null = null;

  const onChange = (snapshot: SessionSnapshot): void => {
    const { sessionId, requests } = snapshot;
    for (const before of waiting.get(sessionId) ?? [])
      if (!requests.some(({ requestId }) => requestId === before.requestId))
        meters.waitEnded(before.kind, nowMs() - Date.parse(before.sinceIso));
    if (requests.length === 0) waiting.delete(sessionId);
    else waiting.set(sessionId, requests);
    stream.publish(snapshot);
    evidence?.changed(snapshot);
    options.onChange(snapshot);
  };
  const sessions = await keepSessions({
    prices: options.agents.usage,
    rows,
    nowMs,
    monotonicMs,
    onChange,
    onDrop: (sessionId) => {
      stream.drop(sessionId);
      shown.delete(sessionId);
      waiting.delete(sessionId);
    },
    onTrouble: trouble("saving what is known of sessions failed"),
    isImporting: options.isImporting,
    loadOf: (pid) => {
      const load = loads.get(pid);
      return load === undefined ? null : { cpuPercent: load.cpuPercent, memoryBytes: load.rssBytes };
    },
  });
  const { book } = sessions;
  const measure = async (snapshots: readonly SessionSnapshot[]): Promise<void> => {
    const pids = snapshots.flatMap(({ pid, state }) => (pid === null || state === "completed" ? [] : [pid]));
    if (loadReader !== null) loads = await loadReader.read(pids);
  };
  /** What time alone may change, as it was last shown. */
  const shown = new Map<string, string>();

  const held = holdBack({
    append: options.append,
    isTold: async (events) => new Set(await rows((store) => store.toldByHooks(events.map(({ id }) => id)))),
    onAppended: () => keeper.follow(),
    onTrouble: trouble("writing what a transcript told failed"),
  });
  const transcripts = followByAgent(options.agents, (source) =>
    followTranscripts({
      source,
      projectOf: options.projectOf,
      openAcceptor: options.openAcceptor,
      append: held.append,
      load: (path) => options.loadOffset(`transcript:${path}`),
      save: (path, position, lastEventIso) =>
        held.after(() => options.saveOffset(`transcript:${path}`, position, lastEventIso)),
      quarantine: options.quarantine,
      onTaken: () => keeper.follow(),
      onTrouble: trouble("reading a transcript failed"),
    }),
  );
  const leaving = new Map<string, NodeJS.Timeout>();
  const acceptor = options.openAcceptor();
  const note = async (events: readonly HooklineEvent[]): Promise<void> => {
    await acceptor.prepare(events, () => {
      const accepted = acceptor.accept(events);
      acceptor.rest();
      return options.append(accepted);
    });
    await keeper.follow();
  };
  evidence = watchEvidence({
    book,
    wake: sessions.wake,
    nowMs,
    isAlive,
    flush: options.flushSpool,
    note,
    projectOf: options.projectOf,
    locateTranscript: (entry) =>
      options.agents.named(entry.provider)?.liveness?.locateTranscript(entry.configDir, entry) ?? null,
    follow: ({ sessionId, path, provider }) => {
      clearTimeout(leaving.get(sessionId));
      leaving.delete(sessionId);
      if (config.followTranscripts) transcripts.watch(provider, sessionId, path);
    },
    unfollow: (sessionId) => {
      const timer = setTimeout(() => {
        leaving.delete(sessionId);
        void transcripts.unwatch(sessionId);
      }, LAST_LINES_MS).unref();
      leaving.set(sessionId, timer);
    },
    onTick: (snapshots) => {
      measure(snapshots).catch(trouble("measuring processes failed"));
      for (const snapshot of snapshots) {
        const standing = `${snapshot.state} ${snapshot.activityPhase} ${snapshot.process?.cpuPercent}`;
        if (shown.get(snapshot.sessionId) !== standing) stream.publish(snapshot);
        shown.set(snapshot.sessionId, standing);
      }
    },
    onTrouble: trouble("looking after sessions failed"),
  });
  const registries = config.watchRegistry
    ? watchRegistries(options.agents, {
        transcriptPaths: () => book.lastRead().flatMap(({ transcriptPath }) => transcriptPath ?? []),
        env: options.env,
        onEntries: (entries) => evidence?.entries(entries.filter(({ cwd }) => !options.isOwn(cwd ?? null))),
        onTrouble: trouble("reading the agent's list of sessions failed"),
      })
    : null;
  for (const snapshot of book.snapshots()) {
    if (snapshot.endedAtIso === null) onChange(snapshot);
    else stream.publish(snapshot);
  }
  // Until then the saved position stays where it is: what a failure left unread is read at the next start.
  let isLevel = false;
  catchUp(sessions, options).then(() => {
    isLevel = true;
  }, trouble("reading the log for the monitor failed"));

  return {
    ports: {
      stream,
      sessions: (query) =>
        askSessions(book, rows, query, (watched) => {
          // What an answer shows, the stream must have been told.
          sessions.emit();
          for (const snapshot of watched) stream.publish(snapshot);
        }),
      session: (idOrPrefix) => askSession(book, rows, idOrPrefix, nowMs()),
      waits: (query) => askWaits(sessions, rows, query, new Date(nowMs()).toISOString()),
      away: (sinceIso) => {
        const untilMs = nowMs();
        return askAway(sessions, rows, sinceIso ?? lastSeen(home, untilMs), new Date(untilMs).toISOString());
      },
      usage: async (query) => {
        const used = await askUsed(sessions, rows, query, new Date(nowMs()).toISOString());
        return UsageReport.parse(used);
      },
      seen: (atIso) => writeAtomically(home.seen, `${JSON.stringify({ atIso })}\n`),
      async metrics() {
        const { version, lagMs, spoolDepth, events, quarantined, refused } = await options.status();
        return {
          ...meters.read(),
          version,
          lagMs,
          spoolDepth,
          events,
          quarantined,
          refused,
          sessions: book.snapshots().filter(({ sessionId }) => !isSampleSession(sessionId)),
          usage: usage.read(),
          stream: stream.stats(),
          memory: memoryByKind(),
        };
      },
    },
    told(events, next) {
      for (const event of events) {
        if (isSampleSession(event.sessionId)) continue;
        usage.tell(event);
        const { toolName, durationMs } = event.payload ?? {};
        if (event.eventType === "tool_observation" && event.origin === "hook" && durationMs != null)
          meters.toolEnded(toolName ?? "unknown", durationMs);
      }
      return sessions.told(events, isLevel ? next : undefined);
    },
    unrecorded: (event) => sessions.unrecorded(event),
    async flush() {
      await transcripts.flush();
      await held.flush();
    },
    imported() {
      sessions.readImported().catch(trouble("reading imported sessions failed"));
    },
    again() {
      sessions
        .again()
        .then(() => sessions.fill())
        .catch(trouble("listing sessions failed"));
    },
    forget: (sessionIds) => sessions.forget(sessionIds),
    sessionIds: (prefix) => findIds(book, rows, prefix),
    snapshot(sessionId) {
      sessions.emit();
      return book.snapshot(sessionId);
    },
    waiting() {
      sessions.emit();
      return book.snapshots().filter(({ needsPerson }) => needsPerson);
    },
    async close() {
      registries?.close();
      await evidence?.close();
      // What the transcripts have by now is taken, also of sessions that ended a moment ago.
      sessions.emit();
      await transcripts.flush();
      for (const timer of leaving.values()) clearTimeout(timer);
      await transcripts.close();
      await held.close();
      await sessions.close();
      await stream.close();
    },
  };
}

/** What the log told since the sessions were last saved; then what was never saved. */
async function catchUp(sessions: SessionKeeper, { keeper, log }: WatchOptions): Promise<void> {
  const from = await keeper.use((store) => store.sessions.monitorPosition());
  if (from === undefined) await sessions.told([], await keeper.use((store) => store.facts.position()));
  else for await (const batch of log.read(from)) await sessions.told(eventsOf(batch), batch.next);
  await sessions.fill();
}

export function eventsOf(batch: LogBatch): readonly HooklineEvent[] {
  // What was just accepted is known to be events.
  return batch.events ?? batch.lines.map(parsed).filter(isEvent);
}

function parsed(line: string): unknown {
  try {
    return line === "" ? null : JSON.parse(line);
  } catch {
    return null;
  }
}

/** A day ago, for somebody who never looked. */
function lastSeen(home: Home, nowMs: number): string {
  try {
    const { atIso } = JSON.parse(readFileSync(home.seen, "utf8")) as { atIso?: unknown };
    if (typeof atIso === "string" && !Number.isNaN(Date.parse(atIso))) return atIso;
  } catch {
    // Not written yet.
  }
  return new Date(nowMs - 24 * 3_600_000).toISOString();
}
