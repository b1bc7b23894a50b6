import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Home, resolveHome } from "../../src/home.ts";
import type { AppPorts } from "../../src/serve/app.ts";
import { listen } from "../../src/serve/listen.ts";
import type { MemoryPorts } from "../../src/serve/memory-ports.ts";

/** A home whose socket serves this memory, for commands that need a daemon. */
export async function serveMemory(memory: MemoryPorts, more: Partial<AppPorts> = {}): Promise<ServedMemory> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-memory-")));
  const home = resolveHome({ HOOKLINE_HOME: join(root, ".hookline") });
  mkdirSync(home.dir, { recursive: true });
  const ports = { version: "9.9.9", memory, ...more } as AppPorts;
  const served = await listen(Promise.resolve(ports), {
    version: "9.9.9",
    port: 0,
    sock: home.sock,
    token: "secret",
  });
  return {
    root,
    home,
    port: served.port!,
    async close() {
      await served.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export interface ServedMemory {
  readonly root: string;
  readonly home: Home;
  readonly port: number;
  close(): Promise<void>;
}
