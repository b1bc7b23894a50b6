import type { Reading } from "./reading.ts";
import type { SkillRun } from "./session-detail.ts";
import type { BackgroundTask, CurrentAction, SubagentSnapshot } from "./session-snapshot.ts";
import type { CallView, SkillView, SubagentView } from "./session-view.ts";
import { callText } from "./tool-text.ts";

/** The newest call of an agent that runs; null for the main agent. */
export function currentCall({ view, turn }: Reading, agentId: string | null): CallView | null {
  let newest: CallView | null = null;
  for (const call of view.openCalls.values()) {
    if (call.agentId !== agentId) continue;
    // A call whose turn is over was denied or interrupted: nobody told its end.
    if (agentId === null && (call.promptId ?? "") !== turn?.promptId) continue;
    if (newest === null || call.at > newest.at) newest = call;
  }
  return newest;
}

export function toAction(call: CallView): CurrentAction {
  return {
    toolName: call.toolName,
    text: callText(call).slice(0, 500),
    toolUseId: call.toolUseId,
    sinceIso: call.at,
  };
}

/** Not told to have stopped, and since the last end of a turn heard of, or named by it: of one that was stopped by
 *  hand nobody tells. */
export function runningSubagents({ view, end }: Reading): SubagentView[] {
  const named = new Set(end?.tasks.map((task) => task.id));
  return [...view.subagents.values()].filter(({ agentId, stoppedAt, lastAt }) => {
    if (stoppedAt !== null && stoppedAt >= lastAt) return false;
    return end === null || lastAt > end.at || named.has(agentId);
  });
}

const MOST_SUBAGENTS = 20;

export function readSubagents(reading: Reading): SubagentSnapshot[] {
  const running = new Set(runningSubagents(reading));
  return [...reading.view.subagents.values()]
    .map((subagent) => {
      const isRunning = running.has(subagent);
      const call = isRunning ? currentCall(reading, subagent.agentId) : null;
      return {
        agentId: subagent.agentId,
        agentType: subagent.agentType,
        description: subagent.description,
        isRunning,
        sinceIso: isRunning ? subagent.firstAt : (subagent.stoppedAt ?? subagent.lastAt),
        action: call === null ? null : toAction(call),
      };
    })
    .sort(
      (a, b) =>
        Number(b.isRunning) - Number(a.isRunning) ||
        compare(b.sinceIso, a.sinceIso) ||
        compare(a.agentId, b.agentId),
    )
    .slice(0, MOST_SUBAGENTS);
}

/** What the end of the last turn left running, without what was told to have stopped since. */
export function runningTasks({ view, turn, end }: Reading): BackgroundTask[] {
  if (turn !== null || end === null) return [];
  return end.tasks.filter(({ id }) => {
    const subagent = view.subagents.get(id);
    return subagent === undefined || subagent.stoppedAt === null || subagent.stoppedAt < subagent.lastAt;
  });
}

/** The skill in progress that started last. */
export function runningSkill(reading: Reading): SkillView | null {
  let running: SkillView | null = null;
  for (const skill of reading.view.skills.values()) {
    if (skill.startAt === null || (skill.endAt !== null && skill.endAt >= skill.startAt)) continue;
    if (!isOfOpenTurn(skill, reading) || skill.startAt < (running?.startAt ?? "")) continue;
    running = skill;
  }
  return running;
}

/** All skills of a session in the order they started. One whose turn ended before it did was interrupted. */
export function readSkills(reading: Reading, isOver: boolean): SkillRun[] {
  return [...reading.view.skills.values()]
    .map((skill) => {
      const { skillName, startAt, endAt } = skill;
      const hasEnded = endAt !== null && endAt >= (startAt ?? "");
      const isRunning = !hasEnded && !isOver && isOfOpenTurn(skill, reading);
      const state = hasEnded ? "completed" : isRunning ? "in_progress" : "interrupted";
      return { skillName, state, startedAtIso: startAt, endedAtIso: hasEnded ? endAt : null } as const;
    })
    .sort((a, b) => compare(a.startedAtIso ?? a.endedAtIso!, b.startedAtIso ?? b.endedAtIso!));
}

/** A skill that names no prompt may come from a program that reports no turns: then only a turn's end ends it. */
function isOfOpenTurn({ promptId, startAt }: SkillView, { turn, end, living }: Reading): boolean {
  if (promptId !== null) return promptId === turn?.promptId;
  if ((living?.start?.at ?? "") > startAt!) return false;
  return turn !== null || end === null || end.at < startAt!;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
