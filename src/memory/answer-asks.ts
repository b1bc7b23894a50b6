import type { HookAsk, HookReply } from "../agents/answer-format.ts";
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
  /** What is said to a prompt's hook, or null. */
  prompt(ask: HookAsk | null): Promise<HookReply | null>;
  /** To the hook before a tool that reads or changes one file. */
  file(ask: HookAsk | null): Promise<HookReply | null>;
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

  const begin = async (ask: HookAsk | null, kind: InjectionKind): Promise<Asker | null> => {
    if (ask === null || ask.cwd === null) return null;
    const { sessionId, cwd } = ask;
    const project = options.projectOf(cwd);
    if (project === null) return null;
    const place = { projectPath: project, cwd, occurredAtIso: new Date(nowMs()).toISOString() };
    if (!options.mayRecord(place)) return null;
    if (mayGive(options.rules(), { kind, project, sessionId }).type === "no") return null;
    return { ask, sessionId, project, ...(await givenTo(rows, sessionId)) };
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
    async prompt(ask) {
      const asker = await begin(ask, "prompt");
      const prompt = asker?.ask.prompt ?? null;
      const query = prompt === null ? null : queryOf(prompt, options.prompts);
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
      note("prompt", asker, chosen, asker.ask.promptId ?? String(nowMs()));
      return contextOf(chosen);
    },

    async file(ask) {
      const asker = await begin(ask, "file");
      const file = asker?.ask.file ?? null;
      if (asker === null || !file?.startsWith("/")) return null;
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
      note("file", asker, chosen, `${file}\n${asker.ask.toolUseId ?? nowMs()}`);
      return contextOf(chosen);
    },
  };
}

interface Asker {
  readonly ask: HookAsk;
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
