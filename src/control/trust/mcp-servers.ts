import { isAbsolute, resolve } from "node:path";
import { asObject, type Json, list, nonEmpty, number } from "../../agents/read-json.ts";
import { isPlainObject } from "../../event/canonical.ts";
import type { Env } from "../../home.ts";
import { toSafeLine } from "./safe-line.ts";

export interface McpServers {
  /** For the SDK's `mcpServers`. */
  readonly servers: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
}

/** A repository may use variables of the user's environment, except provider credentials and Hookline's own. */
const WITHHELD_VARIABLES = /^(ANTHROPIC|CLAUDE|AWS|HOOKLINE)_|^GOOGLE_APPLICATION_CREDENTIALS$/;

/**
 * The servers of a `.mcp.json`, ready to start: variables expanded, and `cwd`, which the SDK does not
 * support, applied by a shell wrapper. Invalid servers are omitted and reported.
 */
export function toMcpServers(
  file: Json,
  options: { readonly folder: string; readonly env: Env },
): McpServers {
  const servers: [string, object][] = [];
  const problems: string[] = [];
  const serversByName = file["mcpServers"];
  if (serversByName !== undefined && !isPlainObject(serversByName))
    problems.push("mcpServers is not an object");
  for (const [name, value] of Object.entries(asObject(serversByName))) {
    const missing = new Set<string>();
    const server = toServer(asObject(value), (text) => expand(text, options.env, missing), options.folder);
    if (typeof server === "string") problems.push(`server ${toSafeLine(name)}: ${server}`);
    else if (missing.size > 0)
      problems.push(
        `server ${toSafeLine(name)}: ${[...missing].join(", ")} is not set, or not given to servers`,
      );
    else servers.push([name, server]);
  }
  return { servers: Object.fromEntries(servers), problems };
}

/** What each server would run or connect to, one line each, verbatim. */
export function describeMcpServers(file: Json): string[] {
  return Object.entries(asObject(file["mcpServers"])).map(([name, value]) => {
    const server = asObject(value);
    const words = [server["command"], ...list(server, "args")].filter((word) => word !== undefined);
    const rest = Object.entries(server)
      .filter(([key]) => !["command", "args", "type", "url"].includes(key))
      .map(([key, inner]) => `${key} ${JSON.stringify(inner)}`);
    const main = server["url"] === undefined ? words.map(quoteWord).join(" ") : String(server["url"]);
    return toSafeLine([`${name}: ${main}`, ...rest].join("; "));
  });
}

function quoteWord(word: unknown): string {
  return typeof word === "string" && /^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word);
}

function toServer(server: Json, expandText: (text: string) => string, folder: string): object | string {
  const type = nonEmpty(server, "type") ?? "stdio";
  const timeout = number(server, "timeout");
  const extra = timeout === undefined ? {} : { timeout };
  if (type === "http" || type === "sse" || type === "streamable-http") {
    const url = nonEmpty(server, "url");
    if (url === undefined) return "it has no url";
    const headers = expandTexts(server["headers"], expandText);
    return { type: type === "sse" ? "sse" : "http", url: expandText(url), headers, ...extra };
  }
  if (type !== "stdio") return `its type ${toSafeLine(type)} is not known`;
  const command = nonEmpty(server, "command");
  if (command === undefined) return "it has no command";
  const args = list(server, "args");
  if (!args.every((arg) => typeof arg === "string")) return "its args are not all text";
  const words = [command, ...args].map(expandText);
  const env = expandTexts(server["env"], expandText);
  const cwd = nonEmpty(server, "cwd");
  if (cwd === undefined) return { type, command: words[0], args: words.slice(1), env, ...extra };
  const expandedCwd = expandText(cwd);
  const dir = isAbsolute(expandedCwd) ? expandedCwd : resolve(folder, expandedCwd);
  const enterFolderScript = 'cd "$1" && shift && exec "$@"';
  return { type, command: "/bin/sh", args: ["-c", enterFolderScript, "sh", dir, ...words], env, ...extra };
}

function expandTexts(value: unknown, expandText: (text: string) => string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(asObject(value)).flatMap(([key, inner]) =>
      typeof inner === "string" || typeof inner === "number" ? [[key, expandText(String(inner))]] : [],
    ),
  );
}

/** `${VAR}` and `${VAR:-default}`. */
function expand(text: string, env: Env, missing: Set<string>): string {
  return text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_whole, name: string, fallback?: string) => {
    const value = WITHHELD_VARIABLES.test(name) && name !== "CLAUDE_PROJECT_DIR" ? undefined : env[name];
    if (value !== undefined && (value !== "" || fallback === undefined)) return value;
    if (fallback === undefined) missing.add(name);
    return fallback ?? "";
  });
}
