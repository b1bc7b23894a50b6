import { AppError } from "../app-error.ts";
import type { HooklineEvent } from "../event/event.ts";
import { memoryForgottenEvent } from "../event/memory-events.ts";
import type { Home } from "../home.ts";
import type { Log } from "../log/log.ts";
import {
  createTextFinder,
  createTextGuard,
  finderForGuard,
  type TextFinder,
  type TextGuard,
} from "../privacy/forgotten-text.ts";
import { eraseFromFiles, findInFiles } from "./erase-from-files.ts";
import { eraseFromLog, findInLog, type LogErasure } from "./erase-from-log.ts";
import { assertForgetRequest, type ForgetRequest, isTextOnly } from "./forget-request.ts";
import { erasureDoneId, type ForgetTargets, type Forgetting } from "./forgetting.ts";

/** What forgetting needs from the daemon. */
export interface ForgetPorts {
  readonly home: Home;
  readonly log: Log;
  /** Resolved on each call, because a rebuild replaces the database. */
  readonly forgetting: () => Forgetting;
  /** Resolves when the events are durable on disk. */
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  /** Resolves when everything accepted or spooled so far is in the database. */
  readonly flush: () => Promise<void>;
  readonly follow: () => Promise<void>;
  /** Nothing else changes the log or the database while `work` runs. */
  readonly runExclusive: <T>(work: () => Promise<T>) => Promise<T>;
  /** These sessions lost events: drops their in-memory state and rebuilds their rows. */
  readonly onErased: (sessionIds: readonly string[]) => void;
  /** The number of summaries lost because everything they cover is lost, beyond the counted items. */
  readonly countLostSummaries: (found: ForgetTargets) => Promise<number>;
  /** Rebuilds the memory items derived from the erased facts. */
  readonly rebuildItems: () => Promise<void>;
  /** Removes deleted items from the search index. */
  readonly scrubIndex: () => Promise<void>;
  readonly nowMs: () => number;
  readonly createSalt: () => string;
}

export interface ForgetReport {
  readonly facts: number;
  readonly sessions: number;
  readonly items: number;
  readonly dryRun: boolean;
}

/** Limit on repeated passes: items rebuilt from what is left may contain the text again. */
const MAX_ROUNDS = 4;

/**
 * Forgets: records the request in the log, then erases the content everywhere. If killed in between, the next
 * start finishes it (`finishForgetting`). docs/decisions/0019-forgetting.md
 */
export async function forgetFacts(
  request: ForgetRequest,
  ports: ForgetPorts,
  dryRun = false,
): Promise<ForgetReport> {
  assertForgetRequest(request);
  await ports.flush();
  const finder = request.match === undefined ? undefined : createTextFinder(request.match);
  const first = await find(request, finder, ports);
  let { facts, items } = await countFound(first, ports);
  let sessions = first.sessions.size;
  if (dryRun) return { facts, sessions, items, dryRun };
  const guard = isTextOnly(request) ? createTextGuard(request.match!, ports.createSalt()) : undefined;
  const startedAtIso = new Date(ports.nowMs()).toISOString();
  const requestedFacts = new Set<string>();
  let isCompact = true;
  let found = first;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await writeTombstones(found, round === 0 ? guard : undefined, ports);
    // Events accepted just before are in the log and the database by now, and are found with the rest.
    await ports.flush();
    const finderOf = (target: TextGuard): TextFinder =>
      target.digest === guard?.digest ? finder! : finderForGuard(target);
    if (!(await finishForgetting(ports, finderOf))) isCompact = false;
    for (const id of found.facts) requestedFacts.add(id);
    found = withoutFacts(await find(request, finder, ports), requestedFacts);
    if (isEmpty(found) || round === MAX_ROUNDS - 1) break;
    const more = await countFound(found, ports);
    facts += more.facts;
    items += more.items;
    sessions += found.sessions.size;
  }
  if (!isCompact)
    throw new AppError(
      "forget_unfinished",
      "forgotten, but free pages of the database may still hold it (the database is in use, or the disk is full); the daemon cleans them at its next start",
    );
  if (guard !== undefined) await assertErased(ports, [finder!]);
  else if (!isEmpty(found)) {
    // Events that occurred since are new: an active session must not keep this from finishing.
    const older = { ...request, beforeIso: earlier(request.beforeIso, startedAtIso) };
    if (!isEmpty(withoutFacts(await find(older, finder, ports), requestedFacts)))
      throw new AppError(
        "forget_unfinished",
        "forgotten, but more matching events were recorded meanwhile; run it again",
      );
  }
  return { facts, sessions, items, dryRun };
}

/**
 * Finishes pending erasures. Runs at every start, before anything is served. False when old text may remain
 * in free pages of the database because it is in use or the disk is full; the next start retries.
 */
