import type { AnswerFormat } from "../agents/answer-format.ts";
import type { MemoryRows } from "../store/memory-rows.ts";
import { openWork } from "./compress/summarise-turn.ts";
import { noticeOf, sessionStartAnswer } from "./inject/answers.ts";
import { buildDigest, type DigestSource } from "./inject/build-digest.ts";
import type { Given } from "./inject/fill-budget.ts";
import { type GiveRules, type MayGive, mayGive } from "./inject/rules.ts";
import type { DigestName, WrittenDigests } from "./inject/write-digests.ts";
import { readTurn } from "./make-turn.ts";
import type { MemoryItem } from "./memory-item.ts";
import { fromItemRow } from "./resolve-item.ts";

/** Keeps ready, as files, what sessions are given at their start: for any session of a project, and for some. */
export interface DigestKeeper {
  /** Something of these projects changed; they may still be asked for. */
  touched(projects: Iterable<string> | Promise<Iterable<string>>): void;
  /** Something was forgotten: what is being made of what was read before is made again. */
  cut(): void;
  /** A session is about to lose its context. */
  compacting(sessionId: string): void;
  /** Whether what lies ready is what the rules of now let lie there; what it says is not looked at. */
  isReady(project: string): boolean;
  /** All that was touched is written. */
  settle(): Promise<void>;
  /** What would be given now. */
  preview(project: string, source: DigestSource): Promise<Given | { readonly off: string } | null>;
  /** What was given to a session that began then, as far as it is known. */
  givenAt(project: string, sessionId: string, source: DigestSource, atIso: string): Given | undefined;
  close(): Promise<void>;
}

export interface DigestOptions {
  readonly rows: MemoryRows;
  readonly rules: () => GiveRules;
  readonly changedFiles: (project: string) => Promise<readonly string[]>;
  readonly write: (project: string, files: ReadonlyMap<DigestName, string>) => Promise<WrittenDigests>;
  /** What lies ready for any session of a project; null: nothing. */
  readonly read: (project: string, source: DigestSource) => string | null;
  /** In whose words digests are written. */
  readonly answers: AnswerFormat;
  readonly budgetTokens: number;
  /** Null: no notice is shown to the person. */
  readonly port: () => number | null;
  readonly notice: boolean;
  readonly nowMs: () => number;
  readonly timeZone: () => string;
  readonly onTrouble: (error: unknown) => void;
}

interface WrittenName {
  /** When it was last among the digests of its project. */
  readonly lastMs: number;
  /** The newest first. */
  readonly digests: readonly { readonly atIso: string; readonly given: Given | null }[];
}

const ITEMS = 400;
const PINNED = 30;
/** Sessions of a project that may be resumed, the newest. */
const SESSIONS = 8;
const COMPACTING_MS = 3_600_000;
/** How many earlier digests of a name are remembered: a session may have read the one before. */
const EARLIER = 3;
/** Whoever read a digest that is no longer written has said so by then. */
const READ_MS = 24 * 3_600_000;
const MAX_PROJECTS = 100;
const AT_ONCE = 2;
const SOURCES = ["startup", "resume", "compact"] as const;

