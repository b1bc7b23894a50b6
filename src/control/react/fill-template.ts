import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PLACEHOLDERS } from "../../policy/reaction-rules.ts";
import { REACTION_TERMINAL } from "./reaction-sessions.ts";
import type { ReactionTrigger } from "./reaction-trigger.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Replaces placeholders such as `{file}`; unknown ones become empty. */
export function fillTemplate(template: string, occasion: ReactionTrigger): string {
  return template.replace(NAMES, (_whole, name: string) => valueFor(name, occasion) ?? "");
}

/** The trigger's values as environment variables for a command. */
export function commandEnv(occasion: ReactionTrigger, own: Env): Record<string, string> {
  const values: Record<string, string | null> = {
    EVENT: occasion.on,
    EVENT_ID: occasion.id,
    AGENT_ID: occasion.agentId,
    AGENT_TYPE: occasion.agentType,
    ANSWER: occasion.answer,
    COMMAND: commandOf(occasion.toolInput),
    MESSAGE: occasion.message,
    MODE: occasion.mode,
    SOURCE: occasion.source,
    TRANSCRIPT: occasion.transcriptPath,
    ...Object.fromEntries(PLACEHOLDERS.map((name) => [name.toUpperCase(), valueFor(name, occasion)])),
  };
  const given = Object.entries(values).map(([name, value]) => [`HOOKLINE_${name}`, clean(value ?? "")]);
  return {
    ...machineEnv(own),
    [REACTION_TERMINAL.name]: REACTION_TERMINAL.value,
    ...Object.fromEntries(given),
  };
}

/**
 * The parts of the daemon's environment that a program needs; no keys, no tokens. A hook starts the daemon
 * with even less, so the desktop session's variables are looked up.
 */
export function machineEnv(own: Env): Record<string, string> {
  const kept = Object.entries(own).flatMap(([name, value]) =>
    value !== undefined && (ALLOWED.has(name) || name.startsWith("LC_")) ? [[name, value] as const] : [],
  );
  const runtime = own["XDG_RUNTIME_DIR"] ?? `/run/user/${process.getuid?.()}`;
  const bus = join(runtime, "bus");
  return {
    ...(existsSync(runtime) && { XDG_RUNTIME_DIR: runtime }),
    ...(existsSync(bus) && { DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` }),
    ...Object.fromEntries(kept),
  };
}

const NAMES = new RegExp(`\\{(${PLACEHOLDERS.join("|")})\\}`, "g");
/** A variable may hold 128 KB; all of them share the size limit for starting a process. */
const MAX_VALUE_CHARS = 16_000;

const ALLOWED = new Set([
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

function valueFor(name: string, occasion: ReactionTrigger): string | null {
  switch (name) {
    case "session":
      return occasion.sessionId;
    case "project":
      return occasion.projectPath;
    case "cwd":
      return occasion.cwd;
    case "tool":
      return occasion.toolName;
    case "file":
      return occasion.file;
    case "prompt":
      return occasion.prompt;
    case "branch":
      return branchOf(occasion.cwd);
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
