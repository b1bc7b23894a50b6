import { dirname, join, resolve } from "node:path";
import type { Installer } from "../agents/installer.ts";
import { AppError } from "../app-error.ts";
import { type Env, resolveHome } from "../home.ts";
import { type InstallRecord, readInstallRecord, writeInstallRecord } from "../hook/install-record.ts";
import { appendEdit, applyEdits, detectStyle } from "../hook/json-edit.ts";
import { type JsonMember, type JsonObject, memberOf, parseJsonTree } from "../hook/json-tree.ts";
import { editFile } from "../hook/settings-file.ts";

export interface McpRegistration {
  /** The agent's own configuration file of the user. */
  readonly file: string;
  readonly changed: boolean;
}

export interface RegisterOptions {
  readonly installer: Required<Pick<Installer, "mcpFile">>;
  readonly env?: Env;
  readonly dryRun?: boolean;
}

const SERVERS_KEY = "mcpServers";
const SERVER_NAME = "hookline";

/** Adds or updates `hookline mcp` in the user's MCP servers. `entry`: the script that started this CLI. */
export async function registerMcp(
  options: RegisterOptions & {
    readonly entry: string;
    /** The settings file of the install that wants it. */
    readonly wantedBy: string;
  },
): Promise<McpRegistration> {
  const { installer, env = process.env, dryRun = false, entry, wantedBy } = options;
  const server = toServer(env, entry);
  const file = resolve(installer.mcpFile(env));
  const home = resolveHome(env);
  const record = await readInstallRecord(home);
  const edit = await editFile(file, (text) => addServer(text ?? "", server, file), {
    dryRun,
    newFileMode: 0o600,
    // The record is written before the server: a crash in between leaves an extra record, which is harmless.
    beforeCommit: async ({ before, target }) => {
      if (hasServer(before, file)) return;
      const original = originalText(before, file);
      const mcp = original === null ? {} : { mcp: { ...record.mcp, [target]: original } };
      await writeInstallRecord(home, { ...withWantedBy(record, wantedBy), ...mcp });
    },
  });
  // A server without known owners was there before, so this install must not remove it.
  const isShared = hasServer(edit.before, file) && record.mcpWantedBy !== undefined;
  if (!dryRun && isShared) await writeInstallRecord(home, withWantedBy(record, wantedBy));
  return { file, changed: edit.before !== edit.after };
}

function toServer(env: Env, entry: string) {
  const home = env["HOOKLINE_HOME"];
  return {
    type: "stdio",
    // The script next to it finds a recent enough Node, even after an upgrade.
    command: join(dirname(entry), SERVER_NAME),
    args: ["mcp"],
    // The agent starts it with its own environment, not with this one.
    env: home ? { HOOKLINE_HOME: resolve(home) } : {},
  };
}

function withWantedBy(record: InstallRecord, wantedBy: string): InstallRecord {
  return { ...record, mcpWantedBy: [...new Set([...(record.mcpWantedBy ?? []), wantedBy])] };
}

function hasServer(text: string | undefined, file: string): boolean {
  return text !== undefined && !isBlank(text) && parseServers(text, file).own !== undefined;
}

type OriginalText = NonNullable<InstallRecord["mcp"]>[string];

/** The original text that adding our server would lose. Null: nothing, or the server is already there. */
function originalText(text: string | undefined, file: string): OriginalText | null {
  if (text === undefined) return { blank: null };
  if (isBlank(text)) return { blank: text };
  const { root, servers } = parseServers(text, file);
  if (root.members.length === 0) return { root: text.slice(root.start, root.end) };
  const list = servers?.value as JsonObject | undefined;
  return list === undefined || list.members.length > 0 ? null : { servers: text.slice(list.start, list.end) };
}

/**
 * Removes the server when an install is removed, unless another one wants it; null: it stays. `isLast`: no
 * other install is left.
 */
export async function releaseMcp(
  options: RegisterOptions & { readonly wantedBy: string; readonly isLast: boolean },
): Promise<McpRegistration | null> {
  const { env = process.env, dryRun = false, wantedBy, isLast } = options;
  const home = resolveHome(env);
  const record = await readInstallRecord(home);
  const { mcpWantedBy = [] } = record;
  const others = mcpWantedBy.filter((settings) => settings !== wantedBy);
  const isWanted = mcpWantedBy.length > others.length;
  if (isLast || (isWanted && others.length === 0)) return unregisterMcp(options);
  if (!dryRun && isWanted) await writeInstallRecord(home, { ...record, mcpWantedBy: others });
  return null;
}

