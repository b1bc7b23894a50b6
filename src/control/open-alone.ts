import { homedir } from "node:os";
import { join } from "node:path";
import { createProjectOf } from "../capture/project-of.ts";
import { type Env, resolveHome } from "../home.ts";
import type { DrivenSessions } from "./control-ports.ts";
import { type DrivenSessionsOptions, openDrivenSessions } from "./driven-sessions.ts";
import { createClaudeFinder } from "./find-claude.ts";
import { followRules } from "./follow-rules.ts";
import { createMemoryEnvelopeStore } from "./memory-envelope-store.ts";
import { openJudge } from "./open-judge.ts";
import { openClaudeProcesses } from "./process/claude-processes.ts";
import { openSessionLocks } from "./session-locks.ts";
import { openTrust } from "./trust/trust.ts";

export interface AloneOptions {
  readonly env?: Env;
  readonly mode?: "default" | "acceptEdits" | "plan" | "auto" | "dontAsk" | "bypassPermissions";
  readonly model?: string;
  /** The claude to run; without it the user's own, else the one of the SDK. */
  readonly claude?: string;
  /** `subscription`: a claude.ai login may be used. */
  readonly billing?: "api" | "subscription";
  readonly maxSessions?: number;
  readonly maxBudgetUsd?: number;
  readonly onNotice?: (text: string) => void;
  /** Parts of one's own. */
  readonly parts?: Partial<DrivenSessionsOptions>;
}

const MOST_SESSIONS = 8;
const IDLE_MINUTES = 10;
/** Whoever speaks to a conversation that was closed meanwhile has it resumed. */
const ROOM = { idleMs: 0, attached: true };

/** Driven sessions without a daemon: the same rules, locks and processes, envelopes in memory. */
export function openAlone(options: AloneOptions = {}): {
  readonly sessions: DrivenSessions;
  close(): Promise<void>;
} {
  const { env = process.env, onNotice = () => undefined } = options;
  const home = resolveHome(env);
  const judge = openJudge(env);
  const trust = openTrust({ file: home.trust, nowMs: Date.now, env });
  const rules = followRules({
    userFile: home.rules,
    trustFile: home.trust,
    isTrusted: async (root) => (await trust.report(root)).trusted,
    onTrouble: ({ file, problems }) => onNotice(`${file}: ${problems[0]?.message}`),
  });
  const processes = openClaudeProcesses({ env, onNotice });
  const configDir = env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] || homedir(), ".claude");
  const sessions = openDrivenSessions({
    store: createMemoryEnvelopeStore(),
    processes,
    locks: openSessionLocks({
      dir: home.locks,
      registryDirs: [join(configDir, "sessions")],
      nowMs: Date.now,
    }),
    trust,
    finder: createClaudeFinder({ config: { claude: options.claude ?? null } }),
    judge: async (request) => {
      const { projectPath = null } = request;
      await rules.prepare(projectPath);
      return judge.judge(rules.joined(projectPath).policy, request);
    },
    log: null,
    env,
    home: null,
    hooks: {},
    projectOf: createProjectOf(),
    config: {
      maxSessions: options.maxSessions ?? MOST_SESSIONS,
      idleMinutes: IDLE_MINUTES,
      maxBudgetUsd: options.maxBudgetUsd ?? null,
      billing: options.billing ?? "api",
    },
    now: Date.now,
    onNotice,
    room: ROOM,
    ...options.parts,
  });
  return {
    sessions,
    async close() {
      await sessions.closeAll();
      await processes.close();
      await judge.close();
    },
  };
}
