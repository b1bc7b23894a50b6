import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import type { Driving } from "../../agents/driving.ts";
import { AppError } from "../../app-error.ts";
import { writeAtomically } from "../../files/atomic-file.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { Env } from "../../home.ts";
import type { TrustReport } from "../control-contract.ts";
import type { ProjectParts, ProjectTrust } from "../control-ports.ts";
import { describeProject } from "./describe-project.ts";
import { type McpServers, toMcpServers } from "./mcp-servers.ts";
import { parseJsonFile } from "./parse-json.ts";
import { type Part, readPart } from "./read-part.ts";
import { locate, type Place, type ProjectContent, readProject } from "./read-project.ts";

/** What projects may do, by what a person approved. */
export interface Trust extends ProjectTrust {
  report(cwd: string): Promise<TrustReport>;
  /** Refused with `trust_changed` when the project holds something else by now. */
  approve(cwd: string, hash: string): Promise<TrustReport>;
  revoke(cwd: string): Promise<TrustReport>;
}

export interface OpenTrust {
  readonly file: string;
  readonly nowMs: () => number;
  readonly driving: Pick<Driving, "configDir">;
  /** What servers may name in `${…}`; and whose settings of the agent are the user's own. */
  readonly env?: Env;
}

const TrustFile = z.object({
  v: z.literal(1),
  approved: z.record(z.string(), z.object({ hash: z.string(), approvedAtIso: z.string() })),
});
type TrustFile = z.infer<typeof TrustFile>;

const UNTRUSTED: ProjectParts = { trusted: false, settingSources: ["user"], mcpServers: {}, problems: [] };

export function openTrust({ file, nowMs, driving, env = process.env }: OpenTrust): Trust {
  const userConfigDir = driving.configDir(env);

  function toReport(content: ProjectContent): TrustReport {
    const approval = readTrust(file)?.approved[content.folder];
    const isApproved = approval !== undefined && approval.hash === content.hash && content.isWhole;
    return {
      root: content.root,
      hash: content.hash,
      trusted: isApproved,
      changed: approval !== undefined && approval.hash !== content.hash,
      approvedAtIso: approval?.approvedAtIso ?? null,
      items: describeProject(content),
    };
  }

  function change(edit: (approved: TrustFile["approved"]) => TrustFile["approved"]): void {
    const known = readTrust(file);
    if (known === null)
      throw new AppError("trust_invalid", `${file} is damaged; remove it, and approve your projects again.`);
    makeFolder(dirname(file));
    writeAtomically(file, `${JSON.stringify({ v: 1, approved: edit(known.approved) }, null, 2)}\n`);
  }

  return {
    report: async (cwd) => toReport(await readProject(cwd, userConfigDir)),

    async approve(cwd, hash) {
      const content = await readProject(cwd, userConfigDir);
      if (content.hash === null)
        throw new AppError("trust_nothing", `There is nothing in ${content.root} that needs trust.`);
      if (content.hash !== hash)
        throw new AppError("trust_changed", `${content.root} holds something else by now; look at it again.`);
      const unknown = content.parts.find(({ problem }) => problem !== null);
      if (unknown !== undefined)
        throw new AppError("trust_unreadable", `${join(content.root, unknown.file)}: ${unknown.problem}.`);
      const approvedAtIso = new Date(nowMs()).toISOString();
      change((approved) => ({ ...approved, [content.folder]: { hash, approvedAtIso } }));
      return toReport(content);
    },

    async revoke(cwd) {
      const content = await readProject(cwd, userConfigDir);
      change(({ [content.folder]: _revoked, ...others }) => others);
      return toReport(content);
    },

    async read(cwd) {
      const place = locate(cwd);
      // Looking at all of a project takes a while; without an approval there is no need.
      const isKnown = readTrust(file)?.approved[place.folder] !== undefined;
      if (!isKnown) return { ...UNTRUSTED, problems: (await readServers(place, env)).problems };
      const content = await readProject(cwd, userConfigDir);
      const { servers, problems } = readTexts(content.root, content.parts, env);
      if (toReport(content).trusted)
        return { trusted: true, settingSources: ["user", "project", "local"], mcpServers: servers, problems };
      const told = `${content.root} was approved with other content; until it is approved again (\`hookline trust\`) nothing of it is used`;
      return { ...UNTRUSTED, problems: [...problems, told] };
    },
  };
}

async function readServers({ root, files }: Place, env: Env): Promise<McpServers> {
  const parts = await Promise.all(files.map((path) => readPart(root, path)));
  return readTexts(
    root,
    parts.filter((part) => part !== null),
    env,
  );
}

/** Of those that were looked at, never of the disk again: it may hold something else by now. */
function readTexts(root: string, parts: readonly Part[], env: Env): McpServers {
  const files = parts.filter((part) => basename(part.file) === ".mcp.json");
  // The innermost last, which wins.
  const sorted = files.toSorted((a, b) => a.file.length - b.file.length);
  const read = sorted.map((part): McpServers => {
    if (part.text === null) return { servers: {}, problems: [`${part.file}: ${part.problem}`] };
    const parsed = parseJsonFile(part.text);
    if (parsed.type === "problem") return { servers: {}, problems: [`${part.file}, ${parsed.problem}`] };
    const folder = dirname(join(root, part.file));
    const ready = toMcpServers(parsed.value, { folder, env: { ...env, CLAUDE_PROJECT_DIR: root } });
    return { ...ready, problems: ready.problems.map((problem) => `${part.file}, ${problem}`) };
  });
  return {
    servers: Object.fromEntries(read.flatMap(({ servers }) => Object.entries(servers))),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** Whether approvals can be read; where there is no file yet there are none. */
export function isTrustReadable(file: string): boolean {
  return readTrust(file) !== null;
}

/** Null when it is damaged: then nothing is trusted, and nothing overwritten. */
function readTrust(file: string): TrustFile | null {
  try {
    const parsed = TrustFile.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? { v: 1, approved: {} } : null;
  }
}
