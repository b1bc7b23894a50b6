import type { HookAsk, HookReply } from "../agents/answer-format.ts";
import type { HooklineEvent } from "../event/event.ts";
import { memoryInjectedEvent } from "../event/memory-events.ts";
import { type Asker, type FindAskerOptions, findAsker } from "./find-asker.ts";
import { contextOf } from "./inject/answers.ts";
import { chooseForFile } from "./inject/choose-for-file.ts";
import { chooseForPrompt, type PromptKinds, queryOf } from "./inject/choose-for-prompt.ts";
import type { Given } from "./inject/fill-budget.ts";
import type { InjectionKind } from "./memory-contract.ts";
import { fromItemRow } from "./resolve-item.ts";
import type { MemoryIndex } from "./search/memory-index.ts";
import { searchInTime } from "./search-in-time.ts";

export interface AskOptions extends FindAskerOptions {
  readonly index: Pick<MemoryIndex, "search">;
  readonly prompts: PromptKinds;
  readonly promptTokens: number;
  /** Writes down what was given; nobody waits for it. */
  readonly note: (event: HooklineEvent) => void;
  readonly timeZone: () => string;
}

export interface Asks {
  /** What is said to a prompt's hook, or null. */
  prompt(ask: HookAsk | null): Promise<HookReply | null>;
  /** To the hook before a tool that reads or changes one file. */
  file(ask: HookAsk | null): Promise<HookReply | null>;
}

/** Scores run from 0 to 1. Measured on the history of test/remember: of 35 questions 26 are given something, 24 the
 *  right thing; of 70 that have nothing to do with the project one is. At 0.42 only 18 are. */
const THRESHOLD = 0.35;
const HITS = 30;
const FILE_ITEMS = 200;
const MOST_SESSIONS = 1_000;

export function answerAsks(options: AskOptions): Asks {
  const { rows, index, nowMs } = options;
  /** Of which files sessions were told. After a restart the ids they were given still count. */
  const filesTold = new Map<string, Set<string>>();

  return {
    async prompt(ask) {
      const asker = await findAsker(options, ask, "prompt");
      const prompt = asker?.ask.prompt ?? null;
      const query = prompt === null ? null : queryOf(prompt, options.prompts);
      if (asker === null || query === null) return null;
      const { sessionId, project, given, compactedAtIso } = asker;
      const hits = await searchInTime(index, {
        query,
        filters: { project },
        limit: HITS,
        except: [...given],
        nowMs: nowMs(),
      });
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
      const key = asker.ask.promptId ?? String(nowMs());
      return give(options, "prompt", asker, chosen, key);
    },

    async file(ask) {
      const asker = await findAsker(options, ask, "file");
      const file = asker?.ask.file ?? null;
      if (asker === null || !file?.startsWith("/")) return null;
      const { sessionId, project, given, compactedAtIso } = asker;
      const filesGiven = filesTold.get(sessionId) ?? new Set<string>();
      if (filesTold.size >= MOST_SESSIONS) filesTold.clear();
      filesTold.set(sessionId, filesGiven);
      const hits = await searchInTime(index, {
        query: "",
        filters: { project, file },
        limit: FILE_ITEMS,
        ways: "full_text",
        nowMs: nowMs(),
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
      const key = `${file}\n${asker.ask.toolUseId ?? nowMs()}`;
      return give(options, "file", asker, chosen, key);
    },
  };
}

/** Says what was chosen, if anything, and writes down that it was. */
function give(
  { note, nowMs }: AskOptions,
  kind: InjectionKind,
  { sessionId, project }: Asker,
  chosen: Given | null,
  key: string,
): HookReply | null {
  if (chosen === null) return null;
  const { tokens, items } = chosen;
  const base = { sessionId, projectPath: project, occurredAtIso: new Date(nowMs()).toISOString() };
  note(memoryInjectedEvent(base, { kind, key, tokens, items: [...items] }));
  return contextOf(chosen);
}
