import type { AgentTable } from "../agents/agent-table.ts";
import { claude } from "../agents/claude/claude.ts";
import type { ProjectOf } from "../agents/hook-delivery.ts";
import { folderMatcher, type MayRecord } from "../capture/recording-rules.ts";
import { watchRules } from "../capture/watch-rules.ts";
import type { Config } from "../config.ts";
import type { HooklineEvent } from "../event/event.ts";
import { memoryMarkEvent } from "../event/memory-events.ts";
import type { Env, Home } from "../home.ts";
import { answerAsks } from "../memory/answer-asks.ts";
import { answerFeedback } from "../memory/answer-feedback.ts";
import { askInjections, askItems, askTimeline } from "../memory/ask-memory.ts";
import { keepDigests } from "../memory/give-digests.ts";
import { changedFiles } from "../memory/inject/changed-files.ts";
import type { GiveRules } from "../memory/inject/rules.ts";
import { removeWelcome, writeWelcome } from "../memory/inject/welcome.ts";
import { readDigest, writeDigests } from "../memory/inject/write-digests.ts";
import { keepMemory } from "../memory/keep-memory.ts";
import { readTurn, summaryId } from "../memory/make-turn.ts";
import type { SearchAnswer, SearchFilters } from "../memory/memory-contract.ts";
import { givenEvent, isBegun } from "../memory/note-given.ts";
import { openMemoryIndex } from "../memory/search/open-memory-index.ts";
import type { AskedTurn } from "../memory/summarise/ask-prompt.ts";
import { createApiCall } from "../memory/summarise/call-api.ts";
import { createSdkCall } from "../memory/summarise/call-sdk.ts";
import { driveModel, type ModelStatus } from "../memory/summarise/drive-model.ts";
import { createThrottle } from "../memory/throttle.ts";
import { withoutSecrets } from "../privacy/redact.ts";
import type { MemoryPorts } from "../serve/memory-ports.ts";
import type { MemoryStatus, ProjectAnswer } from "../serve/memory-queries.ts";
import { askCurrent } from "../store/ask-current.ts";
import type { StoreKeeper } from "../store/keep-store.ts";
import type { JobTurn } from "../store/memory-jobs.ts";
import type { MemoryRows, MemoryWrite } from "../store/memory-rows.ts";
import { itemChangesAt } from "../store/sqlite/sqlite-item-changes.ts";
import { answerAs } from "./agents.ts";
import { tellError } from "./notices.ts";
import { noteSwitch, readSwitches } from "./switches.ts";

/** The remembering side of the daemon: what is made, indexed, given and asked, joined. */
export interface Memory {
  readonly ports: Omit<MemoryPorts, "forget" | "exportLines" | "importLines" | "importClaudeMem">;
  readonly rows: MemoryRows;
  /** What lies ready is known: before anybody is served. What is told meanwhile is not lost. */
  readonly ready: Promise<void>;
  /** What an agent should know of a call of its own that was just stored; null when there is nothing. */
  feedback(event: HooklineEvent): Promise<string | null>;
  /** What the database has just taken. */
  told(events: readonly HooklineEvent[]): void;
  /** All that was told is made, and the digests are written. */
  flush(): Promise<void>;
  /** Something was forgotten: nothing that was read before is given any more. */
  cut(): void;
  /** The search index has lost what is gone. */
  scrub(): Promise<void>;
  /** The database was made again, or lost something. */
  again(): void;
  close(): Promise<void>;
}

export interface MemoryOptions {
  readonly agents: AgentTable;
  readonly home: Home;
  readonly env: Env;
  readonly config: Config;
  readonly keeper: StoreKeeper;
  readonly projectOf: ProjectOf;
  readonly mayRecord: MayRecord;
  /** Writes events into the log and the database. */
  readonly note: (events: readonly HooklineEvent[]) => Promise<void>;
  /** Long work is under way, after which all is remembered at once. */
  readonly isHeld: () => boolean;
  readonly port: () => number | null;
  readonly notice: (message: string) => void;
  readonly nowMs: () => number;
}

