import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PLACEHOLDERS } from "../../policy/reaction-rules.ts";
import type { Occasion } from "./occasion.ts";
import { OWN_TERMINAL } from "./own-sessions.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** `{file}` and the like become what they stand for; what is not known becomes nothing. */
export function fillText(template: string, occasion: Occasion): string {
  return template.replace(NAMES, (_whole, name: string) => valueFor(name, occasion) ?? "");
}

/** The values of an occasion, as a command finds them. */
export function commandEnv(occasion: Occasion, own: Env): Record<string, string> {
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
  return { ...machineEnv(own), [OWN_TERMINAL.name]: OWN_TERMINAL.value, ...Object.fromEntries(given) };
}

/**
 * What of the daemon's environment a program needs to find its way; no key, no token. A hook starts the daemon with
 * less than that, so where the desktop is reached is looked up.
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
/** A variable may have 128 KB; all of them share what a process may be started with. */
const MOST_CHARACTERS = 16_000;

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

function valueFor(name: string, occasion: Occasion): string | null {
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
  return value.slice(0, MOST_CHARACTERS).toWellFormed().replaceAll("\0", "");
}

/** As git's own file says it, without git; null where there is no repository or no branch. */
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
