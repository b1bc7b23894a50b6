import { claude } from "../../agents/claude/claude.ts";
import { createFolderMatcher } from "../../capture/recording-rules.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { type ContextInjector, createContextInjector } from "../../memory/context-injector.ts";
import { type DigestStore, openDigestStore } from "../../memory/digest-store.ts";
import { changedFiles } from "../../memory/inject/changed-files.ts";
import type { InjectionRules } from "../../memory/inject/injection-rules.ts";
import { readDigest, writeDigests } from "../../memory/inject/write-digests.ts";
import type { MemoryIndex } from "../../memory/search/memory-index.ts";
import type { MemoryRows } from "../../store/memory-rows.ts";
import type { Base } from "../base.ts";
import type { Recording } from "../recording.ts";
import { readSwitches } from "../switches.ts";

export interface InjectionParts {
  readonly rows: MemoryRows;
  readonly index: MemoryIndex;
  readonly port: number | null;
  /** Records what memory did. */
  readonly record: (event: HooklineEvent) => void;
  readonly onDigestError: (error: unknown) => void;
}

/** Context injected into sessions: prepared digests, answers to prompts, and the rules for both. */
export interface Injection {
  readonly rules: () => InjectionRules;
  readonly digests: DigestStore;
  readonly injector: ContextInjector;
}

export function openInjection(base: Base, recording: Recording, parts: InjectionParts): Injection {
  const { agents, home, env, nowMs } = base;
  const { memory } = base.config;
  const { mayRecord, projectOf } = recording;
  const { rows, index, port, record } = parts;
  const rules = createRules(base, recording);
  const timeZone = createTimeZone();
  const digests = openDigestStore({
    rows,
    rules,
    changedFiles: (project) => changedFiles(project, { ...env }),
    write: (project, files) => writeDigests(home, project, files),
    read: (project, source) => readDigest(home, project, source),
    answers: claude.answers,
    budgetTokens: memory.digestTokens,
    port: () => port,
    notice: memory.notice,
    nowMs,
    timeZone,
    onError: parts.onDigestError,
  });
  const injector = createContextInjector({
    rows,
    index,
    rules,
    projectOf,
    mayRecord,
    prompts: agents.prompts,
    promptTokens: memory.promptTokens,
    record,
    nowMs,
    timeZone,
  });
  return { rules, digests, injector: injector };
}

function createRules({ home, config, nowMs }: Base, { mayRecord }: Recording): () => InjectionRules {
  const { memory } = config;
  const isOff = createFolderMatcher(memory.off);
  const isRecorded = (folder: string): boolean =>
    mayRecord({ projectPath: folder, cwd: null, occurredAtIso: new Date(nowMs()).toISOString() });
  return () => ({ memory, switches: readSwitches(home), isOff, isRecorded });
}

/** Lazy, on the first date to format: the tables behind it take 7 MB. */
function createTimeZone(): () => string {
  let zone: string | null = null;
  return () => {
    zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
    return zone;
  };
}
