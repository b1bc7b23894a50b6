import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { makeFolder } from "../files/make-folder.ts";
import type { Home } from "../home.ts";

/** What this machine's installs made, by settings file. Uninstalling works without it; it only knows
 *  better what was there before. */
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
  /** What stood in the files of MCP servers where our server was added, if nothing of it is left there. */
  mcp: z
    .record(
      z.string(),
      z.object({
        /** Null: there was no file. */
        blank: z.string().nullable().optional(),
        /** The whole object, which had nothing in it. */
        root: z.string().optional(),
        /** The list of servers, which had none. */
        servers: z.string().optional(),
      }),
    )
    .optional(),
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
  if (Object.keys({ ...record.files, ...record.mcp }).length === 0) return rm(path, { force: true });
  makeFolder(home.dir);
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, path);
}

function recordPath(home: Home): string {
  return join(home.dir, "install.json");
}
