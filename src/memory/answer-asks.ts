import type { HookReply } from "../agents/answer-format.ts";
import { isPlainObject } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";
import { memoryInjectedEvent } from "../event/memory-events.ts";
import type { MemoryRows } from "../store/memory-rows.ts";
import { contextOf } from "./inject/answers.ts";
import { chooseForFile } from "./inject/choose-for-file.ts";
import { chooseForPrompt, type PromptKinds, queryOf } from "./inject/choose-for-prompt.ts";
import type { Given } from "./inject/fill-budget.ts";
import { type GiveRules, mayGive } from "./inject/rules.ts";
import type { GivenItem, InjectionKind, SearchHit } from "./memory-contract.ts";
import { fromItemRow } from "./resolve-item.ts";
import type { MemoryIndex, SearchRequest } from "./search/memory-index.ts";

export interface AskOptions {
  readonly rows: MemoryRows;
  readonly index: Pick<MemoryIndex, "search">;
  readonly rules: () => GiveRules;
  readonly projectOf: (cwd: string | null) => string | null;
  /** Whether anything of there is recorded now. */
  readonly mayRecord: (place: {
    projectPath: string | null;
    cwd: string | null;
    occurredAtIso: string;
  }) => boolean;
  readonly prompts: PromptKinds;
  readonly promptTokens: number;
  /** Writes down what was given; nobody waits for it. */
  readonly note: (event: HooklineEvent) => void;
  readonly nowMs: () => number;
  readonly timeZone: () => string;
}

export interface Asks {
  /** The payload of a prompt's hook; what is said to it, or null. */
  prompt(payload: unknown): Promise<HookReply | null>;
  /** The payload of the hook before a tool that reads or changes one file. */
  file(payload: unknown): Promise<HookReply | null>;
}

/** A vector that is not there by then, as while the embedder is loaded, takes no part: somebody waits for the prompt. */
const DEADLINE_MS = 80;
/** After this nothing is given: an index that is just being opened, a machine that is busy. */
const LAST_MS = 200;
/** Scores run from 0 to 1. Measured on the history of test/remember: of 35 questions 26 are given something, 24 the
 *  right thing; of 70 that have nothing to do with the project one is. At 0.42 only 18 are. */
const THRESHOLD = 0.35;
const HITS = 30;
const FILE_ITEMS = 200;
const MOST_SESSIONS = 1_000;

export function answerAsks(options: AskOptions): Asks {
  const { rows, nowMs } = options;
  /** Of which files sessions were told. After a restart the ids they were given still count. */
  const filesTold = new Map<string, Set<string>>();

  const begin = async (payload: unknown, kind: InjectionKind): Promise<Asker | null> => {
    if (!isPlainObject(payload)) return null;
    const { session_id: sessionId, cwd } = payload;
    if (typeof sessionId !== "string" || typeof cwd !== "string") return null;
    const project = options.projectOf(cwd);
    if (project === null) return null;
    const place = { projectPath: project, cwd, occurredAtIso: new Date(nowMs()).toISOString() };
    if (!options.mayRecord(place)) return null;
    if (mayGive(options.rules(), { kind, project, sessionId }).type === "no") return null;
    return { payload, sessionId, project, ...(await givenTo(rows, sessionId)) };
  };

  const search = async (
    request: Omit<SearchRequest, "nowMs" | "deadlineMs">,
  ): Promise<readonly SearchHit[]> => {
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(late.resolve, LAST_MS, null);
    const found = options.index.search({ ...request, deadlineMs: DEADLINE_MS, nowMs: nowMs() });
    // A search that fails after its time is nobody's concern any more.
    found.catch(() => undefined);
    const answer = await Promise.race([found, late.promise]).finally(() => clearTimeout(timer));
    return answer?.hits ?? [];
  };

  const note = (kind: InjectionKind, asker: Asker, given: Given, key: string): void => {
    const { sessionId, project } = asker;
    const base = { sessionId, projectPath: project, occurredAtIso: new Date(nowMs()).toISOString() };
    options.note(memoryInjectedEvent(base, { kind, key, tokens: given.tokens, items: [...given.items] }));
  };

  return {
    async prompt(payload) {
      const asker = await begin(payload, "prompt");
      const prompt = asker?.payload["prompt"];
      const query = typeof prompt === "string" ? queryOf(prompt, options.prompts) : null;
      if (asker === null || query === null) return null;
      const { sessionId, project, given, compactedAtIso } = asker;
      const hits = await search({ query, filters: { project }, limit: HITS, except: [...given] });
      const chosen = chooseForPrompt({
        hits: hits.filter(({ kind }) => kind !== "prompt"),
        threshold: THRESHOLD,
        budgetTokens: options.promptTokens,
        sessionId,
        given,
        compactedAtIso,
        project,
        timeZone: options.timeZone(),
      });
      if (chosen === null) return null;
      note("prompt", asker, chosen, String(asker.payload["prompt_id"] ?? nowMs()));
      return contextOf(chosen);
    },

    async file(payload) {
      const asker = await begin(payload, "file");
      const file = asker === null ? null : fileOf(asker.payload);
      if (asker === null || file === null) return null;
      const { sessionId, project, given, compactedAtIso } = asker;
      const filesGiven = filesTold.get(sessionId) ?? new Set<string>();
      if (filesTold.size >= MOST_SESSIONS) filesTold.clear();
      filesTold.set(sessionId, filesGiven);
      const hits = await search({
        query: "",
        filters: { project, file },
        limit: FILE_ITEMS,
        ways: "full_text",
      });
      const items = (await rows.items(hits.map(({ id }) => id))).map(fromItemRow);
      const chosen = chooseForFile({
        file,
        items,
        sessionId,
        filesGiven,
        given,
        compactedAtIso,
        project,
        timeZone: options.timeZone(),
      });
      filesGiven.add(file);
      if (chosen === null) return null;
      note("file", asker, chosen, `${file}\n${String(asker.payload["tool_use_id"] ?? nowMs())}`);
      return contextOf(chosen);
    },
  };
}

interface Asker {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly sessionId: string;
  readonly project: string;
  readonly given: ReadonlySet<number>;
  readonly compactedAtIso: string | null;
}

const MOST_INJECTIONS = 500;

/** What a session was given and still knows. A digest's line does not say what a prompt about it should be told. */
async function givenTo(
  rows: MemoryRows,
  sessionId: string,
): Promise<Pick<Asker, "given" | "compactedAtIso">> {
  // Together: somebody waits.
  const [compactedAtIso, injections] = await Promise.all([
    rows.lastCompaction(sessionId),
    rows.injections({ sessionId, limit: MOST_INJECTIONS }),
  ]);
  const given = new Set<number>();
  for (const { kind, atIso, itemsJson } of injections) {
    if (compactedAtIso !== null && atIso <= compactedAtIso) continue;
    if (kind !== "prompt" && kind !== "file") continue;
    for (const { id } of JSON.parse(itemsJson) as GivenItem[]) given.add(id);
  }
  return { given, compactedAtIso };
}

function fileOf({ tool_input: input }: Readonly<Record<string, unknown>>): string | null {
  if (!isPlainObject(input)) return null;
  const path = input["file_path"] ?? input["notebook_path"];
  return typeof path === "string" && path.startsWith("/") ? path : null;
}
