import { claude } from "../../agents/claude/claude.ts";
import { folderMatcher } from "../../capture/recording-rules.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { type Asks, answerAsks } from "../../memory/answer-asks.ts";
import { type DigestKeeper, keepDigests } from "../../memory/give-digests.ts";
import { changedFiles } from "../../memory/inject/changed-files.ts";
import type { GiveRules } from "../../memory/inject/rules.ts";
import { readDigest, writeDigests } from "../../memory/inject/write-digests.ts";
import type { MemoryIndex } from "../../memory/search/memory-index.ts";
import type { MemoryRows } from "../../store/memory-rows.ts";
import type { Base } from "../base.ts";
import type { Recording } from "../recording.ts";
import { readSwitches } from "../switches.ts";

export interface GivingParts {
  readonly rows: MemoryRows;
  readonly index: MemoryIndex;
  readonly port: number | null;
  /** Writes down what memory did. */
  readonly note: (event: HooklineEvent) => void;
  readonly onDigestTrouble: (error: unknown) => void;
}

/** What is given to sessions: digests that lie ready, answers to prompts, and the rules for both. */
export interface Giving {
  readonly rules: () => GiveRules;
  readonly digests: DigestKeeper;
  readonly asks: Asks;
}

export function openGiving(base: Base, recording: Recording, parts: GivingParts): Giving {
  const { agents, home, env, nowMs } = base;
  const { memory } = base.config;
  const { mayRecord, projectOf } = recording;
  const { rows, index, port, note } = parts;
  const rules = createRules(base, recording);
  const timeZone = createTimeZone();
  const digests = keepDigests({
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
    onTrouble: parts.onDigestTrouble,
  });
  const asks = answerAsks({
    rows,
    index,
    rules,
    projectOf,
    mayRecord,
    prompts: agents.prompts,
    promptTokens: memory.promptTokens,
    note,
    nowMs,
    timeZone,
  });
  return { rules, digests, asks };
}

function createRules({ home, config, nowMs }: Base, { mayRecord }: Recording): () => GiveRules {
  const { memory } = config;
  const isOff = folderMatcher(memory.off);
  const isRecorded = (folder: string): boolean =>
    mayRecord({ projectPath: folder, cwd: null, occurredAtIso: new Date(nowMs()).toISOString() });
  return () => ({ memory, switches: readSwitches(home), isOff, isRecorded });
}

/** Asked when there is something to date: the tables behind it take 7 MB. */
function createTimeZone(): () => string {
  let zone: string | null = null;
  return () => {
    zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
    return zone;
  };
}
