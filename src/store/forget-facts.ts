import { AppError } from "../app-error.ts";
import type { HooklineEvent } from "../event/event.ts";
import { memoryForgottenEvent } from "../event/memory-events.ts";
import type { Home } from "../home.ts";
import type { Log } from "../log/log.ts";
import {
  guardFinder,
  makeGuard,
  type TextFinder,
  type TextGuard,
  textFinder,
} from "../privacy/forgotten-text.ts";
import { type CutRequest, cutLog, findInLog } from "./cut-log.ts";
import { cutFiles, findInFiles } from "./forget-files.ts";
import { checkRequest, type ForgetRequest, isTextAlone } from "./forget-request.ts";
import { doneId, type Forgetting, type Found } from "./forgetting.ts";

/** What forgetting needs of the daemon. */
export interface ForgetPorts {
  readonly home: Home;
  readonly log: Log;
  /** Of the database as it is now. */
  readonly forgetting: () => Forgetting;
  /** Returns when the events are safe on the disk. */
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  /** All that was told, and is held or lies in the spool, is in the database when it returns. */
  readonly settle: () => Promise<void>;
  readonly follow: () => Promise<void>;
  /** Neither what the log has nor the database changes while `work` runs, but by it. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** These lost something: what is kept of them in memory goes, and their rows are made again. */
  readonly onCut: (sessionIds: readonly string[]) => void;
  /** How many summaries go because all that they tell of goes, beside the items that are counted. */
  readonly lostSummaries: (found: Found) => Promise<number>;
  /** Memory makes again what it made of them. */
  readonly remake: () => Promise<void>;
  /** The search index loses what is no longer there. */
  readonly scrub: () => Promise<void>;
  readonly nowMs: () => number;
  /** Random text. */
  readonly salt: () => string;
}

export interface ForgetReport {
  readonly facts: number;
  readonly sessions: number;
  readonly items: number;
  readonly dryRun: boolean;
}

/** What was made of what is left may say it again: then that goes too. */
const MOST_ROUNDS = 4;

/**
 * Forgets: writes down in the log that it is to be, then cuts it out of everything. Killed after the first, the next
 * start finishes it (`finishForgetting`). docs/decisions/0019-forgetting.md
 */
export async function forgetFacts(
  request: ForgetRequest,
  ports: ForgetPorts,
  dryRun = false,
): Promise<ForgetReport> {
  checkRequest(request);
  await ports.settle();
  const finder = request.match === undefined ? undefined : textFinder(request.match);
  const first = await find(request, finder, ports);
  let { facts, items } = await countFound(first, ports);
  let sessions = first.sessions.size;
  if (dryRun) return { facts, sessions, items, dryRun };
  const guard = isTextAlone(request) ? makeGuard(request.match!, ports.salt()) : undefined;
  const asked = new Set<string>();
  let isCompact = true;
  for (let round = 0, found = first; round < MOST_ROUNDS; round++) {
    await bury(found, round === 0 ? guard : undefined, ports);
    // What was accepted a moment before is in the log and the database by now, and is found with the rest.
    await ports.settle();
    const finderOf = (of: TextGuard): TextFinder => (of.digest === guard?.digest ? finder! : guardFinder(of));
    if (!(await finishForgetting(ports, finderOf))) isCompact = false;
    for (const id of found.facts) asked.add(id);
    found = without(await find(request, finder, ports), asked);
    if (found.facts.size === 0 && found.sessions.size === 0) break;
    const more = await countFound(found, ports);
    facts += more.facts;
    items += more.items;
    sessions += found.sessions.size;
  }
  if (!isCompact)
    throw new AppError(
      "forget_unfinished",
      "it is forgotten, but the database could not be written anew (it is in use, or the disk is full), so that its free pages may still hold it: the next start of the daemon does that",
    );
  if (guard !== undefined) await checkGone(ports, [finder!]);
  return { facts, sessions, items, dryRun };
}

/**
 * Cuts what was asked for and is not done yet. At every start, before anything is served. False when the old words may
 * still lie in free pages of the database, because others hold it or the disk is full: the next start tries again.
 */
