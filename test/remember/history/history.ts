import { readFileSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../../../src/agents/claude/claude.ts";
import type { HookDelivery } from "../../../src/agents/hook-delivery.ts";
import { createAcceptor } from "../../../src/capture/accept.ts";
import type { HooklineEvent, NewEvent } from "../../../src/event/event.ts";
import { contentHash } from "../../../src/event/ids.ts";
import { openOrdinaryWork } from "./ordinary-work.ts";
import { parseStories } from "./parse-story.ts";
import { openRandom } from "./random.ts";
import { type HistoryRecord, sessionRecords } from "./session-records.ts";
import { type HistoryProject, PROJECTS, type StorySession } from "./story.ts";

const ORDINARY_SESSIONS = 12;

/** Three months of several projects: the stories, and ordinary work around and between them. */
export function historySessions(): StorySession[] {
  return PROJECTS.flatMap((project) => {
    const ordinary = openOrdinaryWork(project);
    const stories = parseStories(readStories(project), project).map((session) => {
      const random = openRandom(`around ${session.key}`);
      const [before, after] = [random.below(2), random.below(3)];
      const around = ordinary.turns(session.key, before + after);
      return {
        ...session,
        turns: [...around.slice(0, before), ...session.turns, ...around.slice(before)],
      };
    });
    const days = Array.from({ length: ORDINARY_SESSIONS }, (_, index) => ordinary.session(index));
    return [...stories, ...days].map(ordinary.thicken);
  }).sort((a, b) => a.startMs - b.startMs);
}

/** Everything Claude Code would have reported, in chronological order. */
export function historyRecords(): HistoryRecord[] {
  const records = historySessions().flatMap(sessionRecords);
  return records.sort((a, b) => (a.t < b.t ? -1 : a.t > b.t ? 1 : 0));
}

/**
 * The history as log events. From the transcripts only what no hook reports (the agent's text), as from a
 * daemon that follows them while the hooks work.
 */
export function historyEvents(): HooklineEvent[] {
  const acceptor = createAcceptor({ mayRecord: () => true });
  return translatedRecords().flatMap((events) => acceptor.accept(events));
}

/** The events of each record, before truncation. */
export function translatedRecords(): NewEvent[][] {
  const transcripts = new Map<string, ReturnType<typeof claude.transcripts.open>>();
  return historyRecords().map((record, index) => {
    if (record.type === "hook") return claude.translateHook(toDelivery(record, index), projectOf);
    const open = transcripts.get(record.path) ?? claude.transcripts.open({ path: record.path }, projectOf);
    transcripts.set(record.path, open);
    return open.translateLine(record.line).filter(({ eventType }) => !HOOK_TOLD.has(eventType));
  });
}

const HOOK_TOLD: ReadonlySet<string> = new Set([
  "turn.start",
  "tool.start",
  "tool_observation",
  "skill.lifecycle",
]);

function readStories(project: HistoryProject): string {
  return readFileSync(join(import.meta.dirname, "stories", `${project.name}.story`), "utf8");
}

function projectOf(cwd: string | null): string | null {
  return PROJECTS.find(({ path }) => cwd === path || cwd?.startsWith(`${path}/`))?.path ?? cwd;
}

function toDelivery(record: HistoryRecord & { type: "hook" }, index: number): HookDelivery {
  return {
    payload: record.payload,
    env: {},
    name: `1-${index}-0`,
    timeNs: `${Date.parse(record.t)}000000`,
    occurredAtIso: record.t,
    contentHash: () => contentHash(JSON.stringify(record.payload)),
    pid: 1,
  };
}
