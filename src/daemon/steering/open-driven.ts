import { claude } from "../../agents/claude/claude.ts";
import type { Config } from "../../config.ts";
import type { DrivenSessions } from "../../control/control-ports.ts";
import { openDrivenSessions } from "../../control/driven-sessions.ts";
import { createClaudeFinder } from "../../control/find-claude.ts";
import { createLogEnvelopeStore } from "../../control/log-envelope-store.ts";
import { createEnvelopeMask } from "../../control/mask-envelopes.ts";
import type { Judge } from "../../control/open-judge.ts";
import { openClaudeProcesses } from "../../control/process/claude-processes.ts";
import { openSdkLog } from "../../control/sdk-log.ts";
import { buildSessionEnv } from "../../control/session-env.ts";
import { openSessionLocks } from "../../control/session-locks.ts";
import { noAskHooks } from "../../hook/ask-command.ts";
import { hookEntries } from "../../hook/commands.ts";
import type { ControlPorts } from "../../serve/control-ports.ts";
import type { ControlRows } from "../../store/control-rows.ts";
import type { Base } from "../base.ts";
import type { Recording } from "../recording.ts";
import type { SteeringRules } from "./open-rules.ts";

export interface DrivenRuntimeParts {
  readonly config: () => Config;
  readonly control: <T>(work: (rows: ControlRows) => Promise<T>) => Promise<T>;
  readonly rules: SteeringRules;
  readonly judge: Judge;
  readonly onCards: (sessionId: string) => void;
}

/** Driven sessions, with the programs, locks and files they need. */
export interface DrivenRuntime {
  readonly sessions: DrivenSessions;
  /** Which Claude Code would run, and who pays. */
  readonly report: ControlPorts["report"];
  close(): Promise<void>;
}

export function openDrivenRuntime(
  base: Base,
  recording: Recording,
  parts: DrivenRuntimeParts,
): DrivenRuntime {
  const { home, env, nowMs, notice } = base;
  const { config, rules, judge } = parts;
  const finder = createClaudeFinder({
    driving: claude.driving,
    config: {
      get claude() {
        return config().control.claude;
      },
    },
    ...(env["HOME"] && { home: env["HOME"] }),
  });
  const processes = openClaudeProcesses({ env, onNotice: notice });
  const sdkLog = openLog(base);
  const sessions = openDrivenSessions({
    answers: claude.answers,
    store: createLogEnvelopeStore({
      rows: parts.control,
      write: async (events) => void (await recording.record(events, { until: "log" })),
    }),
    processes,
    locks: openLocks(base),
    trust: rules.trust,
    finder,
    judge: async (request) => {
      const projectPath = request.projectPath ?? null;
      await rules.prepare(projectPath);
      return judge.judge(rules.policyOf(projectPath), request);
    },
    log: sdkLog && {
      ...sdkLog,
      write: (sessionId, direction, data) => {
        if (isRecorded(sessionId)) sdkLog.write(sessionId, direction, data);
      },
    },
    env,
    home,
    hooks: hookEntries(claude, noAskHooks),
    projectOf: (cwd) => recording.projectOf(cwd),
    config: settings(base, config),
    now: nowMs,
    onNotice: notice,
    onCards: parts.onCards,
    // Clients see exactly what the log will hold.
    createMask: createEnvelopeMask,
  });
  const isRecorded = (sessionId: string): boolean => {
    const { projectPath = null, cwd = null } = sessions.live(sessionId) ?? {};
    return recording.mayRecord({ projectPath, cwd, occurredAtIso: new Date(nowMs()).toISOString() });
  };
  return {
    sessions,
    report: ({ billing, credentials }) =>
      finder.report({
        billing: billing ?? config().control.billing,
        env: buildSessionEnv({ env, home, credentials }),
        of: credentials === undefined ? "daemon" : "caller",
      }),
    async close() {
      await sessions.closeAll();
      await processes.close();
      await sdkLog?.close();
    },
  };
}

function openLog({ home, config, nowMs }: Base) {
  const { sdkLog, sdkLogDays } = config.control;
  return sdkLog ? openSdkLog({ dir: home.logs, days: sdkLogDays, nowMs }) : null;
}

function openLocks({ home, env, nowMs }: Base) {
  const { liveness } = claude;
  const registryDirs = liveness.configDirs(env, []).map(liveness.folder);
  return openSessionLocks({ dir: home.locks, liveness, registryDirs, nowMs });
}

/** As of the daemon's start, except for settings that the report shows before a session starts. */
function settings({ config: initialConfig }: Base, config: () => Config) {
  return {
    ...initialConfig.control,
    get billing() {
      return config().control.billing;
    },
    get maxBudgetUsd() {
      return config().control.maxBudgetUsd;
    },
  };
}
