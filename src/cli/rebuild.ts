import { defineCommand } from "citty";
import { resolveHome } from "../home.ts";
import { RebuildResult } from "../serve/contract.ts";
import { plural } from "./amounts.ts";
import { print, printJson } from "./output.ts";
import { withDaemon } from "./with-daemon.ts";

export const rebuildCommand = defineCommand({
  meta: { name: "rebuild", description: "Rebuild the database from the log" },
  args: { json: { type: "boolean", description: "Print the result as JSON" } },
  run: async ({ args }) => {
    const request = { path: "/api/rebuild", schema: RebuildResult };
    const result = await withDaemon(resolveHome(), request, (daemon) => daemon.rebuild());
    if (args.json) printJson(result);
    else print(`Rebuilt ${plural(result.events, "event")} in ${plural(result.sessions, "session")}.`);
  },
});
