import { claude } from "../../src/agents/claude/claude.ts";
import { createAcceptor } from "../../src/capture/accept.ts";
import type { HooklineEvent } from "../../src/event/event.ts";
import { contentHash, factId } from "../../src/event/ids.ts";
import type { AgentMeta, ScriptRecord, SessionSetup } from "./session-script.ts";

/** Converts the records of a session to logged events. */
export function toEvents(
  desk: SessionSetup,
  told: readonly ScriptRecord[],
  metas: ReadonlyMap<string, AgentMeta>,
  startMs: number,
): HooklineEvent[] {
  const acceptor = createAcceptor({ mayRecord: () => true });
  const folder = `/home/dev/.claude/projects/-home-dev-${desk.project}/${factId("demo", desk.key)}`;
  const transcripts = new Map<string | undefined, ReturnType<typeof claude.transcripts.open>>();
  const transcriptOf = (agentId: string | undefined) => {
    const path = agentId === undefined ? `${folder}.jsonl` : `${folder}/subagents/agent-${agentId}.jsonl`;
    const open =
      transcripts.get(agentId) ??
      claude.transcripts.open({ path, agentId, meta: { ...metas.get(agentId ?? "") } }, (cwd) => cwd);
    transcripts.set(agentId, open);
    return open;
  };
  const env: Record<string, string> =
    desk.pid === null ? {} : { CLAUDE_PID: String(desk.pid), CLAUDE_CODE_ENTRYPOINT: "cli", TMUX_PANE: "%4" };
  const sorted = [...told].sort((a, b) => a.atMs - b.atMs);
  return sorted.flatMap((record, index) => {
    const atMs = startMs + record.atMs;
    const occurredAtIso = new Date(atMs).toISOString();
    if ("line" in record) {
      const events = transcriptOf(record.agentId).translateLine({ ...record.line, timestamp: occurredAtIso });
      return acceptor.accept(events.filter(({ eventType }) => !HOOK_REPORTED.has(eventType)).map(unfollowed));
    }
    const delivery = {
      payload: record.hook,
      env: record.hook["hook_event_name"] === "SessionStart" ? env : {},
      name: `${desk.pid ?? 0}-${index}-0`,
      timeNs: `${BigInt(Math.round(atMs)) * 1_000_000n}`,
      occurredAtIso,
      contentHash: () => contentHash(`${desk.key} ${index}`),
      pid: desk.pid,
    };
    return acceptor.accept(claude.translateHook(delivery, (cwd) => cwd).map(unfollowed));
  });
}

const HOOK_REPORTED: ReadonlySet<string> = new Set(["turn.start", "tool.start"]);

/** There is no transcript file to follow. */
function unfollowed({ transcriptPath: _none, ...event }: HooklineEvent): HooklineEvent {
  return event as HooklineEvent;
}
