import { execFile } from "node:child_process";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Driving, Login } from "../agents/driving.ts";
import { compareVersions } from "../compare-versions.ts";
import { isProgram } from "../files/find-program.ts";
import type { Env } from "../home.ts";
import type { ClaudeReport } from "./control-contract.ts";
import type { ClaudeFinder } from "./control-ports.ts";

export interface ClaudeFinderOptions {
  readonly config: { readonly claude: string | null };
  readonly driving: Pick<Driving, "findLogin">;
  /** The user's home folder, for an environment without `HOME`. */
  readonly home?: string;
  /** The path to resolve the SDK from. */
  readonly from?: string;
}

const SDK = "@anthropic-ai/claude-agent-sdk";
const MIN_SDK = "0.3.325";
/** The oldest version whose hooks and answers were verified. The SDK also works with versions not its own. */
const MIN_CLAUDE = "2.1.197";
const VERSION_TIMEOUT_MS = 10_000;

type Program = ClaudeReport["claude"];

/** Prefers the user's own `claude`; falls back to the SDK's if there is none or it is too old. */
export function createClaudeFinder({
  config,
  driving,
  home,
  from = import.meta.url,
}: ClaudeFinderOptions): ClaudeFinder {
  const versions = new Map<string, Promise<string | null>>();

  /** Cached per file and its modification, because it spawns a process. */
  function versionOf(path: string, env: Env, userHome: string): Promise<string | null> {
    const key = `${path} ${statSync(path).mtimeMs}`;
    const version = versions.get(key) ?? readVersion(path, env, userHome);
    versions.set(key, version);
    return version;
  }

  async function checkProgram(path: string, env: Env, userHome: string): Promise<Program> {
    const version = await versionOf(path, env, userHome);
    if (version === null)
      return { path, version, message: `${path} reports no version. It may not be Claude Code.` };
    const isOld = compareVersions(version, MIN_CLAUDE) < 0;
    const message = `${path} is Claude Code ${version}; driven sessions need ${MIN_CLAUDE}. Run \`claude update\`.`;
    return { path, version, message: isOld ? message : null };
  }

  async function findProgram(env: Env, userHome: string): Promise<Program> {
    if (config.claude !== null) {
      const path = locate(config.claude, env, userHome);
      if (path !== null) return checkProgram(path, env, userHome);
      const message = `control.claude is set to ${config.claude}, which does not exist.`;
      return { path: null, version: null, message };
    }
    const userPath = locate("claude", env, userHome);
    const found = userPath === null ? null : await checkProgram(userPath, env, userHome);
    if (found?.message === null) return found;
    const bundled = bundledClaude(from);
    if (bundled !== null) return { ...(await checkProgram(bundled, env, userHome)), message: null };
    const message = "`claude` was not found on PATH. Install Claude Code, or set control.claude.";
    return found ?? { path: null, version: null, message };
  }

  return {
    async report({ billing, env, of = "caller" }) {
      const userHome = env["HOME"] || home || homedir();
      const sdk = findSdk(from);
      const claude = await findProgram(env, userHome);
      const login = driving.findLogin(env, userHome);
      const isPaid = login.type !== "none" && (login.type !== "subscription" || billing === "subscription");
      const isInstalled =
        sdk.found && sdk.message === null && claude.path !== null && claude.message === null;
      return {
        sdk,
        claude,
        login: login.type,
        usable: isInstalled && isPaid,
        billing: sdk.message ?? claude.message ?? describeBilling(login, isPaid, of),
      };
    },
  };
}

function describeBilling(login: Login, isPaid: boolean, of: "caller" | "daemon"): string {
  const setKey =
    of === "daemon"
      ? "run `hookline up --restart` in a terminal where ANTHROPIC_API_KEY is set"
      : "set ANTHROPIC_API_KEY";
  if (login.type === "none")
    return of === "daemon"
      ? `The daemon has no login. For an API key, ${setKey}; or log in with \`claude\`.`
      : `No login was found. For an API key, ${setKey}; or log in with \`claude\`.`;
  if (isPaid) return login.billingText;
  return `Only a claude.ai login was found. Allow it with billing "subscription", or ${setKey}.`;
}

