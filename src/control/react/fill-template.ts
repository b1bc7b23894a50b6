import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PLACEHOLDERS } from "../../policy/reaction-rules.ts";
import { REACTION_TERMINAL } from "./reaction-sessions.ts";
import type { ReactionTrigger } from "./reaction-trigger.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Replaces placeholders such as `{file}`; unknown ones become empty. */
export function fillTemplate(template: string, trigger: ReactionTrigger): string {
  return template.replace(PLACEHOLDER_PATTERN, (_whole, name: string) => valueFor(name, trigger) ?? "");
}

/** The trigger's values as environment variables for a command. */
export function commandEnv(trigger: ReactionTrigger, daemonEnv: Env): Record<string, string> {
  const values: Record<string, string | null> = {
    EVENT: trigger.on,
    EVENT_ID: trigger.id,
    AGENT_ID: trigger.agentId,
    AGENT_TYPE: trigger.agentType,
    ANSWER: trigger.answer,
    COMMAND: commandOf(trigger.toolInput),
    MESSAGE: trigger.message,
    MODE: trigger.mode,
    SOURCE: trigger.source,
    TRANSCRIPT: trigger.transcriptPath,
    ...Object.fromEntries(PLACEHOLDERS.map((name) => [name.toUpperCase(), valueFor(name, trigger)])),
  };
  const variables = Object.entries(values).map(([name, value]) => [`HOOKLINE_${name}`, clean(value ?? "")]);
  return {
    ...machineEnv(daemonEnv),
    [REACTION_TERMINAL.name]: REACTION_TERMINAL.value,
    ...Object.fromEntries(variables),
  };
}

/**
 * The parts of the daemon's environment that a program needs; no keys, no tokens. A hook starts the daemon
 * with even less, so the desktop session's variables are looked up.
 */
export function machineEnv(daemonEnv: Env): Record<string, string> {
  const allowed = Object.entries(daemonEnv).flatMap(([name, value]) =>
    value !== undefined && (ALLOWED_VARIABLES.has(name) || name.startsWith("LC_"))
      ? [[name, value] as const]
      : [],
  );
  const runtime = daemonEnv["XDG_RUNTIME_DIR"] ?? `/run/user/${process.getuid?.()}`;
  const bus = join(runtime, "bus");
  return {
    ...(existsSync(runtime) && { XDG_RUNTIME_DIR: runtime }),
    ...(existsSync(bus) && { DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` }),
    ...Object.fromEntries(allowed),
  };
}

const PLACEHOLDER_PATTERN = new RegExp(`\\{(${PLACEHOLDERS.join("|")})\\}`, "g");
/** A variable may hold 128 KB; all of them share the size limit for starting a process. */
const MAX_VALUE_CHARS = 16_000;

const ALLOWED_VARIABLES = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TERM",
  "TMPDIR",
  "TZ",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_CACHE_HOME",
  "PULSE_SERVER",
  "SSH_AUTH_SOCK",
  "HOOKLINE_HOME",
]);

function valueFor(name: string, trigger: ReactionTrigger): string | null {
  switch (name) {
    case "session":
      return trigger.sessionId;
    case "project":
      return trigger.projectPath;
    case "cwd":
      return trigger.cwd;
    case "tool":
      return trigger.toolName;
    case "file":
      return trigger.file;
    case "prompt":
      return trigger.prompt;
    case "branch":
      return branchOf(trigger.cwd);
    default:
      return null;
  }
}

function commandOf(input: unknown): string | null {
  const command = (input as { command?: unknown } | null | undefined)?.command;
  return typeof command === "string" ? command : null;
}

function clean(value: string): string {
  return value.slice(0, MAX_VALUE_CHARS).toWellFormed().replaceAll("\0", "");
}

/** Read from git's own file, without running git; null if there is no repository or no branch. */
function branchOf(cwd: string | null): string | null {
  try {
    const dotGit = cwd === null ? null : findDotGit(cwd);
    if (dotGit === null) return null;
    const pointer = statSync(dotGit).isDirectory()
      ? null
      : /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1];
    const gitDir = pointer == null ? dotGit : resolve(dirname(dotGit), pointer.trim());
    const head = readFileSync(join(gitDir, "HEAD"), "utf8");
    return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim() ?? null;
  } catch {
    return null;
  }
}

function findDotGit(cwd: string): string | null {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const dotGit = join(dir, ".git");
    if (existsSync(dotGit)) return dotGit;
    if (dir === dirname(dir)) return null;
  }
}
