import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claude } from "../../agents/claude/claude.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { ReactionEntry, type ReactionRule } from "../../policy/reaction-rules.ts";
import type { ReactionAnswerOptions } from "./answer-reactions.ts";
import type { StoredEvent } from "./call-ledger.ts";
import type { ReactionOptions } from "./drive-reactions.ts";

/** A scratch folder, a clock and an in-memory log, in place of a daemon. */
export interface ReactionWorld {
  readonly root: string;
  readonly project: string;
  readonly options: ReactionOptions & ReactionAnswerOptions;
  readonly recorded: HooklineEvent[];
  readonly notices: string[];
  readonly stored: StoredEvent[];
  readonly rules: ReactionRule[];
  nowMs: number;
  /** Translates a hook's payload to events that happen now, and stores them. */
  emit(payload: Readonly<Record<string, unknown>>, env?: Readonly<Record<string, string>>): HooklineEvent[];
  reactions(): readonly Readonly<Record<string, unknown>>[];
  close(): void;
}

export function openReactionWorld(env: Readonly<Record<string, string>> = {}): ReactionWorld {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-react-")));
  const project = join(root, "acme-shop");
  mkdirSync(project);
  let deliveries = 0;
  const world: ReactionWorld = {
    root,
    project,
    recorded: [],
    notices: [],
    stored: [],
    rules: [],
    nowMs: Date.now(),
    options: {
      env: { PATH: "/usr/bin:/bin", HOME: root, SECRET_KEY: "not for commands", ...env },
      metricsFile: join(root, "metrics.jsonl"),
      sessionSummary: async () => null,
      rules: () => world.rules,
      projectOf: (cwd) => cwd,
      isMachinePrompt: (prompt) => claude.prompts.authorOf(prompt) === "machine",
      mayRecord: () => true,
      events: async ({ after, limit, sessionId }) =>
        world.stored.filter(({ seq, event }) => seq > after && event.sessionId === sessionId).slice(0, limit),
      catchUp: async () => undefined,
      record: async (events) => void world.recorded.push(...events),
      notice: (message) => void world.notices.push(message),
      hasRun: async (rule, eventId) =>
        world.reactions().some((reaction) => reaction["rule"] === rule && reaction["eventId"] === eventId),
      recent: async () => [],
      nowMs: () => world.nowMs,
    },
    emit(payload, recorded = {}) {
      const name = `1-${deliveries++}-0`;
      const events = claude.translateHook(
        {
          payload: { session_id: "s1", cwd: project, prompt_id: "p1", ...payload },
          name,
          timeNs: String(deliveries),
          contentHash: () => name,
          occurredAtIso: new Date(world.nowMs).toISOString(),
          pid: null,
          env: recorded,
        },
        (cwd) => cwd,
      );
      world.stored.push(...events.map((event, index) => ({ seq: world.stored.length + index + 1, event })));
      return events;
    },
    reactions: () => world.recorded.map((event) => event["reaction"] as Record<string, unknown>),
    close: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
  return world;
}

/** A rule as a file would define it. */
export function rule(id: string, entry: Readonly<Record<string, unknown>>): ReactionRule {
  const { on, match, agentType, project, when, do: action, timeoutSeconds } = ReactionEntry.parse(entry);
  return {
    id,
    source: "user",
    recipe: null,
    on,
    match: match ?? null,
    agentType: agentType ?? null,
    project: project ?? null,
    when: when ?? {},
    do: action,
    timeoutSeconds,
  };
}