/** Turns that ended longer ago are not worth a model's time: an import, a rebuild. */
const MODEL_MS = 24 * 3_600_000;
const PROJECTS_AT_START = 50;
const SEARCH_DEADLINE_MS = 3_000;
/** Digests ask git: at 50 events/s of one project that was a tenth of the main thread's time. */
const DIGEST_REST_MS = 1_000;
/** So many events at once are no session that begins now. */
const BACKLOG = 50;

export function startMemory(options: MemoryOptions): Memory {
  const { agents, home, env, keeper, nowMs, notice } = options;
  const { memory } = options.config;
  let zone: string | null = null;
  /** Asked when there is something to date: the tables behind it take 7 MB. */
  const timeZone = (): string => {
    zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
    return zone;
  };
  const trouble = (what: string) => (error: unknown) => notice(`${what}: ${tellError(error)}`);
  const rows = askCurrent<MemoryRows>((work) => keeper.use((store) => work(store.memory)));
  const isOff = folderMatcher(memory.off);
  const isRecorded = (folder: string): boolean =>
    options.mayRecord({
      projectPath: folder,
      cwd: null,
      occurredAtIso: new Date(nowMs()).toISOString(),
    });
  const rules = (): GiveRules => ({ memory, switches: readSwitches(home), isOff, isRecorded });
  const index = openMemoryIndex({ source: itemChangesAt(home.db), path: home.searchDb, embedder: memory });
  const note = (events: readonly HooklineEvent[]): Promise<void> =>
    options.note(events).catch(trouble("writing down what memory did failed"));

  const digests = keepDigests({
    rows,
    rules,
    changedFiles: (project) => changedFiles(project, { ...env }),
    write: (project, files) => writeDigests(home, project, files),
    read: (project, source) => readDigest(home, project, source),
    answers: claude.answers,
    budgetTokens: memory.digestTokens,
    port: options.port,
    notice: memory.notice,
    nowMs,
    timeZone,
    onTrouble: trouble("writing a digest failed"),
  });
  const asks = answerAsks({
    rows,
    index,
    rules,
    projectOf: options.projectOf,
    mayRecord: options.mayRecord,
    prompts: agents.prompts,
    promptTokens: memory.promptTokens,
    note: (event) => void note([event]),
    nowMs,
    timeZone,
  });
  const model = driveModel({
    model: memory.model,
    dailyTokens: memory.dailyTokens,
    jobs: (work) => keeper.use((store) => work(store.jobs)),
    ask:
      memory.modelVia === "api"
        ? createApiCall({ env, now: nowMs })
        : createSdkCall({ env, now: nowMs, folder: home.modelFolder }),
    turnOf: (turn) => askedTurn(rows, turn),
    write: options.note,
    now: nowMs,
    schedule: (work, delayMs) => {
      const timer = setTimeout(work, delayMs).unref();
      return { cancel: () => clearTimeout(timer) };
    },
    onTrouble: trouble("asking the model failed"),
  });

  const enqueue = (turn: JobTurn): void =>
    void model.enqueue(turn).catch(trouble("queueing a turn for the model failed"));

  const touched = new Set<string>();
  const refreshDigests = createThrottle(() => {
    digests.touched(touched);
    touched.clear();
  }, DIGEST_REST_MS);
  let hasNews = false;
  const makes = keepMemory({
    rows,
    isHeld: options.isHeld,
    onWritten(write) {
      hasNews ||= (write.items?.length ?? 0) + (write.gone?.length ?? 0) > 0;
      for (const { project } of write.items ?? []) if (project !== null) touched.add(project);
      if (memory.model !== null) for (const turn of freshTurns(write, nowMs())) enqueue(turn);
    },
    onLevel() {
      if (hasNews) index.changed();
      hasNews = false;
      if (touched.size > 0) refreshDigests.ask();
    },
    onTrouble: trouble("remembering failed"),
  });

  const projectAnswer = async <T>(
    name: string,
    found: (project: string) => Promise<T>,
  ): Promise<T | ProjectAnswer> => {
    const projects = await rows.projects(name);
    const own = projects.includes(name) ? [name] : projects;
    if (own.length > 1) return { type: "ambiguous", choices: own };
    return own.length === 0 ? { type: "unknown" } : found(own[0]!);
  };

  /** An embedder may be anybody's: it is not told secrets, also not those that are asked for. */
  const search = (words: string, filters: SearchFilters, limit: number): Promise<SearchAnswer> =>
    index.search({
      query: withoutSecrets(words),
      filters,
      limit,
      nowMs: nowMs(),
      deadlineMs: SEARCH_DEADLINE_MS,
    });

  const allTouched = (): void => {
    digests.touched(rows.projects().then((projects) => projects.slice(0, PROJECTS_AT_START)));
  };
  const ruleWatch = watchRules(home, allTouched);
  const again = (): void => {
    allTouched();
    makes.drain().catch(trouble("remembering failed"));
    index.changed();
  };
  const flush = async (): Promise<void> => {
    await makes.drain();
    refreshDigests.run();
    await digests.settle();
  };
  /** Whether a first session is to be welcomed, and none has had its turn. */
  let isFirst = memory.notice;
  const begin = async (): Promise<void> => {
    // What lies ready is as the last daemon left it: only what the rules or the address no longer allow is made again.
    const known = await rows.projects();
    digests.touched(known.slice(0, PROJECTS_AT_START).filter((project) => !digests.isReady(project)));
    isFirst &&= known.length === 0;
    if (isFirst) writeWelcome(home, options.port() ?? options.config.port, claude.answers);
    else removeWelcome(home);
    const hasWork = (await rows.outboxSize()) > 0;
    if (hasWork) makes.drain().catch(trouble("remembering failed"));
    if (hasWork || known.length > 0) index.changed();
  };
  const ready = begin();

  return {
    rows,
    ready,
    feedback: (event) =>
      answerFeedback(
        {
          rows,
          sessionEvents: (query) => keeper.use((store) => store.facts.sessionEvents(query)),
          rules,
          nowMs,
        },
        event,
      ),
    ports: {
      search: ({ query, filters, limit }) => search(query, filters, limit),
      async timeline({ anchor, query, project, type, ...around }) {
        const filters = { ...(project !== undefined && { project }), ...(type !== undefined && { type }) };
        const best = anchor ?? (await search(query ?? "", filters, 1)).hits[0]?.id;
        return best === undefined ? null : askTimeline(rows, { anchor: best, type, ...around });
      },
      items: (ids) => askItems(rows, ids),
      inject: (name) =>
        projectAnswer(name, async (project) => {
          const given = await digests.preview(project, "startup");
          return { type: "text" as const, text: given === null || "off" in given ? "" : given.text };
        }),
      flush,
      askPrompt: (payload) => answerAs(agents, payload, asks.prompt),
      askFile: (payload) => answerAs(agents, payload, asks.file),
      injections: ({ session, project, limit }) =>
        askInjections(rows, { sessionId: session, project, limit }),
      digest: (name, kind) =>
        projectAnswer(name, async (project) => {
          const empty = { project, kind, text: "", tokens: 0, items: [], off: null };
          if (kind === "prompt" || kind === "file") return { type: "preview" as const, preview: empty };
          const given = await digests.preview(project, kind);
          if (given === null) return { type: "preview" as const, preview: empty };
          if ("off" in given) return { type: "preview" as const, preview: { ...empty, off: given.off } };
          return { type: "preview" as const, preview: { ...empty, ...given, items: [...given.items] } };
        }),
      async mark(itemId, { pinned, edit }) {
        const [item] = await rows.items([itemId]);
        if (item === undefined) return null;
        const occurredAtIso = new Date(nowMs()).toISOString();
        const base = { sessionId: item.sessionId, projectPath: item.project, occurredAtIso };
        const mark = { ...(pinned !== undefined && { pinned }), ...(edit !== undefined && { edit }) };
        await options.note([memoryMarkEvent(base, itemId, mark)]);
        await makes.drain();
        return (await askItems(rows, [itemId]))[0] ?? null;
      },
      async switchContext({ on, ...what }) {
        const switches = noteSwitch(home, what, on ? "on" : "off");
        allTouched();
        await digests.settle();
        return switches;
      },
      async status() {
        return {
          index: await index.status(),
          outbox: await makes.waiting(),
          model: toModelStatus(await model.status()),
        };
      },
    },
    told(events) {
      makes.told(events);
      // Not at its start: the hook that prints the message runs beside the one that reports the start.
      if (isFirst && events.some(({ eventType }) => eventType.startsWith("turn."))) {
        isFirst = false;
        removeWelcome(home);
      }
      for (const event of events) {
        if (event.eventType === "compaction" && event.phase === "started")
          digests.compacting(event.sessionId);
        if (!isBegun(event)) continue;
        // Somebody may ask soon; not so in a backlog.
        if (events.length < BACKLOG) index.warm();
        const given = givenEvent(event, home, digests.givenAt);
        if (given !== undefined) void note([given]);
      }
    },
    flush,
    cut: () => digests.cut(),
    scrub: () => index.scrub(),
    again,
    async close() {
      ruleWatch.close();
      await makes.close();
      refreshDigests.run();
      refreshDigests.close();
      await digests.close();
      await model.close();
      await index.close();
    },
  };
}

