import { defineCommand } from "citty";
import { resolveHome } from "../home.ts";
import { DaemonStatus } from "../serve/contract.ts";
import { askDaemon } from "./client.ts";
import { print, printJson } from "./output.ts";
import { ensureDaemon } from "./start-daemon.ts";

export const upCommand = defineCommand({
  meta: { name: "up", description: "Start the daemon in the background" },
  args: {
    quiet: { type: "boolean", description: "Say nothing and do not wait (used by the hook)" },
    json: { type: "boolean", description: "Print the status as JSON" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const isNew = await ensureDaemon(home, process.env, { byHook: args.quiet ?? false });
    if (args.quiet) return;
    const status = await askDaemon(home, DaemonStatus, "/api/status");
    if (status === null) return;
    if (args.json) printJson(status);
    else
      print(
        `Hookline ${status.version} ${isNew ? "is up" : "was up already"}: http://127.0.0.1:${status.port} (pid ${status.pid})`,
      );
  },
});
