import type { AgentProfile } from "../agent-profile.ts";
import { nonEmpty } from "../read-json.ts";
import { claudeTools } from "./tools.ts";

export const claudeProfile = {
  id: "claude",
  label: "Claude Code",
  tools: claudeTools,
  capabilities: {
    install: true,
    mcp: true,
    guard: true,
    approve: true,
    inject: true,
    message: true,
    drive: true,
    resume: true,
    transcripts: true,
    liveness: true,
    usage: true,
    statusLine: true,
  },
  resumeCommand: (sessionId) => ["claude", "--resume", sessionId],
  modelPrefix: "claude-",
  commandEnvVar: "CLAUDECODE",
  isAttended(env) {
    const attended = env["CLAUDE_CODE_SESSION_ATTENDED"];
    if (attended === "0" || attended === "1") return attended === "1";
    const entrypoint = nonEmpty(env, "CLAUDE_CODE_ENTRYPOINT");
    return entrypoint === undefined ? null : entrypoint === "cli";
  },
} as const satisfies AgentProfile;
