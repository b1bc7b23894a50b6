import type { HookAsk, HookReply } from "../agents/answer-format.ts";
import type { HooklineEvent } from "../event/event.ts";
import { memoryInjectedEvent } from "../event/memory-events.ts";
import { type FindCallerOptions, findCaller, type HookCaller } from "./find-caller.ts";
import { toHookReply } from "./inject/answers.ts";
import { chooseForFile } from "./inject/choose-for-file.ts";
import { chooseForPrompt, type PromptClassifier, toSearchQuery } from "./inject/choose-for-prompt.ts";
import type { InjectedContext } from "./inject/fill-budget.ts";
import type { InjectionKind } from "./memory-contract.ts";
import { fromItemRow } from "./resolve-item.ts";
import type { MemoryIndex } from "./search/memory-index.ts";
import { searchWithDeadline } from "./search-with-deadline.ts";

export interface ContextInjectorOptions extends FindCallerOptions {
  readonly index: Pick<MemoryIndex, "search">;
  readonly prompts: PromptClassifier;
  readonly promptTokens: number;
  /** Records the injection; fire-and-forget. */
  readonly record: (event: HooklineEvent) => void;
  readonly timeZone: () => string;
}

export interface ContextInjector {
  /** Returns the reply to a prompt's hook, or null. */
  forPrompt(ask: HookAsk | null): Promise<HookReply | null>;
  /** Returns the reply to the hook before a tool that reads or changes one file. */
  forFile(ask: HookAsk | null): Promise<HookReply | null>;
}

/** Files already covered since a compaction: the agent forgets what it was told before. */
interface CoveredFiles {
  readonly compactedAtIso: string | null;
  readonly files: Set<string>;
}

/**
 * Minimum score, from 0 to 1. Measured on the history of test/remember: 26 of 35 questions get something,
 * 24 the right thing; of 70 unrelated questions, one gets something. At 0.42 only 18 get something.
 */
const MIN_SCORE = 0.35;
const MAX_HITS = 30;
const MAX_FILE_ITEMS = 200;
const MAX_SESSIONS = 1_000;

export function createContextInjector(options: ContextInjectorOptions): ContextInjector {
  const { rows, index, nowMs } = options;
  /** By session. After a restart the injected ids still count. */
  const coveredBySession = new Map<string, CoveredFiles>();

  return {
    async forPrompt(ask) {
      const caller = await findCaller(options, ask, "prompt");
      const prompt = caller?.ask.prompt ?? null;
      const query = prompt === null ? null : toSearchQuery(prompt, options.prompts);
      if (caller === null || query === null) return null;
      const { sessionId, project, injectedIds, compactedAtIso } = caller;
      const hits = await searchWithDeadline(index, {
        query,
        filters: { project },
        limit: MAX_HITS,
        except: [...injectedIds],
        nowMs: nowMs(),
      });
      const chosen = chooseForPrompt({
        hits: hits.filter(({ kind }) => kind !== "prompt"),
        threshold: MIN_SCORE,
        budgetTokens: options.promptTokens,
        sessionId,
        injectedIds,
        compactedAtIso,
        project,
        timeZone: options.timeZone(),
      });
      const key = caller.ask.promptId ?? String(nowMs());
      return inject(options, "prompt", caller, chosen, key);
    },

    async forFile(ask) {
      const caller = await findCaller(options, ask, "file");
      const file = caller?.ask.file ?? null;
      if (caller === null || !file?.startsWith("/")) return null;
      const { sessionId, project, injectedIds, compactedAtIso } = caller;
      const known = coveredBySession.get(sessionId);
      const injectedFiles = known?.compactedAtIso === compactedAtIso ? known.files : new Set<string>();
      if (coveredBySession.size >= MAX_SESSIONS) coveredBySession.clear();
      coveredBySession.set(sessionId, { compactedAtIso, files: injectedFiles });
      const hits = await searchWithDeadline(index, {
        query: "",
        filters: { project, file },
        limit: MAX_FILE_ITEMS,
        methods: "full_text",
        nowMs: nowMs(),
      });
      const items = (await rows.items(hits.map(({ id }) => id))).map(fromItemRow);
      const chosen = chooseForFile({
        file,
        items,
        sessionId,
        injectedFiles,
        injectedIds,
        compactedAtIso,
        project,
        timeZone: options.timeZone(),
      });
      injectedFiles.add(file);
      const key = `${file}\n${caller.ask.toolUseId ?? nowMs()}`;
      return inject(options, "file", caller, chosen, key);
    },
  };
}

/** Returns what was chosen, if anything, and records the injection. */
function inject(
  { record, nowMs }: ContextInjectorOptions,
  kind: InjectionKind,
  { sessionId, project }: HookCaller,
  chosen: InjectedContext | null,
  key: string,
): HookReply | null {
  if (chosen === null) return null;
  const { tokens, items } = chosen;
  const base = { sessionId, projectPath: project, occurredAtIso: new Date(nowMs()).toISOString() };
  record(memoryInjectedEvent(base, { kind, key, tokens, items: [...items] }));
  return toHookReply(chosen);
}
