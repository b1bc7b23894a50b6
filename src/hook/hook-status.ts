import { dirname } from "node:path";
import type { HookedAgent } from "../agents/installer.ts";
import type { Env, Home } from "../home.ts";
import { type InspectedSettings, inspectHooks } from "./inspect-hooks.ts";
import { readInstallRecord } from "./install-record.ts";

const MAX_AGE_MS = 2_000;

export interface HookStatus {
  /** Whether our hooks are in any settings that this machine is known to use. */
  readonly installed: boolean;
  /** Whether they were installed from here and removed by someone else. */
  readonly removed: boolean;
}

/** Null until the first check. Each call returns the latest result, and starts a new check if that is old. */
export function createHookStatus(agent: HookedAgent, home: Home, env: Env): () => HookStatus | null {
  let latest: HookStatus | null = null;
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  const check = async (): Promise<void> => {
    try {
      latest = await findHooks(agent, home, env);
    } catch {
      latest = null;
    }
  };
  return () => {
    const now = performance.now();
    if (now - checkedAtMs >= MAX_AGE_MS) {
      checkedAtMs = now;
      void check();
    }
    return latest;
  };
}

/** Checks the user's settings, those of each project that was installed into, and the plugin. */
async function findHooks(agent: HookedAgent, home: Home, env: Env): Promise<HookStatus> {
  const { files } = await readInstallRecord(home);
  const folders = Object.entries(files)
    .filter(([, { scope }]) => scope === "project")
    .map(([path]) => dirname(dirname(path)));
  for (const projectDir of new Set([home.dir, ...folders]))
    if (containOurHooks(await inspectHooks({ agent, env: { ...env, HOOKLINE_HOME: home.dir }, projectDir })))
      return { installed: true, removed: false };
  return { installed: false, removed: Object.keys(files).length > 0 };
}

function containOurHooks(files: readonly InspectedSettings[]): boolean {
  const read = files.filter((file) => file.type === "read");
  const isPluginOn = read.findLast(({ plugin }) => plugin !== undefined)?.plugin ?? false;
  return isPluginOn || read.some(({ ours }) => ours > 0);
}