/** Doesn't load the SDK: loading is slow, and the API may need nothing but this. */
function findSdk(from: string): ClaudeReport["sdk"] {
  const version = locateSdk(from)?.version ?? null;
  if (version === null) {
    const message = `The Agent SDK is not installed: ${howToInstall(from)}.`;
    return { found: false, version, message };
  }
  const isOld = compareVersions(version, MIN_SDK) < 0;
  const message = `The Agent SDK is ${version}; driven sessions need ${MIN_SDK}: ${howToInstall(from)}.`;
  return { found: true, version, message: isOld ? message : null };
}

/**
 * Searches where an import would. Not resolved by Node, which caches a miss for the lifetime of the process,
 * although the SDK may be installed while the daemon runs.
 */
function locateSdk(from: string): { readonly folder: string; readonly version: string } | null {
  for (const dir of foldersAbove(from)) {
    const folder = join(dir, "node_modules", SDK);
    const { name, version } = readJson(join(folder, "package.json"));
    if (name === SDK && typeof version === "string") return { folder, version };
  }
  return null;
}

/** The SDK must be installed next to us: beside a global package, or in the folder that contains us. */
function howToInstall(from: string): string {
  const packageDir = foldersAbove(from).find(
    (dir) => readJson(join(dir, "package.json"))["name"] === "hookline",
  );
  if (packageDir === undefined) return `npm install -g ${SDK}`;
  const isInstalled = basename(dirname(packageDir)) === "node_modules";
  const base = isInstalled ? dirname(dirname(packageDir)) : packageDir;
  return isInstalled && basename(base) === "lib"
    ? `npm install -g ${SDK}`
    : `npm install --prefix ${base} ${SDK}`;
}

function foldersAbove(from: string): string[] {
  const folders = [dirname(from.startsWith("file:") ? fileURLToPath(from) : from)];
  for (let dir = folders[0]!; dir !== dirname(dir); dir = dirname(dir)) folders.push(dirname(dir));
  return folders;
}

function readJson(path: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function bundledClaude(from: string): string | null {
  const sdk = locateSdk(from);
  if (sdk === null) return null;
  const name = `${SDK}-${process.platform}-${process.arch}`;
  for (const packageName of [name, `${name}-musl`]) {
    try {
      const path = createRequire(join(realpathSync(sdk.folder), "package.json")).resolve(
        `${packageName}/claude`,
      );
      if (isProgram(path)) return path;
    } catch {
      // Not built for this platform.
    }
  }
  return null;
}

/** A daemon may have a bare PATH, so the usual install locations are searched too. */
function locate(command: string, env: Env, userHome: string): string | null {
  const expanded = command.replace(/^~(?=\/)/, userHome);
  if (expanded.includes("/")) return isAbsolute(expanded) && isProgram(expanded) ? expanded : null;
  const folders = [
    ...(env["PATH"] ?? "").split(delimiter).filter(isAbsolute),
    join(userHome, ".claude", "local"),
    join(userHome, ".local", "bin"),
    "/opt/homebrew/bin",
    "/usr/local/bin",
  ];
  return folders.map((folder) => join(folder, expanded)).find(isProgram) ?? null;
}

function readVersion(
  path: string,
  { PATH = "/usr/bin:/bin" }: Env,
  userHome: string,
): Promise<string | null> {
  return new Promise((resolve) => {
    // A script installed by npm needs the `node` beside it.
    const env = { PATH: [PATH, dirname(path)].join(delimiter), HOME: userHome, DISABLE_AUTOUPDATER: "1" };
    execFile(path, ["--version"], { timeout: VERSION_TIMEOUT_MS, env, cwd: "/" }, (error, stdout) => {
      resolve(error === null ? (/\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? null) : null);
    });
  });
}
