import { dirname } from "node:path";
import type { HookedAgent } from "../agents/installer.ts";
import type { Env, Home } from "../home.ts";
import { type InspectedSettings, inspectHooks } from "./inspect-hooks.ts";
import { readInstallRecord } from "./install-record.ts";

const AGAIN_MS = 2_000;

export interface HooksFound {
  /** Whether hooks of ours are in any settings that this machine is known to use. */
  readonly installed: boolean;
  /** They were installed from here, and somebody else took them out. */
  readonly removed: boolean;
}

/** Null until it is known. Each call answers at once from the last look, and starts another one when that is old. */
export function followHooks(agent: HookedAgent, home: Home, env: Env): () => HooksFound | null {
  let known: HooksFound | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const look = async (): Promise<void> => {
    try {
      known = await findHooks(agent, home, env);
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
async function findHooks(agent: HookedAgent, home: Home, env: Env): Promise<HooksFound> {
  const { files } = await readInstallRecord(home);
  const folders = Object.entries(files)
    .filter(([, { scope }]) => scope === "project")
    .map(([path]) => dirname(dirname(path)));
  for (const projectDir of new Set([home.dir, ...folders]))
    if (holdOurs(await inspectHooks({ agent, env: { ...env, HOOKLINE_HOME: home.dir }, projectDir })))
      return { installed: true, removed: false };
  return { installed: false, removed: Object.keys(files).length > 0 };
}

function holdOurs(files: readonly InspectedSettings[]): boolean {
  const read = files.filter((file) => file.type === "read");
  const isPluginOn = read.findLast(({ plugin }) => plugin !== undefined)?.plugin ?? false;
  return isPluginOn || read.some(({ ours }) => ours > 0);
}
