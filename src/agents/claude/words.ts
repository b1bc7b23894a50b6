import type { AgentWords } from "../agent-words.ts";
import { nonEmpty } from "../read-json.ts";
import { claudeTools } from "./tools.ts";

export const claudeWords = {
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
  resume: (sessionId) => ["claude", "--resume", sessionId],
  modelPrefix: "claude-",
  commandMark: "CLAUDECODE",
  isAttendedIn(env) {
    const attended = env["CLAUDE_CODE_SESSION_ATTENDED"];
    if (attended === "0" || attended === "1") return attended === "1";
    const entrypoint = nonEmpty(env, "CLAUDE_CODE_ENTRYPOINT");
    return entrypoint === undefined ? null : entrypoint === "cli";
  },
} as const satisfies AgentWords;
