import type { Installer } from "../installer.ts";
import { stateFile } from "./config-dir.ts";
import { unansweredPayload } from "./guard-unanswered.ts";
import { plugin } from "./plugin.ts";
import { settings } from "./settings.ts";

export const installer = {
  // Three are left out: WorktreeCreate would replace git, MessageDisplay runs while text streams, and
  // FileChanged's matcher is a watch list.
  events: [
    "SessionStart",
    "Setup",
    "InstructionsLoaded",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PreToolUse",
    "PermissionRequest",
    "PermissionDenied",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "PreCompact",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "CwdChanged",
    "DirectoryAdded",
    "WorktreeRemove",
    "SessionEnd",
  ],
  recordedEnv: [
    "CLAUDE_PID",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_ENTRYPOINT",
    "AI_AGENT",
    "TMUX",
    "TMUX_PANE",
    "TERM_PROGRAM",
    "TERM_SESSION_ID",
    "SSH_TTY",
  ],
  digests: [
    { name: "startup", matcher: "startup|clear" },
    { name: "resume", matcher: "resume|fork" },
    { name: "compact", matcher: "compact" },
  ],
  fileToolMatcher: "Read|Edit|MultiEdit|Write|NotebookEdit",
  variables: {
    sessionId: "CLAUDE_CODE_SESSION_ID",
    projectDir: "CLAUDE_PROJECT_DIR",
    attended: "CLAUDE_CODE_SESSION_ATTENDED",
    envFile: "CLAUDE_ENV_FILE",
  },
  unansweredPayload: unansweredPayload,
  program: {
    name: "claude",
    minVersion: "2.1.197",
    updateCommand: "claude update",
    headlessCommand: "claude -p",
  },
  settings,
  // Observed with 2.1.325.
  fatalEvents: ["PreToolUse", "PermissionRequest"],
  mcpFile: stateFile,
  plugin,
} satisfies Installer;
