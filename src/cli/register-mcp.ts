import { dirname, join, resolve } from "node:path";
import type { Installer } from "../agents/installer.ts";
import { AppError } from "../app-error.ts";
import { type Env, resolveHome } from "../home.ts";
import { type InstallRecord, readInstallRecord, writeInstallRecord } from "../hook/install-record.ts";
import { splice, styleOf, toAppend } from "../hook/json-edit.ts";
import { type JsonMember, type JsonObject, memberOf, parseJsonTree } from "../hook/json-tree.ts";
import { editFile } from "../hook/settings-file.ts";

export interface McpRegistration {
  /** The agent's own file of the user. */
  readonly file: string;
  readonly changed: boolean;
}

export interface RegisterOptions {
  readonly installer: Required<Pick<Installer, "mcpFile">>;
  readonly env?: Env;
  readonly dryRun?: boolean;
}

const SERVERS = "mcpServers";
const NAME = "hookline";

/** Adds `hookline mcp` to the user's MCP servers, or brings it up to date. `entry` is what this CLI was started from. */
export async function registerMcp(
  options: RegisterOptions & { readonly entry: string },
): Promise<McpRegistration> {
  const { installer, env = process.env, dryRun = false, entry } = options;
  const home = env["HOOKLINE_HOME"];
  const server = {
    type: "stdio",
    // The script beside it finds a Node that is new enough, also after an upgrade.
    command: join(dirname(entry), NAME),
    args: ["mcp"],
    // The agent starts it with the agent's environment, not with this one.
    env: home ? { HOOKLINE_HOME: resolve(home) } : {},
  };
  const file = resolve(installer.mcpFile(env));
  const own = resolveHome(env);
  const record = await readInstallRecord(own);
  const edit = await editFile(file, (text) => addServer(text ?? "", server, file), {
    dryRun,
    newFileMode: 0o600,
    // The record is there before the server is: a crash between leaves one too many, which is harmless.
    beforeCommit: async ({ before, target }) => {
      const was = lostText(before, file);
      if (was !== null) await writeInstallRecord(own, { ...record, mcp: { ...record.mcp, [target]: was } });
    },
  });
  return { file, changed: edit.before !== edit.after };
}

type Was = NonNullable<InstallRecord["mcp"]>[string];

/** What of a file cannot be seen any more once our server is in it. Null: nothing, or it is in it already. */
function lostText(text: string | undefined, file: string): Was | null {
  if (text === undefined) return { blank: null };
  if (isBlank(text)) return { blank: text };
  const { root, servers } = read(text, file);
  if (root.members.length === 0) return { root: text.slice(root.start, root.end) };
  const list = servers?.value as JsonObject | undefined;
  return list === undefined || list.members.length > 0 ? null : { servers: text.slice(list.start, list.end) };
}

export async function unregisterMcp(options: RegisterOptions): Promise<McpRegistration> {
  const { installer, env = process.env, dryRun = false } = options;
  const file = resolve(installer.mcpFile(env));
  const own = resolveHome(env);
  const { mcp = {}, ...record } = await readInstallRecord(own);
  const edit = await editFile(file, (text, target) => text && removeServer(text, file, mcp[target]), {
    dryRun,
    newFileMode: 0o600,
  });
  const { [edit.target]: known, ...others } = mcp;
  if (!dryRun && known !== undefined) await writeInstallRecord(own, { ...record, mcp: others });
  return { file, changed: edit.before !== edit.after };
}

/** All other bytes stay as they are. */
export function addServer(text: string, server: Readonly<Record<string, unknown>>, file: string): string {
  if (isBlank(text)) return newFile(server);
  const { root, servers, own } = read(text, file);
  if (own !== undefined) {
    const { start, end } = own.value;
    const isSame = JSON.stringify(JSON.parse(text.slice(start, end))) === JSON.stringify(server);
    return isSame ? text : splice(text, [{ start, end, text: JSON.stringify(server) }]);
  }
  const style = styleOf(text, root);
  const added = { [NAME]: server };
  const edit =
    servers === undefined
      ? toAppend(text, style, root, { [SERVERS]: added })
      : toAppend(text, style, servers.value, added);
  return splice(text, [edit]);
}

/** With the list, when it was the only one in it; undefined: with the file, in which nothing else is. */
export function removeServer(text: string, file: string, was: Was = {}): string | undefined {
  if (isBlank(text)) return text;
  const { root, servers, own } = read(text, file);
  if (servers === undefined || own === undefined) return text;
  const list = servers.value as JsonObject;
  if (list.members.length > 1) return cutMember(text, list, own);
  if (was.servers !== undefined)
    return splice(text, [{ start: list.start, end: list.end, text: was.servers }]);
  const isAlone = root.members.length === 1;
  if (isAlone && was.root !== undefined)
    return splice(text, [{ start: root.start, end: root.end, text: was.root }]);
  if (isAlone && was.blank !== undefined) return was.blank ?? undefined;
  // The record is gone, but every byte is as we wrote it.
  if (isAlone && text === newFile(JSON.parse(text.slice(own.value.start, own.value.end)))) return undefined;
  return cutMember(text, root, servers);
}

function isBlank(text: string): boolean {
  return /^\ufeff?\s*$/.test(text);
}

function newFile(server: object): string {
  return `${JSON.stringify({ [SERVERS]: { [NAME]: server } }, null, 2)}\n`;
}

/** With the comma before it; at the front with the one behind. */
function cutMember(text: string, { members, start, end }: JsonObject, member: JsonMember): string {
  const at = members.indexOf(member);
  const [before, behind] = [members[at - 1], members[at + 1]];
  if (before !== undefined) return splice(text, [{ start: before.end, end: member.end, text: "" }]);
  if (behind !== undefined) return splice(text, [{ start: member.start, end: behind.start, text: "" }]);
  return splice(text, [{ start: start + 1, end: end - 1, text: "" }]);
}

function read(text: string, file: string) {
  const root = parseJsonTree(text, file);
  const servers = memberOf(root, SERVERS);
  const wrong =
    root.type !== "object" ? "the whole" : servers && servers.value.type !== "object" ? `"${SERVERS}"` : null;
  if (wrong !== null)
    throw new AppError("settings_shape", `${file}: ${wrong} must be an object. Nothing was written.`);
  return { root: root as JsonObject, servers, own: memberOf(servers?.value, NAME) };
}
