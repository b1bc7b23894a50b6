import { mkdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import type { AgentTable } from "../agents/agent-table.ts";
import { claude } from "../agents/claude/claude.ts";
import { agents as known } from "../agents/registry.ts";
import { AppError } from "../app-error.ts";
import { createAcceptor, createHiddenTurns } from "../capture/accept.ts";
import { createSpoolCapture } from "../capture/capture-spool.ts";
import { driveCapture } from "../capture/drive-capture.ts";
import { createProjectOf } from "../capture/project-of.ts";
import { openQuarantine } from "../capture/quarantine.ts";
import { followRules, type MayRecord } from "../capture/recording-rules.ts";
import type { TailPosition } from "../capture/tail-file.ts";
import { foreignStreams, loadConfig, logFile } from "../config.ts";
import type { HooklineEvent } from "../event/event.ts";
import { writeAtomically } from "../files/atomic-file.ts";
import type { Env, Home } from "../home.ts";
import { followHooks } from "../hook/follow-hooks.ts";
import { openFileLog } from "../log/file/file-log.ts";
import { showPosition } from "../log/file/position.ts";
import { makeAll } from "../memory/keep-memory.ts";
import { createLagMeter } from "../monitor/measure-lag.ts";
import type { AppPorts } from "../serve/app.ts";
import type { DaemonFile, DaemonStatus, ImportResult, RebuildResult } from "../serve/contract.ts";
import { listen } from "../serve/listen.ts";
import { openLogins } from "../serve/logins.ts";
import { createWorkerSessions } from "../serve/worker-sessions.ts";
import { keepStore } from "../store/keep-store.ts";
import { openReplaceableFile } from "../store/sqlite/replace-file.ts";
import { VERSION } from "../version.ts";
import { awaitTurn, noteWork, workText } from "./await-turn.ts";
import { tellStep, watchClock } from "./clock.ts";
import { beginLife } from "./crash-loop.ts";
import { openDaemonLog, readOrMakeToken, removeFiles } from "./daemon-files.ts";
import { agreeToHandover } from "./handover.ts";
import { homeTrouble, refuseSharedHome } from "./home-trouble.ts";
import { openLongWork } from "./long-work.ts";
import { createSlowTeller, damageText, openWhenFree, runningDaemon, tellError } from "./notices.ts";
import { openOwnWriter } from "./own-writer.ts";
import { createRecall } from "./recall.ts";
import { recordOverHttp } from "./record-http.ts";
import { createMemorySettler } from "./release-heap.ts";
import type { Memory } from "./remembering.ts";
import { keepRetention } from "./retention.ts";
import { tellBeing } from "./status.ts";
import type { Steer } from "./steering.ts";
import { followStreams } from "./streams.ts";
import { eventsOf, startWatch, type Watch } from "./watching.ts";

export interface Daemon {
  readonly port: number | null;
  status(): Promise<DaemonStatus>;
  /** Takes what lies in the spool into the database. */
  flush(): Promise<void>;
  rebuild(): Promise<RebuildResult>;
  importTranscripts(root: string): Promise<ImportResult>;
  /** The API without a server, for a command that found no daemon. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** The address that opens the pages in a browser and lets it in, once and for some minutes. */
  loginAddress(): string | null;
  /** A newer version asked and is to have the home: `stop` is next. */
  readonly handedOver: Promise<void>;
  /** After a crash its short life stays written down. */
  stop(how?: { crashed?: boolean }): Promise<void>;
}

export interface DaemonOptions {
  /** Instead of those that this version knows. */
  readonly agents?: AgentTable;
  readonly serve?: boolean;
  /** The pid of a daemon that hands over and is waited for. */
  readonly after?: number | undefined;
  /** Which command this is, for whoever waits for its end. Without `serve` only. */
  readonly command?: string;
}

const NOTICES = 50;
const FOLLOW_MS = 250;
/** A backlog waits longer: a database that falls behind must read and parse all of it again. */
const BACKLOG_FOLLOW_MS = 5_000;
/** An import is in no hurry; still, a locked database does not stop it. */
const IMPORT_FOLLOW_MS = 10_000;
/** What the log has, the next daemon reads: a locked database does not hold up the end. */
const LAST_FOLLOW_MS = 2_000;
const RETAIN_MS = 2_000;
const MANY_FILES = 200;
/** Somebody reads an address and then opens it. */
const LOGIN_MS = 10 * 60_000;

/**
 * The composition root: the only file that knows every stage. Started in the order of the data's way from
 * its end (store, log, capture), so that nothing is accepted before it can be kept; stopped in the other.
 */
export async function startDaemon(
  home: Home,
  env: Env = process.env,
  options: DaemonOptions = {},
): Promise<Daemon> {
  const opened: Close[] = [];
  try {
    return await start(home, env, options, opened);
  } catch (error) {
    // Half a daemon must not hold the lock and go on alone.
    for (const close of opened.reverse()) await Promise.resolve(close()).catch(() => undefined);
    const trouble = homeTrouble(home, error);
    // One that a hook started has no other place to say it.
    if (options.serve !== false && !(trouble instanceof AppError && trouble.code === "daemon_running"))
      openDaemonLog(home.daemonLog, "error")("error", `did not start: ${tellError(trouble)}`);
    throw trouble;
  }
}

type Close = () => unknown;

async function start(home: Home, env: Env, options: DaemonOptions, opened: Close[]): Promise<Daemon> {
  const begunMs = performance.now();
  const { agents = known } = options;
  // Everything of ours is for its owner alone, also what SQLite makes.
  process.umask(0o077);
  mkdirSync(home.dir, { recursive: true, mode: 0o700 });
  refuseSharedHome(home);
  const isDaemon = options.serve !== false;
  const lock = await awaitTurn(home, {
    after: options.after,
    isDaemon,
    onWait: (work) =>
      openDaemonLog(home.daemonLog, "info")("info", `waiting until ${workText(work)} is done in ${home.dir}`),
  });
  if (lock === null)
    throw new AppError("daemon_running", `${runningDaemon(home)} already serves ${home.dir}`);
  opened.push(() => lock.release());
  const atWork = isDaemon ? null : noteWork(home, options.command ?? "");
  opened.push(() => atWork?.release());
  const startedAtIso = new Date().toISOString();
  const life = options.serve === false ? null : beginLife(home.shortLives, startedAtIso);
  const { config } = loadConfig(home, env);
  const writeLog = openDaemonLog(home.daemonLog, config.logLevel);
  const notices: string[] = [];
  const notice = (message: string): void => {
    notices.push(`${new Date().toISOString()} ${message}`);
    if (notices.length > NOTICES) notices.shift();
    writeLog("warn", message);
  };
  const tellSlow = createSlowTeller(notice);
  // Before anything that can take long: who asks is told that we are at it.
  const serving = Promise.withResolvers<AppPorts>();
  let served: Awaited<ReturnType<typeof listen>> | null = null;
  const logins = openLogins({ file: home.logins, nowMs: Date.now });
  if (options.serve !== false) {
    const token = readOrMakeToken(home);
    served = await listen(serving.promise, {
      version: VERSION,
      port: config.port,
      sock: home.sock,
      token,
      compat: config.serve.compat,
      logins,
    });
    opened.push(() => served?.close());
    if (served.notice !== null) notice(served.notice);
    const file: DaemonFile = { version: VERSION, pid: process.pid, port: served.port, sock: home.sock };
    opened.push(() => removeFiles(home.pidFile, home.daemonJson));
    writeAtomically(home.daemonJson, `${JSON.stringify(file, null, 2)}\n`);
    writeAtomically(home.pidFile, `${process.pid}\n`);
  }
  let watch: Watch | null = null;
  let memory: Memory | null = null;
  let steer: Steer | null = null;
  const lag = createLagMeter(Date.now);

  const logPath = logFile(home, config);
  const recall = createRecall((work) => keeper.use(work));
  const quarantine = openQuarantine(home.quarantine, Date.now, (excerpt) => !recall.isForgotten(excerpt));
  const log = await openFileLog(logPath, {
    rotateBytes: config.rotateBytes,
    nowMs: Date.now,
    onNotice: notice,
  });
  opened.push(() => log.close());
  /** What rewrites the log does not stumble over a damaged part of it. */
  const tendSound = <T>(work: () => Promise<T>): Promise<T> =>
    log.exclusively(async () => {
      await keeper.checkLog();
      return work();
    });
  const append: typeof log.append = (events) => tellSlow("writing to the log", () => log.append(events));

  const openDatabase = () =>
    openReplaceableFile({
      path: home.db,
      skippedTools: config.skippedTools ?? undefined,
      nowMs: Date.now,
      onNotice: notice,
      showPosition,
    });
  const keeper = keepStore({
    place: await openWhenFree(openDatabase, notice),
    log,
    onNotice: notice,
    prepare: (store) => makeAll(store.memory, (error) => notice(`remembering failed: ${tellError(error)}`)),
    onRestored: ({ restored, unread }) =>
      notice(`restored ${restored} events of a lost part of the log, ${unread} that nobody had read`),
    onRepaired: (report) => notice(damageText(report)),
    onApplied: async (result, batch) => {
      log.applied(batch.lines);
      const events = eventsOf(batch);
      recall.applied(events);
      lag.applied(events);
      // First, and to its end: the others, and whoever followed the log, find the sessions as it tells them.
      await watch?.told(events, batch.next);
      memory?.told(events);
      steer?.told(events);
      for (const line of result.bad) quarantine.put("bad", "log", "no event", line);
      if (result.refused > 0) notice(`the database refused ${result.refused} event(s): see refused_events`);
    },
  });
  opened.push(() => keeper.close());

  // The time of what was read, not of the reading: the same input gives the same row.
  const saveOffset = (key: string, position: TailPosition, lastEventIso: string | null): Promise<void> =>
    keeper.use((store) => store.facts.saveStreamOffset(key, position, lastEventIso));
  await tellSlow("bringing the database level with the log", () => keeper.follow());
  await recall.load();
  log.tidy();

  const rules = followRules(home.configFile, home.pauses);
  // Where a model is asked on our behalf: its session is ours, not the user's.
  const ownFolder = join(realpathSync(home.dir), basename(home.modelFolder));
  const mayRecord: MayRecord = (place) => place.cwd !== ownFolder && rules(place);
  const hidden = createHiddenTurns();
  const onUnrecorded = (event: HooklineEvent): void => {
    steer?.unrecorded(event);
    watch?.unrecorded(event);
  };
  const openAcceptor = () =>
    createAcceptor({
      mayRecord,
      recall: recall.ask,
      timesForgotten: recall.timesForgotten,
      hidden,
      reportedCall: agents.prompts.reportedCall,
      onUnrecorded,
    });
  const acceptor = openAcceptor();
  const projectOf = createProjectOf();
  const settler = createMemorySettler();
  opened.push(() => settler.close());
  settler.soon();
  /** Not faster than the database can follow, so that little waits in memory; but never held up by a locked one. */
  const followSoon = async (
    files: number,
    maxMs = files >= MANY_FILES ? BACKLOG_FOLLOW_MS : FOLLOW_MS,
  ): Promise<void> => {
    if (files >= MANY_FILES) settler.soon();
    const followed = keeper
      .follow()
      .catch((error) => notice(`following the log failed: ${tellError(error)}`));
    await Promise.race([followed, new Promise((resolve) => setTimeout(resolve, maxMs).unref())]);
  };
  const clock = watchClock({
    onStep: (step) => {
      // A laptop sleeps every day: nothing that a person has to look at.
      if (step.kind === "slept") writeLog("info", tellStep(step));
      else notice(tellStep(step));
      flush().catch((error) => notice(`taking in the spool failed: ${tellError(error)}`));
    },
    onDay: () => void retainOrSay(),
  });
  opened.push(() => clock.close());
  const capture = createSpoolCapture({
    spoolDir: home.spool,
    agents,
    projectOf,
    acceptor,
    append,
    quarantine,
    onTaken: followSoon,
    monotonicMs: () => performance.now(),
    nowMs: clock.cautiousMs,
  });

  const hooksFound = followHooks(claude, home, env);
  hooksFound();
  const status = async (): Promise<DaemonStatus> => ({
    ...tellBeing({ home, port: served?.port ?? null, startedAtIso, log: logPath }),
    hooksInstalled: hooksFound()?.installed ?? null,
    hooksRemoved: hooksFound()?.removed ?? false,
    lagMs: lag.lagMs(),
    torn: quarantine.count("torn"),
    quarantined: quarantine.count(),
    ...(await keeper.use((store) => store.facts.summary())),
    progress: long.progress(),
    steering: (await steer?.status()) ?? null,
    notices,
  });

  const drive = driveCapture({
    spoolDir: home.spool,
    drain: () => capture.drain(),
    onTrouble: (error) => notice(`capture is waiting: ${tellError(error)}`),
  });
  opened.push(() => drive.close());
  const level = async (): Promise<void> => {
    await drive.flush();
    await keeper.follow();
  };
  const flush = async (): Promise<void> => {
    await drive.flush();
    await streams.flush();
    await watch?.flush();
    await keeper.follow();
  };

  const streams = followStreams(foreignStreams(config, env, logPath), {
    acceptor,
    append,
    quarantine,
    keeper,
    saveOffset,
    notice,
  });
  opened.push(() => streams.close());

  const long = openLongWork({
    sourceOf: (root) => agents.transcriptsIn(root, env) ?? claude.transcripts,
    projectOf,
    openAcceptor,
    append,
    quarantine,
    keeper,
    saveOffset,
    tend: log.exclusively,
    follow: () => followSoon(MANY_FILES, IMPORT_FOLLOW_MS),
    onImported: () => watch?.imported(),
    onRebuilt: () => {
      watch?.again();
      memory?.again();
    },
  });
  const retention = keepRetention({
    days: config.retentionDays,
    log,
    keeper,
    quarantine,
    tend: tendSound,
    elapsedMs: clock.elapsedMs,
    onRemoved: (sessionIds, count) => {
      watch?.forget(sessionIds);
      memory?.again();
      if (count > 0) writeLog("info", `removed ${count} session(s) from log and database`);
    },
  });
  const retainOrSay = (): Promise<void> =>
    tellSlow("removing old sessions", () => retention.run()).catch((error) =>
      notice(`removing old sessions failed: ${tellError(error)}`),
    );
  const { write, note } = openOwnWriter({ acceptor: openAcceptor(), append, follow: () => keeper.follow() });
  // Loaded only now: who asks whether we are there is answered a quarter sooner.
  const [{ startMemory }, { openCuration }, { startSteer }, { openPages }, { openJudge }] = await Promise.all(
    [
      import("./remembering.ts"),
      import("./curation.ts"),
      import("./steering.ts"),
      import("./pages.ts"),
      import("../control/open-judge.ts"),
    ],
  );
  const judge = openJudge(env);
  opened.push(() => judge.close());
  memory = startMemory({
    agents,
    home,
    env,
    config,
    keeper,
    projectOf,
    mayRecord,
    note,
    isHeld: () => long.name() !== null,
    port: () => served?.port ?? null,
    notice,
    nowMs: Date.now,
  });
  opened.push(() => memory?.close());
  await memory.ready;
  const curation = openCuration({
    home,
    log,
    keeper,
    memory,
    openAcceptor,
    append,
    tend: tendSound,
    // What an import has accepted and not yet written was accepted before anything was forgotten.
    flush: async () => {
      await long.imported();
      await flush();
    },
    forgetSessions: (sessionIds) => {
      watch?.forget(sessionIds);
      watch?.again();
    },
    nowMs: Date.now,
  });
  // Before anybody can ask: what was to be forgotten when the last daemon ended.
  await tellSlow("forgetting", () => curation.finish()).catch((error) =>
    notice(`forgetting is not finished: ${tellError(error)}`),
  );

  // Much to remove does not hold up the start.
  await Promise.race([retainOrSay(), new Promise((resolve) => setTimeout(resolve, RETAIN_MS).unref())]);

  if (options.serve !== false) {
    watch = await startWatch({
      isImporting: () => long.isImporting(),
      home,
      env,
      config,
      log,
      keeper,
      agents,
      projectOf,
      openAcceptor,
      isOwn: (cwd) => cwd === ownFolder,
      append,
      loadOffset: (key) => keeper.use((store) => store.facts.streamOffset(key)),
      saveOffset,
      quarantine,
      flushSpool: () => drive.flush(),
      status,
      onChange: (snapshot) => steer?.sessionChanged(snapshot),
      notice,
      nowMs: Date.now,
      monotonicMs: () => performance.now(),
    });
    opened.push(() => watch?.close());
    steer = await startSteer({
      agents,
      home,
      env,
      config,
      port: served?.port ?? null,
      keeper,
      judge,
      projectOf,
      mayRecord,
      note,
      write: async (events) => {
        await write(events);
        void keeper.follow().catch((error) => notice(`following the log failed: ${tellError(error)}`));
      },
      level,
      remembered: async () => {
        await level();
        await memory?.flush();
      },
      isBacklog: () => work() !== null,
      onCards: (sessionId) => watch?.ports.stream.cardsChanged(sessionId),
      requestId: (spoolName, payload) => capture.requestId(spoolName, payload),
      session: (sessionId) => watch?.snapshot(sessionId),
      waiting: () => watch?.waiting() ?? [],
      notice,
      nowMs: Date.now,
    });
    opened.push(() => steer?.close());
    // Those that waited before there was anybody to tell.
    for (const snapshot of watch.waiting()) steer.sessionChanged(snapshot);
  }

  const work = (): string | null => {
    if (long.name() !== null) return long.name();
    if (curation.isForgetting()) return "forgetting";
    return retention.isRunning() ? "removing old sessions" : null;
  };
  const http = recordOverHttp({
    agents,
    projectOf,
    acceptor: openAcceptor(),
    append,
    keeper,
    nowMs: Date.now,
    feedback: async (event) => (await memory?.feedback(event)) ?? null,
  });
  const handedOver = Promise.withResolvers<void>();
  const ports: AppPorts = {
    version: VERSION,
    status,
    flush,
    rebuild: () => long.rebuild(),
    progress: () => long.progress(),
    importTranscripts: (root) => long.importTranscripts(root),
    events: (query) => keeper.use((store) => store.facts.events(query)),
    sessionIds: async (prefix) => (await watch?.sessionIds(prefix)) ?? [],
    ...(watch !== null && { watch: watch.ports }),
    memory: { ...memory.ports, ...curation.ports },
    hooks: http,
    worker: createWorkerSessions(http),
    ...(steer !== null && { control: steer.ports, steerAsks: steer.asks }),
    pages: openPages({
      home,
      env,
      keeper,
      judge,
      agent: claude,
      note,
      forget: (sessionId) => curation.ports.forget({ session: sessionId, dryRun: false }),
      nowMs: Date.now,
    }),
    handOver(request, answered) {
      const standing = { version: VERSION, work: work(), agents: steer?.atWork() ?? 0, nowMs: Date.now() };
      agreeToHandover(request, standing, (message) => writeLog("info", message));
      // At once; what hooks bring from now on is for the next one.
      void drive.close();
      void answered.then(handedOver.resolve);
      return { version: VERSION, pid: process.pid, closes: steer?.open() ?? 0 };
    },
  };
  serving.resolve(ports);
  const tookMs = Math.round(performance.now() - begunMs);
  if (served !== null)
    writeLog("info", `hookline ${VERSION} serves ${home.dir} on port ${served.port}, after ${tookMs} ms`);

  return {
    port: served?.port ?? null,
    status,
    async flush() {
      await flush();
      await memory?.flush();
    },
    rebuild: () => long.rebuild(),
    importTranscripts: (root) => long.importTranscripts(root),
    ask: async (path, init) => {
      const { createApp } = await import("../serve/app.ts");
      return createApp(ports, { token: "", via: "socket", port: () => null }).request(path, init);
    },
    loginAddress: () =>
      served?.port == null ? null : `http://127.0.0.1:${served.port}/#login=${logins.createCode(LOGIN_MS)}`,
    handedOver: handedOver.promise,
    async stop({ crashed = false } = {}) {
      clock.close();
      settler.close();
      // What is driven ends first: its last hooks are still taken in.
      await steer?.close();
      await judge.close();
      await drive.close();
      await streams.close();
      await watch?.close();
      await memory?.close();
      await served?.close();
      await long.rebuilt();
      const limit = new Promise((resolve) => setTimeout(resolve, LAST_FOLLOW_MS).unref());
      await Promise.race([keeper.follow(), limit]);
      await log.close();
      await keeper.close();
      if (served !== null) removeFiles(home.pidFile, home.daemonJson);
      if (!crashed) life?.end();
      writeLog("info", "stopped");
      atWork?.release();
      lock.release();
    },
  };
}
