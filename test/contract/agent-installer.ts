import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { AgentAdapter } from "../../src/agents/agent.ts";
import type { HookedAgent } from "../../src/agents/installer.ts";
import { recordCommand } from "../../src/hook/commands.ts";
import { installHooks, uninstallHooks } from "../../src/hook/install.ts";
import { parseSpoolFile } from "../../src/spool/read-spool.ts";
import { runCommand } from "../hook/run-command.ts";
import type { Guarantee } from "./agent-guarantees.ts";

const isHooked = (adapter: AgentAdapter): boolean =>
  adapter.installer !== undefined && adapter.answers !== undefined;

export const INSTALLER_GUARANTEES: readonly Guarantee[] = [
  {
    what: "is installed, and uninstalled to the last byte",
    applies: isHooked,
    check: (adapter) =>
      inFolder(async (root) => {
        const agent = adapter as HookedAgent;
        const base = { agent, env: { HOME: root }, projectDir: join(root, "shop") };
        const own = '{ "theme":"dark",\n\t"hooks": {"Other":[ ]} }\n';
        for (const scope of ["user", "project"] as const)
          for (const before of [undefined, "", "{}", own]) {
            const file = agent.installer.settings.file(scope, base.env, base.projectDir);
            rmSync(file, { force: true });
            mkdirSync(dirname(file), { recursive: true });
            if (before !== undefined) writeFileSync(file, before);
            await installHooks({ ...base, scope });
            const installed = JSON.parse(readFileSync(file, "utf8")) as { hooks: Record<string, unknown> };
            expect(Object.keys(installed.hooks)).toEqual(expect.arrayContaining([...agent.installer.events]));
            await installHooks({ ...base, scope });
            expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(installed);
            await uninstallHooks({ ...base, scope });
            expect(readIfExists(file)).toBe(before);
          }
      }),
  },
  {
    what: "has hooks that name it in what they write, say nothing and exit 0",
    applies: isHooked,
    check: (adapter) =>
      inFolder(async (root) => {
        const agent = adapter as HookedAgent;
        const spool = join(root, ".hookline", "spool");
        mkdirSync(spool, { recursive: true });
        const input = '{"any": "payload"}\n';
        const run = await runCommand(recordCommand(agent), { env: { HOME: root }, cwd: root, input });
        expect(run).toMatchObject({ code: 0, stdout: "", stderr: "" });
        const [name] = readdirSync(spool);
        const path = join(spool, name ?? "none");
        const file = { name: name ?? "none", path, timeNs: 1n, sizeBytes: input.length };
        expect(parseSpoolFile(file, readFileSync(path), new Set())).toMatchObject({
          type: "complete",
          delivery: { hookOwner: agent.id, pid: process.pid, payload: { any: "payload" } },
        });
      }),
  },
  {
    what: "is told from its own settings alone, each file once",
    applies: isHooked,
    check: (adapter) =>
      inFolder(async (root) => {
        const { settings } = adapter.installer!;
        const [env, projectDir] = [{ HOME: root }, join(root, "shop")];
        const locations = await settings.chain({ env, projectDir, managedDir: join(root, "etc") });
        const paths = locations.map(({ path }) => path);
        expect(new Set(paths).size).toBe(paths.length);
        for (const scope of ["user", "project"] as const)
          expect(locations).toContainEqual({ scope, path: settings.file(scope, env, projectDir) });
        for (const path of paths) expect(path.startsWith(`${root}/`), path).toBe(true);
      }),
  },
];

async function inFolder(callback: (root: string) => Promise<void>): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-agent-")));
  try {
    await callback(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
