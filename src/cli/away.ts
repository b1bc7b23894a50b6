import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { resolveHome } from "../home.ts";
import { AwayReport, SeenResult, WaitsQuery, WaitTotals } from "../serve/contract.ts";
import { toSinceIso } from "../shown/duration.ts";
import { askOrFail } from "./ask-or-fail.ts";
import { awayText } from "./away-text.ts";
import { print, printJson } from "./output.ts";
import { paintFor } from "./paint.ts";
import { terminalWidth } from "./terminal-width.ts";
import { waitsText } from "./waits-text.ts";

export const awayCommand = defineCommand({
  meta: { name: "away", description: "Show what happened since you last checked" },
  args: {
    since: { type: "string", description: "Start from 2h or 30m ago, or a time; marks nothing as seen" },
    keep: { type: "boolean", description: "Don't mark it as seen" },
    waits: {
      type: "string",
      description: "Show how long agents waited for you, by day, project or session",
    },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const now = Date.now();
    if (args.waits !== undefined) {
      const by = WaitsQuery.shape.by.safeParse(args.waits);
      if (!by.success)
        throw new AppError("usage", `--waits must be day, project or session, not "${args.waits}".`);
      const query = new URLSearchParams({ by: by.data });
      if (args.since !== undefined) query.set("since", toSinceIso(args.since, now));
      const totals = await askOrFail(home, WaitTotals, `/api/waits?${query}`);
      if (args.json) printJson(totals);
      else print(waitsText(totals, { now, width: terminalWidth(), isByDay: by.data === "day" }));
      return;
    }
    const query =
      args.since === undefined ? "" : `?${new URLSearchParams({ since: toSinceIso(args.since, now) })}`;
    const report = await askOrFail(home, AwayReport, `/api/away${query}`);
    if (args.json) printJson(report);
    else print(awayText(report, { width: terminalWidth(), now, paint: paintFor(process.stdout) }));
    if (args.since === undefined && !args.keep) {
      const body = { atIso: report.untilIso };
      await askOrFail(home, SeenResult, "/api/away/seen", { method: "POST", body });
    }
  },
});
