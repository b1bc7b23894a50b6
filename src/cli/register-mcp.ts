import { dirname, join, resolve } from "node:path";
import type { Installer } from "../agents/installer.ts";
import { AppError } from "../app-error.ts";
import type { Env } from "../home.ts";
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
  const edit = await editFile(file, (text) => addServer(text ?? "", server, file), {
    dryRun,
    newFileMode: 0o600,
  });
  return { file, changed: edit.before !== edit.after };
}

export async function unregisterMcp(options: RegisterOptions): Promise<McpRegistration> {
  const { installer, env = process.env, dryRun = false } = options;
  const file = resolve(installer.mcpFile(env));
  const edit = await editFile(file, (text) => text && removeServer(text, file), {
    dryRun,
    newFileMode: 0o600,
  });
  return { file, changed: edit.before !== edit.after };
}

/** All other bytes stay as they are. */
export function addServer(text: string, server: Readonly<Record<string, unknown>>, file: string): string {
  if (/^\ufeff?\s*$/.test(text)) return `${JSON.stringify({ [SERVERS]: { [NAME]: server } }, null, 2)}\n`;
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

/** With the list, when it was the only one in it. */
export function removeServer(text: string, file: string): string {
  if (/^\ufeff?\s*$/.test(text)) return text;
  const { root, servers, own } = read(text, file);
  if (servers === undefined || own === undefined) return text;
  const list = servers.value as JsonObject;
  return list.members.length > 1 ? cutMember(text, list, own) : cutMember(text, root, servers);
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
