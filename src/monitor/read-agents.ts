import type { Reading } from "./reading.ts";
import type { SkillRun } from "./session-detail.ts";
import type { BackgroundTask, CurrentAction, SubagentSnapshot } from "./session-snapshot.ts";
import type { CallView, SkillView, SubagentView } from "./session-view.ts";
import { callText } from "./tool-text.ts";

/** The newest running call of an agent (`agentId` null: the main agent). */
export function currentCall({ view, turn }: Reading, agentId: string | null): CallView | null {
  let newest: CallView | null = null;
  for (const call of view.openCalls.values()) {
    if (call.agentId !== agentId) continue;
    // A call whose turn is over was denied or interrupted: its end was never reported.
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

/**
 * Subagents without a stop event that were active since the last turn end, or are named by it: a manual stop
 * is never reported.
 */
export function runningSubagents({ view, end }: Reading): SubagentView[] {
  const taskIds = new Set(end?.tasks.map((task) => task.id));
  return [...view.subagents.values()].filter(({ agentId, stoppedAt, lastAt }) => {
    if (stoppedAt !== null && stoppedAt >= lastAt) return false;
    return end === null || lastAt > end.at || taskIds.has(agentId);
  });
}

const MAX_SUBAGENTS = 20;

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
    .slice(0, MAX_SUBAGENTS);
}

/** Tasks still running after the last turn, minus those reported as stopped since. */
export function runningTasks({ view, turn, end }: Reading): BackgroundTask[] {
  if (turn !== null || end === null) return [];
  return end.tasks.filter(({ id }) => {
    const subagent = view.subagents.get(id);
    return subagent === undefined || subagent.stoppedAt === null || subagent.stoppedAt < subagent.lastAt;
  });
}

/** The most recently started skill in progress. */
export function runningSkill(reading: Reading): SkillView | null {
  let running: SkillView | null = null;
  for (const skill of reading.view.skills.values()) {
    if (skill.startAt === null || (skill.endAt !== null && skill.endAt >= skill.startAt)) continue;
    if (!isOfOpenTurn(skill, reading) || skill.startAt < (running?.startAt ?? "")) continue;
    running = skill;
  }
  return running;
}

/** All skills of a session in start order. One whose turn ended before it did was interrupted. */
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

/** A skill without a prompt may come from a program that reports no turns: then only a turn's end ends it. */
function isOfOpenTurn({ promptId, startAt }: SkillView, { turn, end, runningProcess }: Reading): boolean {
  if (promptId !== null) return promptId === turn?.promptId;
  if ((runningProcess?.start?.at ?? "") > startAt!) return false;
  return turn !== null || end === null || end.at < startAt!;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
