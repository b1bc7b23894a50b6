import { randomUUID } from "node:crypto";
import type { AgentAdapter } from "../agents/agent.ts";
import type { HooklineEvent, NewEvent } from "../event/event.ts";
import { contentHash } from "../event/ids.ts";
import type { HookPorts } from "../serve/hook-route.ts";
import type { WorkerPorts } from "../serve/worker-sessions.ts";
import type { Base } from "./base.ts";
import type { Recording } from "./recording.ts";

/** Events over HTTP go through the same translator, rules and log as a hook's file. */
export function createHttpRecorder(
  { agents, nowMs }: Base,
  { projectOf, record, liveStore }: Recording,
  /** A sentence for the agent about what was just stored. */
  feedbackOn: (event: HooklineEvent) => Promise<string | null>,
): HookPorts & WorkerPorts {
  const recordPayload = (
    payload: Readonly<Record<string, unknown>>,
    /** The sender, if specified; otherwise derived from the payload. */
    agent: Pick<AgentAdapter, "translateHook"> = agents,
  ): Promise<readonly HooklineEvent[]> => {
    const atMs = nowMs();
    const text = JSON.stringify(payload);
    const events = agent.translateHook(
      {
        payload,
        env: {},
        name: `http-${randomUUID()}`,
        timeNs: `${BigInt(atMs) * 1_000_000n}`,
        occurredAtIso: new Date(atMs).toISOString(),
        contentHash: () => contentHash(text),
        pid: null,
      },
      projectOf,
    );
    return record(
      events.map((event) => withProjectName(event, payload["project"])),
      { until: "store" },
    );
  };

  return {
    record: async (payload) => ({ eventIds: (await recordPayload(payload)).map(({ id }) => id) }),
    newId: () => randomUUID(),
    async hook(name, event, body) {
      const agent = agents.findAgent(name);
      if (agent === undefined) return { stored: false, error: `unknown agent ${name}` };
      const payload = agent.readHttpHook?.(event, body, randomUUID) ?? body;
      const [stored] = await recordPayload(payload, agent);
      if (stored === undefined) return { stored: false, error: "recording is off for this event" };
      const feedback = await feedbackOn(stored);
      return { stored: true, event_id: stored.id, ...(feedback !== null && { feedback }) };
    },
    session: (sessionId) => liveStore.use((store) => store.memory.recordedSession(sessionId)),
    sessionOfRow: (row) => liveStore.use((store) => store.memory.sessionIdOf(row)),
  };
}

/** A client without a folder names its project, and the name is all we have. */
function withProjectName(event: NewEvent, project: unknown): NewEvent {
  if (event.projectPath !== null || event.cwd !== null) return event;
  return typeof project === "string" && project !== "" ? { ...event, projectPath: project } : event;
}
