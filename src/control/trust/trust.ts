import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import type { Driving } from "../../agents/driving.ts";
import { AppError } from "../../app-error.ts";
import { writeAtomically } from "../../files/atomic-file.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { withWriteError } from "../../files/write-error.ts";
import type { Env } from "../../home.ts";
import type { TrustApproval, TrustReport } from "../control-contract.ts";
import type { ProjectConfig, ProjectTrust } from "../control-ports.ts";
import { describeProject } from "./describe-project.ts";
import { type McpServers, toMcpServers } from "./mcp-servers.ts";
import { parseJsonFile } from "./parse-json.ts";
import { locateProject, type ProjectContent, type ProjectLocation, readProject } from "./read-project.ts";
import { type ProjectFile, readProjectFile } from "./read-project-file.ts";

/** What projects may do, depending on what a person approved. */
export interface Trust extends ProjectTrust {
  report(cwd: string): Promise<TrustReport>;
  /** Refused with `trust_changed` if the project's content has changed. */
  approve(cwd: string, hash: string): Promise<TrustReport>;
  revoke(cwd: string): Promise<TrustReport>;
  /** Every approval, newest first. Reads no project: it may have changed, or be gone. */
  approvals(): Promise<readonly TrustApproval[]>;
  /** Revokes by the approval's own folder, which may be gone. */
  revokeApproval(folder: string): Promise<void>;
}

export interface TrustOptions {
  readonly file: string;
  readonly nowMs: () => number;
  readonly driving: Pick<Driving, "configDir">;
  /** The variables that servers may use in `${…}`, and where the user's own agent settings are. */
  readonly env?: Env;
}

const TrustFile = z.object({
  v: z.literal(1),
  approved: z.record(z.string(), z.object({ hash: z.string(), approvedAtIso: z.string() })),
});
type TrustFile = z.infer<typeof TrustFile>;

const UNTRUSTED: ProjectConfig = { trusted: false, settingSources: ["user"], mcpServers: {}, problems: [] };

export function openTrust({ file, nowMs, driving, env = process.env }: TrustOptions): Trust {
  const userConfigDir = driving.configDir(env);

  function toReport(content: ProjectContent): TrustReport {
    const approval = readTrust(file)?.approved[content.folder];
    const isApproved = approval !== undefined && approval.hash === content.hash && content.isComplete;
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
    const trustFile = readTrust(file);
    if (trustFile === null)
      throw new AppError("trust_invalid", `${file} is damaged. Delete it and approve your projects again.`);
    withWriteError(file, () => {
      makeFolder(dirname(file));
      writeAtomically(file, `${JSON.stringify({ v: 1, approved: edit(trustFile.approved) }, null, 2)}\n`);
    });
  }

  return {
    report: async (cwd) => toReport(await readProject(cwd, userConfigDir)),

    async approve(cwd, hash) {
      const content = await readProject(cwd, userConfigDir);
      if (content.hash === null)
        throw new AppError("trust_nothing", `${content.root} has nothing to approve.`);
      if (content.hash !== hash)
        throw new AppError("trust_changed", `${content.root} has changed. Review it again.`);
      const unreadable = content.files.find(({ problem }) => problem !== null);
      if (unreadable !== undefined)
        throw new AppError(
          "trust_unreadable",
          `${join(content.root, unreadable.file)}: ${unreadable.problem}.`,
        );
      const approvedAtIso = new Date(nowMs()).toISOString();
      change((approved) => ({ ...approved, [content.folder]: { hash, approvedAtIso } }));
      return toReport(content);
    },

    async revoke(cwd) {
      const content = await readProject(cwd, userConfigDir);
      change(({ [content.folder]: _revoked, ...others }) => others);
      return toReport(content);
    },

    async approvals() {
      return Object.entries(readTrust(file)?.approved ?? {})
        .map(([folder, approval]) => ({ folder, ...approval }))
        .sort((a, b) => (a.approvedAtIso < b.approvedAtIso ? 1 : -1));
    },

    async revokeApproval(folder) {
      change((approved) => {
        if (!Object.hasOwn(approved, folder))
          throw new AppError("trust_unknown", `${folder} is not among the approved folders.`);
        const { [folder]: _revoked, ...others } = approved;
        return others;
      });
    },

    async read(cwd) {
      const location = locateProject(cwd);
      // Inspecting a whole project is slow, and unnecessary without an approval.
      const hasApproval = readTrust(file)?.approved[location.folder] !== undefined;
      if (!hasApproval) return { ...UNTRUSTED, problems: (await readServers(location, env)).problems };
      const content = await readProject(cwd, userConfigDir);
      const { servers, problems } = toServers(content.root, content.files, env);
      if (toReport(content).trusted)
        return { trusted: true, settingSources: ["user", "project", "local"], mcpServers: servers, problems };
      const notice = `${content.root} was approved with other content; until it is approved again (\`hookline trust\`) nothing of it is used`;
      return { ...UNTRUSTED, problems: [...problems, notice] };
    },
  };
}

async function readServers({ root, files }: ProjectLocation, env: Env): Promise<McpServers> {
  const parts = await Promise.all(files.map((path) => readProjectFile(root, path)));
  return toServers(
    root,
    parts.filter((part) => part !== null),
    env,
  );
}

/** Uses the files already inspected and never reads the disk again: its content may have changed. */
function toServers(root: string, parts: readonly ProjectFile[], env: Env): McpServers {
  const files = parts.filter((part) => basename(part.file) === ".mcp.json");
  // Innermost last, because the last one wins.
  const sorted = files.toSorted((a, b) => a.file.length - b.file.length);
  const results = sorted.map((part): McpServers => {
    if (part.text === null) return { servers: {}, problems: [`${part.file}: ${part.problem}`] };
    const parsed = parseJsonFile(part.text);
    if (parsed.type === "problem") return { servers: {}, problems: [`${part.file}, ${parsed.problem}`] };
    const folder = dirname(join(root, part.file));
    const expanded = toMcpServers(parsed.value, { folder, env: { ...env, CLAUDE_PROJECT_DIR: root } });
    return { ...expanded, problems: expanded.problems.map((problem) => `${part.file}, ${problem}`) };
  });
  return {
    servers: Object.fromEntries(results.flatMap(({ servers }) => Object.entries(servers))),
    problems: results.flatMap(({ problems }) => problems),
  };
}

/** Whether approvals can be read; a missing file is readable and has none. */
export function isTrustReadable(file: string): boolean {
  return readTrust(file) !== null;
}

/** Null if damaged: then nothing is trusted, and nothing is overwritten. */
function readTrust(file: string): TrustFile | null {
  try {
    const parsed = TrustFile.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? { v: 1, approved: {} } : null;
  }
}