export async function finishForgetting(ports: ForgetPorts, finderOf = finderForGuard): Promise<boolean> {
  const requests = await ports.forgetting().pendingErasures();
  if (requests.length === 0) return true;
  const erasure = toLogErasure(requests, finderOf);
  const owners = await ports.forgetting().sessionsOf(erasure.facts);
  const sessions = [...new Set([...owners, ...erasure.sessions.keys()])];
  ports.onErased(sessions);
  const guards = erasure.guards.map(({ finder }) => finder);
  const files = { home: ports.home, log: ports.log, finders: guards, sessions, nowMs: ports.nowMs() };
  await ports.runExclusive(async () => {
    const { facts, stillLogged } = await eraseFromLog(ports.log, erasure);
    const all = new Set([...erasure.facts, ...facts]);
    await ports.forgetting().erase({ facts: all, sessions: erasure.sessions, stillLogged, guards });
    eraseFromFiles(files);
  });
  ports.onErased(sessions);
  await ports.rebuildItems();
  const isCompact = await ports.runExclusive(() => compact(ports));
  await ports.scrubIndex();
  if (!isCompact) return false;
  const done = requests.map((event) => ({
    ...memoryForgottenEvent(event.occurredAtIso, { facts: [], sessions: [] }),
    id: erasureDoneId(event.id),
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
): Promise<ForgetTargets> {
  const logged = new Set<string>();
  if (finder !== undefined) {
    for await (const { id } of findInLog(ports.log, finder)) logged.add(id);
  }
  return ports.forgetting().find(request, finder, logged);
}

async function countFound(
  found: ForgetTargets,
  ports: ForgetPorts,
): Promise<Pick<ForgetReport, "facts" | "items">> {
  const { facts, items } = await ports.forgetting().count(found);
  return { facts, items: items + (await ports.countLostSummaries(found)) };
}

function isEmpty({ facts, sessions, items }: ForgetTargets): boolean {
  return facts.size === 0 && sessions.size === 0 && items.size === 0;
}

function earlier(iso: string | undefined, otherIso: string): string {
  return iso !== undefined && iso < otherIso ? iso : otherIso;
}

function withoutFacts(found: ForgetTargets, requestedFacts: ReadonlySet<string>): ForgetTargets {
  return { ...found, facts: new Set([...found.facts].filter((id) => !requestedFacts.has(id))) };
}

/** Maximum number of facts per log line. */
const FACTS_PER_LINE = 2_000;

async function writeTombstones(
  found: ForgetTargets,
  guard: TextGuard | undefined,
  ports: ForgetPorts,
): Promise<void> {
  const atIso = new Date(ports.nowMs()).toISOString();
  const facts = [...found.facts].sort();
  const events: HooklineEvent[] = [];
  for (let at = 0; at === 0 || at < facts.length; at += FACTS_PER_LINE) {
    const part = facts.slice(at, at + FACTS_PER_LINE);
    const sessions = at === 0 ? [...found.sessions].sort() : [];
    const items = at === 0 ? [...found.items].sort((a, b) => a - b) : [];
    events.push(
      memoryForgottenEvent(atIso, {
        facts: part,
        sessions,
        ...(items.length > 0 && { items }),
        ...(at === 0 && guard !== undefined && { guard: { ...guard } }),
      }),
    );
  }
  await ports.append(events);
  await ports.follow();
  for (const event of events) await ports.forgetting().addTombstones(event);
}

function toLogErasure(requests: readonly HooklineEvent[], finderOf: typeof finderForGuard): LogErasure {
  const facts = new Set<string>();
  const sessions = new Map<string, string>();
  const guards: LogErasure["guards"][number][] = [];
  for (const event of requests) {
    const at = event.occurredAtIso;
    for (const id of event["facts"] as string[]) facts.add(id);
    for (const id of event["sessions"] as string[]) if ((sessions.get(id) ?? "") < at) sessions.set(id, at);
    const guard = event["guard"] as TextGuard | undefined;
    if (guard !== undefined) guards.push({ finder: finderOf(guard), at });
  }
  return { facts, sessions, guards };
}

const MAX_COMPACT_ATTEMPTS = 30;
const COMPACT_RETRY_MS = 100;

/** Retries, because other processes may be reading the database briefly. */
async function compact(ports: ForgetPorts): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_COMPACT_ATTEMPTS; attempt++) {
    const outcome = await ports.forgetting().compact();
    if (outcome !== "busy") return outcome === "done";
    await new Promise((resolve) => setTimeout(resolve, COMPACT_RETRY_MS));
  }
  return false;
}

async function assertErased(ports: ForgetPorts, finders: readonly TextFinder[]): Promise<void> {
  const files = { home: ports.home, log: ports.log, finders, sessions: [], nowMs: ports.nowMs() };
  const left = await findInFiles(files);
  if (left.length === 0) return;
  throw new AppError(
    "forget_left",
    `forgotten in all content; the same text is still part of a setting, name, id or time in ${left.join(", ")}`,
  );
}
