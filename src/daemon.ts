import { existsSync, mkdirSync } from "node:fs";
import { claude } from "./agents/claude/claude.ts";
import { AppError } from "./app-error.ts";
import { createAcceptor } from "./capture/accept.ts";
import { createSpoolCapture } from "./capture/capture-spool.ts";
import { captureStream } from "./capture/capture-stream.ts";
import { driveCapture } from "./capture/drive-capture.ts";
import { driveStreams } from "./capture/drive-streams.ts";
import { importTranscripts } from "./capture/import-transcripts.ts";
import { createProjectOf } from "./capture/project-of.ts";
import { openQuarantine } from "./capture/quarantine.ts";
import { followRules } from "./capture/recording-rules.ts";
import { foreignStreams, loadConfig, logFile } from "./config.ts";
import { openDaemonLog, readOrMakeToken, removeFiles, writeAtomically } from "./daemon-files.ts";
import { takeDaemonLock } from "./daemon-lock.ts";
import { homeTrouble, runningDaemon } from "./daemon-trouble.ts";
import type { Env, Home } from "./home.ts";
import { openOwnLog } from "./log/own-log.ts";
import type { TailPosition } from "./log/tail-file.ts";
import type { AppPorts } from "./serve/app.ts";
import type { DaemonFile, DaemonStatus, ImportResult, RebuildResult } from "./serve/contract.ts";
import { listen } from "./serve/listen.ts";
import { createMemorySettler } from "./settle-memory.ts";
import { listSpool } from "./spool/read-spool.ts";
import { keepStore } from "./store/keep-store.ts";
import { removeSessions } from "./store/remove-sessions.ts";
import { mendLog } from "./store/restore-log.ts";
import { VERSION } from "./version.ts";

export interface Daemon {
  readonly port: number | null;
  status(): DaemonStatus;
  /** Takes what lies in the spool into the database. */
  flush(): Promise<void>;
  rebuild(): Promise<RebuildResult>;
  importTranscripts(root: string): Promise<ImportResult>;
  stop(): Promise<void>;
}

const NOTICES = 50;
const FOLLOW_MS = 250;
const MANY_FILES = 200;
const DAY_MS = 24 * 3_600_000;

/**
 * The composition root: the only file that knows every stage. Started in the order of the data's way from
 * its end (store, log, capture), so that nothing is accepted before it can be kept; stopped in the other.
 */
export async function startDaemon(
  home: Home,
  env: Env = process.env,
  options: { serve?: boolean } = {},
): Promise<Daemon> {
  const opened: Close[] = [];
  try {
    return await start(home, env, options, opened);
  } catch (error) {
    // Half a daemon must not hold the lock and go on alone.
    for (const close of opened.reverse()) await Promise.resolve(close()).catch(() => undefined);
    throw homeTrouble(home, error);
  }
}

type Close = () => unknown;