function toModelStatus(status: ModelStatus): MemoryStatus["model"] {
  const { model, waiting, todayTokens, budget, stoppedBy, untilIso, lastError, givenUp } = status;
  if (model === null) return null;
  const note = [
    stoppedBy === null ? null : `stopped by ${stoppedBy}${untilIso === null ? "" : ` until ${untilIso}`}`,
    lastError,
    givenUp === 0 ? null : `${givenUp} turn(s) given up`,
  ].filter((part) => part !== null);
  return {
    name: model,
    waiting,
    tokensToday: todayTokens,
    dailyTokens: budget,
    note: note.length === 0 ? null : note.join("; "),
  };
}

/** Turns of which a summary was just made. */
function freshTurns(write: MemoryWrite, nowMs: number): JobTurn[] {
  const made = new Map((write.summaries ?? []).map(({ id, createdAtIso }) => [id, createdAtIso]));
  return write.done.flatMap(({ kind, key }) => {
    const [sessionId, promptId] = kind === "turn" ? key.split("\n") : [];
    if (sessionId === undefined || promptId === undefined) return [];
    const atIso = made.get(summaryId(sessionId, promptId));
    return atIso !== undefined && nowMs - Date.parse(atIso) < MODEL_MS ? [{ sessionId, promptId }] : [];
  });
}

async function askedTurn(rows: MemoryRows, { sessionId, promptId }: JobTurn): Promise<AskedTurn | null> {
  const turn = await readTurn(rows, sessionId, promptId);
  if (turn.isPrivate || turn.endedAtIso === null) return null;
  const id = summaryId(sessionId, promptId);
  const summary = (await rows.items([id]))[0]?.summaryJson ?? null;
  return {
    sessionId,
    promptId,
    project: (await rows.sessionRow(sessionId))?.project ?? null,
    prompt: turn.telling.prompt,
    lastWords: turn.telling.lastAnswer ?? turn.telling.messages.at(-1) ?? null,
    summaryId: id,
    summary: summary === null ? null : (JSON.parse(summary) as AskedTurn["summary"]),
    observations: turn.telling.calls.map(({ content }, index) => ({ id: turn.ids[index]!, content })),
  };
}