export function keepDigests(options: DigestOptions): DigestKeeper {
  const due = new Set<string>();
  const open = new Map<string, { readonly project: string; readonly text: string; readonly atMs: number }>();
  /** By project, the one touched last at the end, and by name. */
  const written = new Map<string, Map<string, WrittenName>>();
  /** What has still to find out which projects are due. */
  const asking = new Set<Promise<void>>();
  let running: Promise<void> | null = null;
  let isClosed = false;
  let cuts = 0;

  const run = async (): Promise<void> => {
    while (due.size > 0 && !isClosed) {
      const projects = [...due].slice(0, AT_ONCE);
      for (const project of projects) due.delete(project);
      await Promise.all(projects.map((project) => refresh(project).catch(options.onTrouble)));
    }
  };
  const start = (): Promise<void> => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };

  const refresh = async (project: string): Promise<void> => {
    const files = new Map<DigestName, string>();
    const cutsBefore = cuts;
    const digests = await digestsOf(project);
    if (cuts !== cutsBefore) {
      due.add(project);
      return;
    }
    note(project, digests);
    for (const [name, given] of digests) {
      // Empty for a session that is to be given nothing where others are.
      if (given !== null)
        files.set(
          name,
          sessionStartAnswer(options.answers, given, options.notice ? noticeOf(given, options.port()) : null),
        );
      else if (name.includes("-")) files.set(name, "");
    }
    await options.write(project, files);
  };

  const note = (project: string, digests: ReadonlyMap<string, Given | null>): void => {
    const lastMs = options.nowMs();
    const names = written.get(project) ?? new Map<string, WrittenName>();
    for (const [name, given] of digests) {
      const before = names.get(name)?.digests ?? [];
      const isSame = before.length > 0 && before[0]?.given?.text === given?.text;
      const newest = isSame ? [] : [{ atIso: new Date(lastMs).toISOString(), given }];
      names.set(name, { lastMs, digests: [...newest, ...before].slice(0, EARLIER) });
    }
    for (const [name, known] of names) if (known.lastMs < lastMs - READ_MS) names.delete(name);
    written.delete(project);
    written.set(project, names);
    const [oldest] = written.keys();
    if (written.size > MAX_PROJECTS) written.delete(oldest!);
  };

  const digestsOf = async (project: string): Promise<Map<DigestName, Given | null>> => {
    const rules = options.rules();
    const may = (kind: DigestSource, sessionId: string | null): MayGive =>
      mayGive(rules, { kind, project, sessionId });
    const digests = new Map<DigestName, Given | null>();
    if (!SOURCES.some((kind) => may(kind, null).type === "yes")) return digests;
    const base = await baseOf(project);
    const put = (source: DigestSource, sessionId: string | null, work: readonly string[] = []): void => {
      const name: DigestName = sessionId === null ? source : `${source}-${sessionId}`;
      const isAllowed = may(source, sessionId).type === "yes";
      digests.set(name, isAllowed ? buildDigest({ ...base, source, sessionId, openWork: work }) : null);
    };
    for (const source of SOURCES) put(source, null);
    const sessions = new Set([
      ...base.sessions,
      ...rules.switches.sessions.filter((id) => /^[\w.-]{1,100}$/.test(id)),
    ]);
    for (const sessionId of sessions) put("resume", sessionId);
    for (const sessionId of rules.switches.sessions.filter((id) => sessions.has(id))) {
      put("startup", sessionId);
      put("compact", sessionId);
    }
    for (const [sessionId, work] of open) {
      if (options.nowMs() - work.atMs > COMPACTING_MS) open.delete(sessionId);
      else if (work.project === project) put("compact", sessionId, [work.text]);
    }
    return digests;
  };

  const baseOf = async (project: string) => {
    const changedFiles = await options.changedFiles(project);
    const items = await recent(options.rows, project);
    const sessions = [...new Set(items.map(({ sessionId }) => sessionId))].slice(0, SESSIONS);
    return {
      project,
      timeZone: options.timeZone(),
      items,
      sessions: sessions.filter((id) => /^[\w.-]{1,100}$/.test(id)),
      changedFiles,
      nowIso: new Date(options.nowMs()).toISOString(),
      budgetTokens: options.budgetTokens,
    };
  };

  const touch = (projects: Iterable<string>): void => {
    for (const project of projects) due.add(project);
    if (due.size > 0 && !isClosed) void start();
  };
  /** Waited for by whoever waits for the digests. */
  const ask = (work: Promise<void>): void => {
    const asked = work.catch(options.onTrouble).finally(() => asking.delete(asked));
    asking.add(asked);
  };
  const noteOpenWork = async (sessionId: string): Promise<void> => {
    const cutsBefore = cuts;
    const found = await openWorkOf(options.rows, sessionId);
    if (cuts !== cutsBefore) return noteOpenWork(sessionId);
    if (found === null) return;
    open.set(sessionId, { ...found, atMs: options.nowMs() });
    touch([found.project]);
  };

  return {
    touched(projects) {
      if (projects instanceof Promise) ask(projects.then(touch));
      else touch(projects);
    },
    cut() {
      cuts++;
    },
    compacting: (sessionId) => ask(noteOpenWork(sessionId)),
    isReady(project) {
      const rules = options.rules();
      const address = options.notice && options.port() !== null ? `127.0.0.1:${options.port()}` : "";
      return SOURCES.every((source) => {
        const text = options.read(project, source);
        const isAllowed = mayGive(rules, { kind: source, project, sessionId: null }).type === "yes";
        // A project of which there is nothing to tell has no other two; all have a beginning.
        return text === null ? !isAllowed || source !== "startup" : isAllowed && text.includes(address);
      });
    },
    async settle() {
      while (due.size > 0 || running !== null || asking.size > 0) {
        await Promise.all(asking);
        await start();
      }
    },
    async preview(project, source) {
      const may = mayGive(options.rules(), { kind: source, project, sessionId: null });
      if (may.type === "no") return { off: may.why };
      return buildDigest({ ...(await baseOf(project)), source, sessionId: null });
    },
    givenAt(project, sessionId, source, atIso) {
      for (const name of [`${source}-${sessionId}`, source]) {
        const found = written
          .get(project)
          ?.get(name)
          ?.digests.find((each) => each.atIso <= atIso);
        if (found !== undefined) return found.given ?? undefined;
      }
      return undefined;
    },
    async close() {
      await Promise.all(asking);
      await start();
      isClosed = true;
    },
  };
}

/** What a session is at, of which its project's digest tells; null when there is nothing to tell. */
async function openWorkOf(
  rows: MemoryRows,
  sessionId: string,
): Promise<{ readonly project: string; readonly text: string } | null> {
  const promptId = await rows.latestTurn(sessionId);
  const project = (await rows.sessionRow(sessionId))?.project ?? null;
  if (promptId === null || project === null) return null;
  const turn = await readTurn(rows, sessionId, promptId);
  const text = turn.isPrivate ? null : openWork(turn.telling);
  return text === null ? null : { project, text };
}

/**
 * What is worth a line in a digest: no prompts, and of calls only those that changed or decided something. Beside
 * them what else ran since the oldest failure, by which a failure is known to be over.
 */
async function recent(rows: MemoryRows, project: string): Promise<MemoryItem[]> {
  const types = ["summary", "decision", "failure", "fix", "change", "test"];
  const told = [
    ...(await rows.recentItems({ project, pinned: true, limit: PINNED })),
    ...(await rows.recentItems({ project, types, limit: ITEMS })),
  ];
  const sinceIso = told.findLast(({ type }) => type === "failure")?.createdAtIso;
  const ran =
    sinceIso === undefined
      ? []
      : await rows.recentItems({ project, kinds: ["observation"], types: RAN, sinceIso, limit: RAN_ITEMS });
  return [...new Map([...told, ...ran].map((row) => [row.id, row])).values()].map(fromItemRow);
}

const RAN = ["command", "discovery", "research", "delegation"];
const RAN_ITEMS = 2_000;
