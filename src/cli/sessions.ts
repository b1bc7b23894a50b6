import { defineCommand } from "citty";
import { resolveHome } from "../home.ts";
import type { SessionSnapshot } from "../serve/contract.ts";
import { findSessions, toSessionFilter } from "./find-sessions.ts";
import { note, print, printJson } from "./output.ts";
import { paintFor } from "./paint.ts";
import { toInteger } from "./parse-number.ts";
import { refuseUnknownProject } from "./refuse-unknown-project.ts";
import { sessionLines } from "./session-line.ts";
import { STATE_LABELS } from "./state-badge.ts";
import { terminalWidth } from "./terminal-width.ts";

export const sessionsCommand = defineCommand({
  meta: { name: "sessions", description: "All sessions, who needs you first" },
  args: {
    state: { type: "string", description: `Only these, with commas: ${STATE_LABELS.join(", ")}` },
    "needs-me": { type: "boolean", description: "Only those that wait for a person" },
    project: { type: "string", description: "Only of this project: its path, or the end of it" },
    all: { type: "boolean", description: "Also what ended more than 24 h ago" },
    limit: { type: "string", description: "At most so many" },
    watch: { type: "boolean", description: "Go on as they change" },
    json: { type: "boolean", description: "Print as JSON; with --watch a line for each change" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const filter = toSessionFilter(args);
    const limit = toInteger("limit", args.limit, { min: 1 }) ?? Number.POSITIVE_INFINITY;
    if (args.watch) {
      const { watchSessions } = await import("./watch-sessions.ts");
      await watchSessions(home, filter, { limit, json: args.json ?? false });
      return;
    }
    const now = Date.now();
    const options = { width: terminalWidth(), now, paint: paintFor(process.stdout) };
    const found: SessionSnapshot[] = [];
    for await (const page of findSessions(home, filter, now)) {
      const taken = page.slice(0, limit - found.length);
      found.push(...taken);
      if (!args.json && taken.length > 0)
        print(taken.flatMap((session) => sessionLines(session, options)).join("\n"));
      if (found.length >= limit) break;
    }
    if (found.length === 0) await refuseUnknownProject(home, filter.project ?? undefined);
    if (args.json) printJson(found);
    else if (found.length === 0)
      note(filter.all ? "No such session." : "No such session is open or ended in the last 24 h.");
  },
});
