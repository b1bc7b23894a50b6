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
  meta: { name: "sessions", description: "List sessions; those that need you first" },
  args: {
    state: { type: "string", description: `Only these states, comma-separated: ${STATE_LABELS.join(", ")}` },
    "needs-me": { type: "boolean", description: "Only sessions that need you" },
    project: { type: "string", description: "Only this project (path or suffix)" },
    all: { type: "boolean", description: "Include sessions that ended more than 24 hours ago" },
    limit: { type: "string", description: "Maximum results" },
    watch: { type: "boolean", description: "Keep watching for changes" },
    json: { type: "boolean", description: "Print as JSON; with --watch, one line per change" },
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
      const shown = page.slice(0, limit - found.length);
      found.push(...shown);
      if (!args.json && shown.length > 0)
        print(shown.flatMap((session) => sessionLines(session, options)).join("\n"));
      if (found.length >= limit) break;
    }
    if (found.length === 0) await refuseUnknownProject(home, filter.project ?? undefined);
    if (args.json) printJson(found);
    else if (found.length === 0)
      note(
        filter.all
          ? "No matching session."
          : "No matching session is open or ended in the last 24 hours (use --all for older ones).",
      );
  },
});
