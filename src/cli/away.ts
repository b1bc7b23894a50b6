import { defineCommand } from "citty";
import { resolveHome } from "../home.ts";
import { AwayReport, SeenResult } from "../serve/contract.ts";
import { askOrFail } from "./ask-or-fail.ts";
import { awayText } from "./away-text.ts";
import { toSinceIso } from "./duration.ts";
import { print, printJson } from "./output.ts";
import { paintFor } from "./paint.ts";
import { terminalWidth } from "./terminal-width.ts";

export const awayCommand = defineCommand({
  meta: { name: "away", description: "What happened since you last looked" },
  args: {
    since: { type: "string", description: "Since then instead: 2h, 30m, or a time; marks nothing as seen" },
    keep: { type: "boolean", description: "Do not mark it as seen" },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const now = Date.now();
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
