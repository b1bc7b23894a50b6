import { dirname } from "node:path";
import type { HookedAgent } from "../agents/installer.ts";
import type { Env, Home } from "../home.ts";
import { type InspectedSettings, inspectHooks } from "./inspect-hooks.ts";
import { readInstallRecord } from "./install-record.ts";

const AGAIN_MS = 2_000;

/**
 * Whether hooks of ours are in any settings that this machine is known to use; null until that is known. Each call
 * answers at once from the last look, and starts another one when that is old.
 */
export function followHooks(agent: HookedAgent, home: Home, env: Env): () => boolean | null {
  let known: boolean | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const look = async (): Promise<void> => {
    try {
      known = await areInstalled(agent, home, env);
    } catch {
      known = null;
    }
  };
  return () => {
    const now = performance.now();
    if (now - lookedAtMs >= AGAIN_MS) {
      lookedAtMs = now;
      void look();
    }
    return known;
  };
}

/** In the user's settings, in those of each project that was installed into, or as the plugin. */
async function areInstalled(agent: HookedAgent, home: Home, env: Env): Promise<boolean> {
  const { files } = await readInstallRecord(home);
  const folders = Object.entries(files)
    .filter(([, { scope }]) => scope === "project")
    .map(([path]) => dirname(dirname(path)));
  for (const projectDir of new Set([home.dir, ...folders]))
    if (holdOurs(await inspectHooks({ agent, env: { ...env, HOOKLINE_HOME: home.dir }, projectDir })))
      return true;
  return false;
}

function holdOurs(files: readonly InspectedSettings[]): boolean {
  const read = files.filter((file) => file.type === "read");
  const isPluginOn = read.findLast(({ plugin }) => plugin !== undefined)?.plugin ?? false;
  return isPluginOn || read.some(({ ours }) => ours > 0);
}