export async function unregisterMcp(options: RegisterOptions): Promise<McpRegistration> {
  const { installer, env = process.env, dryRun = false } = options;
  const file = resolve(installer.mcpFile(env));
  const home = resolveHome(env);
  const { mcp = {}, mcpWantedBy, ...record } = await readInstallRecord(home);
  const edit = await editFile(file, (text, target) => text && removeServer(text, file, mcp[target]), {
    dryRun,
    newFileMode: 0o600,
  });
  const { [edit.target]: known, ...others } = mcp;
  if (!dryRun && (known !== undefined || mcpWantedBy !== undefined))
    await writeInstallRecord(home, { ...record, mcp: others });
  return { file, changed: edit.before !== edit.after };
}

/** Preserves all other bytes. */
export function addServer(text: string, server: Readonly<Record<string, unknown>>, file: string): string {
  if (isBlank(text)) return newFile(server);
  const { root, servers, own } = parseServers(text, file);
  if (own !== undefined) {
    const { start, end } = own.value;
    const isSame = JSON.stringify(JSON.parse(text.slice(start, end))) === JSON.stringify(server);
    return isSame ? text : applyEdits(text, [{ start, end, text: JSON.stringify(server) }]);
  }
  const style = detectStyle(text, root);
  const added = { [SERVER_NAME]: server };
  const edit =
    servers === undefined
      ? appendEdit(text, style, root, { [SERVERS_KEY]: added })
      : appendEdit(text, style, servers.value, added);
  return applyEdits(text, [edit]);
}

/** Removes the list, too, if this was its only server; undefined: nothing else is left in the file. */
export function removeServer(text: string, file: string, original: OriginalText = {}): string | undefined {
  if (isBlank(text)) return text;
  const { root, servers, own } = parseServers(text, file);
  if (servers === undefined || own === undefined) return text;
  const list = servers.value as JsonObject;
  if (list.members.length > 1) return cutMember(text, list, own);
  if (original.servers !== undefined)
    return applyEdits(text, [{ start: list.start, end: list.end, text: original.servers }]);
  const isOnlyMember = root.members.length === 1;
  if (isOnlyMember && original.root !== undefined)
    return applyEdits(text, [{ start: root.start, end: root.end, text: original.root }]);
  if (isOnlyMember && original.blank !== undefined) return original.blank ?? undefined;
  // The record is missing, but every byte is as we wrote it.
  if (isOnlyMember && text === newFile(JSON.parse(text.slice(own.value.start, own.value.end))))
    return undefined;
  return cutMember(text, root, servers);
}

function isBlank(text: string): boolean {
  return /^\ufeff?\s*$/.test(text);
}

function newFile(server: object): string {
  return `${JSON.stringify({ [SERVERS_KEY]: { [SERVER_NAME]: server } }, null, 2)}\n`;
}

/** Removes a member with the comma before it, or the comma after it for the first member. */
function cutMember(text: string, { members, start, end }: JsonObject, member: JsonMember): string {
  const index = members.indexOf(member);
  const [before, after] = [members[index - 1], members[index + 1]];
  if (before !== undefined) return applyEdits(text, [{ start: before.end, end: member.end, text: "" }]);
  if (after !== undefined) return applyEdits(text, [{ start: member.start, end: after.start, text: "" }]);
  return applyEdits(text, [{ start: start + 1, end: end - 1, text: "" }]);
}

function parseServers(text: string, file: string) {
  const root = parseJsonTree(text, file);
  const servers = memberOf(root, SERVERS_KEY);
  const misplaced =
    root.type !== "object"
      ? "the file"
      : servers && servers.value.type !== "object"
        ? `"${SERVERS_KEY}"`
        : null;
  if (misplaced !== null)
    throw new AppError("settings_shape", `${file}: ${misplaced} must be an object. Nothing was written.`);
  return { root: root as JsonObject, servers, own: memberOf(servers?.value, SERVER_NAME) };
}