async function start(home: Home, env: Env, options: { serve?: boolean }, opened: Close[]): Promise<Daemon> {
  // Everything of ours is for its owner alone, also what SQLite makes.
  process.umask(0o077);
  mkdirSync(home.dir, { recursive: true, mode: 0o700 });
  const { config } = loadConfig(home, env);
  const lock = takeDaemonLock(home.lockFile);
  if (lock === null)
    throw new AppError("daemon_running", `${runningDaemon(home)} already serves ${home.dir}`);
  opened.push(() => lock.release());
  const startedAtIso = new Date().toISOString();
  const writeLog = openDaemonLog(home.daemonLog, config.logLevel);
  const notices: string[] = [];
  const notice = (message: string): void => {
    notices.push(`${new Date().toISOString()} ${message}`);
    if (notices.length > NOTICES) notices.shift();
    writeLog("warn", message);
  };
  let lagMs: number | null = null;
  let progress: DaemonStatus["progress"] = null;

  const log = { active: logFile(home, config) };
  const quarantine = openQuarantine(home.quarantine);
  quarantine.sweep();
  const own = await openOwnLog(log, { rotateBytes: config.rotateBytes, onNotice: notice });
  opened.push(() => own.close());
  const { append, tend, rotate } = own;

  const keeper = await keepStore({
    path: home.db,
    log,
    skippedTools: config.skippedTools ?? undefined,
    nowMs: Date.now,
    onNotice: notice,
    fresh: (position) => own.fresh(position),
    mend: async (store, missing) => {
      const mended = await mendLog(own, store, missing);
      if (mended === null) return undefined;
      notice(
        `restored ${mended.restored} events of a lost part of the log, ${mended.unread} that nobody had read`,
      );
      return mended.from;
    },
    onApplied: (result, lines) => {
      own.read(lines);
      for (const line of result.bad) quarantine.put("bad", "log", "no event", line);
      if (result.refused > 0) notice(`the database refused ${result.refused} event(s): see refused_events`);
    },
    onFollowed: ({ lastEventIso }) => {
      if (lastEventIso !== null) lagMs = Math.max(0, Date.now() - Date.parse(lastEventIso));
    },
  });
  opened.push(() => keeper.close());

  const saveOffset = (key: string, position: TailPosition, lastEventIso: string | null): void => {
    // The time of what was read, not of the reading: the same input gives the same row.
    keeper.use((store) => {
      const updatedAtIso = lastEventIso ?? store.streamOffset(key)?.updatedAtIso ?? "";
      store.saveStreamOffset(key, { ...position, updatedAtIso });
    });
  };
  await keeper.follow();
  own.compress();

  const mayRecord = followRules(home.configFile, home.pauses);
  const recall = (promptId: string) => keeper.use((store) => store.prompt(promptId));
  const acceptor = createAcceptor({ mayRecord, recall });
  const projectOf = createProjectOf();
  const settler = createMemorySettler();
  opened.push(() => settler.close());
  settler.soon();
  /** Not faster than the database can follow, so that little waits in memory; but never held up by a locked one. */
  const followSoon = async (files: number): Promise<void> => {
    if (files >= MANY_FILES) settler.soon();
    const followed = keeper.follow().catch((error) => notice(`following the log failed: ${error}`));
    await Promise.race([followed, new Promise((resolve) => setTimeout(resolve, FOLLOW_MS).unref())]);
  };
  const capture = createSpoolCapture({
    spoolDir: home.spool,
    agent: claude,
    projectOf,
    acceptor,
    append,
    quarantine,
    onTaken: followSoon,
    monotonicMs: () => performance.now(),
    nowMs: Date.now,
  });

  const status = (): DaemonStatus => {
    const files = listSpool(home.spool);
    const oldest = files[0];
    return {
      version: VERSION,
      pid: process.pid,
      home: home.dir,
      port: served?.port ?? null,
      startedAtIso,
      recording: existsSync(home.spool),
      lagMs,
      spoolDepth: files.length,
      spoolOldestMs:
        oldest === undefined ? null : Math.max(0, Date.now() - Number(oldest.timeNs / 1_000_000n)),
      torn: quarantine.count("torn"),
      quarantined: quarantine.count(),
      ...keeper.use((store) => store.summary()),
      log: log.active,
      progress,
      notices,
    };
  };

  const drive = driveCapture({
    spoolDir: home.spool,
    drain: () => capture.drain(),
    onTrouble: (error) => notice(`capture is waiting: ${(error as Error).message}`),
  });
  opened.push(() => drive.close());
  const flush = async (): Promise<void> => {
    await drive.flush();
    await streams.flush();
    await keeper.follow();
  };

  const streams = driveStreams(
    foreignStreams(config, env, log.active),
    async (path) => {
      const key = `stream:${path}`;
      const read = await captureStream({
        path,
        acceptor,
        append,
        quarantine,
        load: () => keeper.use((store) => store.streamOffset(key)),
        save: (position, lastEventIso) => saveOffset(key, position, lastEventIso),
      });
      if (read > 0) await keeper.follow();
    },
    (error) => notice(`reading a foreign stream failed: ${(error as Error).message}`),
  );

  opened.push(() => streams.close());

  let rebuilding: Promise<RebuildResult> | null = null;
  const rebuild = (): Promise<RebuildResult> => {
    rebuilding ??= tend(() =>
      keeper.rebuild((done, total) => {
        progress = { work: "rebuild", done, total };
      }),
    ).finally(() => {
      rebuilding = null;
      progress = null;
    });
    return rebuilding;
  };

  const importAll = async (root: string): Promise<ImportResult> => {
    const result = await importTranscripts({
      root,
      agent: claude,
      projectOf,
      acceptor: createAcceptor({ mayRecord, recall }),
      append,
      quarantine,
      load: (path) => keeper.use((store) => store.streamOffset(`transcript:${path}`)),
      save: (path, position, lastEventIso) => saveOffset(`transcript:${path}`, position, lastEventIso),
      onProgress: (at) => {
        progress = { work: "import", done: at.bytes, total: at.totalBytes };
      },
    }).finally(() => {
      progress = null;
    });
    await keeper.follow();
    const { files, bytes, events, badLines } = result;
    return { files, bytes, events, badLines };
  };

  const retain = async (): Promise<void> => {
    const before =
      config.retentionDays === null
        ? []
        : keeper.use((store) => store.sessionsOlderThan(daysAgo(config.retentionDays!)));
    const removed = await tend(() =>
      keeper.alone(() =>
        removeSessions(before, { log, store: keeper.store, rotate, nowIso: new Date().toISOString() }),
      ),
    );
    if (removed > 0) writeLog("info", `removed ${removed} session(s) from log and database`);
  };
  await retain();
  const daily = setInterval(() => {
    const swept = retain().then(() => quarantine.sweep());
    swept.catch((error) => notice(`removing old sessions failed: ${(error as Error).message}`));
  }, DAY_MS);
  daily.unref();
  opened.push(() => clearInterval(daily));

  let served: Awaited<ReturnType<typeof listen>> | null = null;
  if (options.serve !== false) {
    const ports: AppPorts = {
      version: VERSION,
      status,
      flush,
      rebuild,
      progress: () => progress,
      importTranscripts: importAll,
      events: (query) => keeper.use((store) => store.events(query)),
    };
    served = await listen(ports, { port: config.port, sock: home.sock, token: readOrMakeToken(home) });
    opened.push(() => served?.close());
    if (served.notice !== null) notice(served.notice);
    const file: DaemonFile = { version: VERSION, pid: process.pid, port: served.port, sock: home.sock };
    writeAtomically(home.daemonJson, `${JSON.stringify(file, null, 2)}\n`);
    writeAtomically(home.pidFile, `${process.pid}\n`);
    writeLog("info", `hookline ${VERSION} serves ${home.dir} on port ${served.port}`);
  }

  return {
    port: served?.port ?? null,
    status,
    flush,
    rebuild,
    importTranscripts: importAll,
    async stop() {
      clearInterval(daily);
      settler.close();
      await drive.close();
      await streams.close();
      await served?.close();
      await rebuilding?.catch(() => undefined);
      await keeper.follow();
      await own.close();
      await keeper.close();
      if (served !== null) removeFiles(home.pidFile, home.daemonJson);
      lock.release();
      writeLog("info", "stopped");
    },
  };
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}
