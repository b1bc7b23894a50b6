import { claude } from "../agents/claude/claude.ts";
import { createProjectOf } from "../capture/project-of.ts";
import { followRecordingRules } from "../capture/recording-rules.ts";
import { Config, loadConfig } from "../config.ts";
import { type Env, type Home, resolveHome } from "../home.ts";
import type { DrivenSessions, SdkLog } from "./control-ports.ts";
import { type DrivenSessionsOptions, openDrivenSessions } from "./driven-sessions.ts";
import { createClaudeFinder } from "./find-claude.ts";
import { followRules } from "./follow-rules.ts";
import { createMemoryEnvelopeStore } from "./memory-envelope-store.ts";
import { openJudge } from "./open-judge.ts";
import { openClaudeProcesses } from "./process/claude-processes.ts";
import { openSdkLog } from "./sdk-log.ts";
import { openSessionLocks } from "./session-locks.ts";
import { openTrust } from "./trust/trust.ts";
import { unapprovedFiles } from "./trust/unapproved-files.ts";

export interface StandaloneOptions {
  readonly env?: Env;
  readonly mode?: "default" | "acceptEdits" | "plan" | "auto" | "dontAsk" | "bypassPermissions";
  readonly model?: string;
  /** The claude to run; defaults to the user's own, then to the SDK's. */
  readonly claude?: string;
  /** `subscription`: a claude.ai login may be used. */
  readonly billing?: "api" | "subscription";
  readonly maxSessions?: number;
  readonly maxBudgetUsd?: number;
  /** Whether to write `logs/sdk-<date>.jsonl` in the home, masked; by default as configured: yes. */
  readonly sdkLog?: boolean;
  readonly onNotice?: (text: string) => void;
  /** Overrides for individual parts. */
  readonly parts?: Partial<DrivenSessionsOptions>;
}

const MAX_SESSIONS = 8;
const IDLE_MINUTES = 10;
/** A message to a conversation closed meanwhile resumes it. */
const STANDALONE_ROOM = { idleMs: 0, attached: true };

export interface Standalone {
  readonly sessions: DrivenSessions;
  /** What a user should know before a session starts in a folder: broken and unapproved files. */
  notices(cwd: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Driven sessions without a daemon: same rules, locks, processes and SDK log, but envelopes in memory. */
export function openStandalone(options: StandaloneOptions = {}): Standalone {
  const { env = process.env, onNotice = () => undefined } = options;
  const home = resolveHome(env);
  const judge = openJudge(env);
  const trust = openTrust({ file: home.trust, nowMs: Date.now, driving: claude.driving, env });
  const rules = followRules({
    userFile: home.rules,
    trustFile: home.trust,
    isTrusted: async (root) => (await trust.report(root)).trusted,
    onError: ({ file, problems }) => onNotice(`${file}: ${problems[0]?.message}`),
  });
  const processes = openClaudeProcesses({ env, onNotice });
  const sessions: DrivenSessions = openDrivenSessions({
    answers: claude.answers,
    store: createMemoryEnvelopeStore(),
    processes,
    locks: openSessionLocks({
      dir: home.locks,
      liveness: claude.liveness,
      registryDirs: claude.liveness.configDirs(env, []).map(claude.liveness.folder),
      nowMs: Date.now,
    }),
    trust,
    finder: createClaudeFinder({ config: { claude: options.claude ?? null }, driving: claude.driving }),
    judge: async (request) => {
      const { projectPath = null } = request;
      await rules.prepare(projectPath);
      return judge.judge(rules.joined(projectPath).policy, request);
    },
    log: openStandaloneLog(home, options, (sessionId) => sessions.live(sessionId)),
    env,
    home: null,
    hooks: {},
    projectOf: createProjectOf(),
    config: {
      maxSessions: options.maxSessions ?? MAX_SESSIONS,
      idleMinutes: IDLE_MINUTES,
      maxBudgetUsd: options.maxBudgetUsd ?? null,
      billing: options.billing ?? "api",
    },
    now: Date.now,
    onNotice,
    room: STANDALONE_ROOM,
    ...options.parts,
  });
  return {
    sessions,
    async notices(cwd) {
      const unapproved = await unapprovedFiles(trust, cwd);
      const notice = `Not used until you approve it with \`hookline trust\`: ${unapproved.join(", ")}.`;
      return [...(await trust.read(cwd)).problems, ...(unapproved.length > 0 ? [notice] : [])];
    },
    async close() {
      await sessions.closeAll();
      await processes.close();
      await judge.close();
    },
  };
}

/** Writes nothing about an excluded project, nor while recording is paused. */
function openStandaloneLog(
  home: Home,
  { env = process.env, sdkLog, onNotice }: StandaloneOptions,
  find: DrivenSessions["live"],
): SdkLog | null {
  let config = Config.parse({}).control;
  try {
    config = loadConfig(home, env).config.control;
  } catch (error) {
    onNotice?.((error as Error).message);
  }
  if (!(sdkLog ?? config.sdkLog)) return null;
  const mayRecord = followRecordingRules(home.configFile, home.pauses);
  const log = openSdkLog({ dir: home.logs, days: config.sdkLogDays, nowMs: Date.now });
  return {
    ...log,
    write(sessionId, direction, data) {
      const { projectPath = null, cwd = null } = find(sessionId) ?? {};
      const occurredAtIso = new Date().toISOString();
      if (mayRecord({ projectPath, cwd, occurredAtIso })) log.write(sessionId, direction, data);
    },
  };
}
