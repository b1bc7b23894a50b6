import { randomUUID } from "node:crypto";
import type { AgentAdapter } from "../agents/agent.ts";
import type { AgentTable } from "../agents/agent-table.ts";
import type { ProjectOf } from "../agents/hook-delivery.ts";
import type { Acceptor } from "../capture/accept.ts";
import type { HooklineEvent, NewEvent } from "../event/event.ts";
import { contentHash } from "../event/ids.ts";
import type { HookPorts } from "../serve/hook-route.ts";
import type { WorkerPorts } from "../serve/worker-sessions.ts";
import type { StoreKeeper } from "../store/keep-store.ts";

export interface RecordOptions {
  readonly agents: AgentTable;
  readonly projectOf: ProjectOf;
  readonly acceptor: Acceptor;
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  readonly keeper: StoreKeeper;
  readonly nowMs: () => number;
  /** A sentence for the agent about what was just stored. */
  readonly feedback: (event: HooklineEvent) => Promise<string | null>;
}

/** What comes over HTTP takes the way of a hook's file: the same translator, the same rules, the same log. */
export function recordOverHttp(options: RecordOptions): HookPorts & WorkerPorts {
  const { agents, acceptor, keeper } = options;

  const accept = async (
    payload: Readonly<Record<string, unknown>>,
    /** Who sent it, where that was said; otherwise its payload tells. */
    agent: Pick<AgentAdapter, "translateHook"> = agents,
  ): Promise<readonly HooklineEvent[]> => {
    const nowMs = options.nowMs();
    const text = JSON.stringify(payload);
    const told = agent.translateHook(
      {
        payload,
        env: {},
        name: `http-${randomUUID()}`,
        timeNs: `${BigInt(nowMs) * 1_000_000n}`,
        occurredAtIso: new Date(nowMs).toISOString(),
        contentHash: () => contentHash(text),
        pid: null,
      },
      options.projectOf,
    );
    const events = told.map((event) => withName(event, payload["project"]));
    let accepted: readonly HooklineEvent[] = [];
    await acceptor.prepare(events, () => {
      accepted = acceptor.accept(events);
      acceptor.rest();
      return options.append(accepted);
    });
    await keeper.follow();
    return accepted;
  };

  return {
    record: async (payload) => ({ eventIds: (await accept(payload)).map(({ id }) => id) }),
    newId: () => randomUUID(),
    async hook(name, event, body) {
      const agent = agents.named(name);
      if (agent === undefined) return { stored: false, error: `there is no agent ${name}` };
      const payload = agent.readHttpHook?.(event, body, randomUUID) ?? body;
      const [stored] = await accept(payload, agent);
      if (stored === undefined) return { stored: false, error: "nothing of it may be kept" };
      const feedback = await options.feedback(stored);
      return { stored: true, event_id: stored.id, ...(feedback !== null && { feedback }) };
    },
    session: (sessionId) => keeper.use((store) => store.memory.toldSession(sessionId)),
    sessionOfRow: (row) => keeper.use((store) => store.memory.sessionOf(row)),
  };
}

/** A client that has no folder names its project: then the name is all there is. */
function withName(event: NewEvent, project: unknown): NewEvent {
  if (event.projectPath !== null || event.cwd !== null) return event;
  return typeof project === "string" && project !== "" ? { ...event, projectPath: project } : event;
}
