import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../files/atomic-file.ts";
import { makeFolder } from "../files/make-folder.ts";
import type { Home } from "../home.ts";

/** What installs on this machine created, by settings file. Uninstalling works without it, but then knows
 *  less about the previous state. */
export const InstallRecord = z.object({
  v: z.literal(1),
  files: z.record(
    z.string(),
    z.object({
      scope: z.enum(["user", "project"]),
      createdFile: z.boolean(),
      createdFolder: z.boolean(),
      footprint: z.object({ emptied: z.record(z.string(), z.string()), blank: z.string().optional() }),
    }),
  ),
  /** The previous text of MCP files where our server was added, if nothing of it is left there. */
  mcp: z
    .record(
      z.string(),
      z.object({
        /** Null: there was no file. */
        blank: z.string().nullable().optional(),
        /** The text of the root object, which was empty. */
        root: z.string().optional(),
        /** The text of the list of servers, which was empty. */
        servers: z.string().optional(),
      }),
    )
    .optional(),
  /** The settings files of the installs that need our MCP server. Absent in records of earlier versions. */
  mcpWantedBy: z.array(z.string()).optional(),
});
export type InstallRecord = z.infer<typeof InstallRecord>;

/** A missing or damaged record counts as none. */
export async function readInstallRecord(home: Home): Promise<InstallRecord> {
  try {
    return InstallRecord.parse(JSON.parse(await readFile(recordPath(home), "utf8")));
  } catch {
    return { v: 1, files: {} };
  }
}

export async function writeInstallRecord(home: Home, record: InstallRecord): Promise<void> {
  const path = recordPath(home);
  const { files, mcp, mcpWantedBy = [] } = record;
  if (Object.keys({ ...files, ...mcp }).length + mcpWantedBy.length === 0) return rm(path, { force: true });
  makeFolder(home.dir);
  writeAtomically(path, `${JSON.stringify(record, null, 2)}\n`);
}

function recordPath(home: Home): string {
  return join(home.dir, "install.json");
}