export async function finishForgetting(ports: ForgetPorts, finderOf = guardFinder): Promise<boolean> {
  const asked = await ports.forgetting().unfinished();
  if (asked.length === 0) return true;
  const gone = toRequest(asked, finderOf);
  const owners = await ports.forgetting().sessionsOf(gone.facts);
  const sessions = [...new Set([...owners, ...gone.sessions.keys()])];
  ports.onCut(sessions);
  const guards = gone.guards.map(({ finder }) => finder);
  const files = { home: ports.home, log: ports.log, finders: guards, sessions, nowMs: ports.nowMs() };
  await ports.alone(async () => {
    const { facts, kept } = await cutLog(ports.log, gone);
    const all = new Set([...gone.facts, ...facts]);
    await ports.forgetting().cut({ facts: all, sessions: gone.sessions, kept, guards });
    cutFiles(files);
  });
  ports.onCut(sessions);
  await ports.remake();
  const isCompact = await ports.alone(() => compact(ports));
  await ports.scrub();
  if (!isCompact) return false;
  const done = asked.map((event) => ({
    ...memoryForgottenEvent(event.occurredAtIso, { facts: [], sessions: [] }),
    id: doneId(event.id),
    phase: "done",
  }));
  await ports.append(done);
  await ports.follow();
  return true;
}

async function find(
  request: ForgetRequest,
  finder: TextFinder | undefined,
  ports: ForgetPorts,
): Promise<Found> {
  const logged = new Set<string>();
  if (finder !== undefined) {
    for await (const { id } of findInLog(ports.log, finder)) logged.add(id);
  }
  return ports.forgetting().find(request, finder, logged);
}

async function countFound(found: Found, ports: ForgetPorts): Promise<Pick<ForgetReport, "facts" | "items">> {
  const { facts, items } = await ports.forgetting().count(found);
  return { facts, items: items + (await ports.lostSummaries(found)) };
}

function without(found: Found, asked: ReadonlySet<string>): Found {
  return { facts: new Set([...found.facts].filter((id) => !asked.has(id))), sessions: found.sessions };
}

/** One line of the log for so many facts. */
const FACTS_A_LINE = 2_000;

async function bury(found: Found, guard: TextGuard | undefined, ports: ForgetPorts): Promise<void> {
  const atIso = new Date(ports.nowMs()).toISOString();
  const facts = [...found.facts].sort();
  const events: HooklineEvent[] = [];
  for (let at = 0; at === 0 || at < facts.length; at += FACTS_A_LINE) {
    const part = facts.slice(at, at + FACTS_A_LINE);
    const sessions = at === 0 ? [...found.sessions].sort() : [];
    events.push(
      memoryForgottenEvent(atIso, {
        facts: part,
        sessions,
        ...(at === 0 && guard !== undefined && { guard: { ...guard } }),
      }),
    );
  }
  await ports.append(events);
  await ports.follow();
  for (const event of events) await ports.forgetting().bury(event);
}

function toRequest(asked: readonly HooklineEvent[], finderOf: typeof guardFinder): CutRequest {
  const facts = new Set<string>();
  const sessions = new Map<string, string>();
  const guards: CutRequest["guards"][number][] = [];
  for (const event of asked) {
    const at = event.occurredAtIso;
    for (const id of event["facts"] as string[]) facts.add(id);
    for (const id of event["sessions"] as string[]) if ((sessions.get(id) ?? "") < at) sessions.set(id, at);
    const guard = event["guard"] as TextGuard | undefined;
    if (guard !== undefined) guards.push({ finder: finderOf(guard), at });
  }
  return { facts, sessions, guards };
}

const COMPACT_TRIES = 30;
const COMPACT_MS = 100;

/** Others may read the database for a moment. */
async function compact(ports: ForgetPorts): Promise<boolean> {
  for (let attempt = 0; attempt < COMPACT_TRIES; attempt++) {
    const outcome = await ports.forgetting().compact();
    if (outcome !== "busy") return outcome === "done";
    await new Promise((resolve) => setTimeout(resolve, COMPACT_MS));
  }
  return false;
}

async function checkGone(ports: ForgetPorts, finders: readonly TextFinder[]): Promise<void> {
  const files = { home: ports.home, log: ports.log, finders, sessions: [], nowMs: ports.nowMs() };
  const left = await findInFiles(files);
  if (left.length === 0) return;
  throw new AppError(
    "forget_left",
    `it is forgotten wherever it was said; the same letters still stand in ${left.join(", ")}, in a setting or as part of a name, an id or a time`,
  );
}
