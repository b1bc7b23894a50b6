import { defineCommand } from "citty";
import { resolveHome } from "../home.ts";
import { UsageReport } from "../serve/contract.ts";
import { askOrFail } from "./ask-or-fail.ts";
import { toProject } from "./memory-args.ts";
import { print, printJson } from "./output.ts";
import { paintFor } from "./paint.ts";
import { toInteger } from "./parse-number.ts";
import { refuseUnknownProject } from "./refuse-unknown-project.ts";
import { terminalWidth } from "./terminal-width.ts";
import { projectUsage, projectUsageText, usageReportText } from "./usage-report-text.ts";

export const usageCommand = defineCommand({
  meta: { name: "usage", description: "Show tokens and cost by day, model and project" },
  args: {
    days: { type: "string", default: "30", description: "Number of days, today included" },
    project: { type: "string", description: "Only this project (path or suffix)" },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const days = toInteger("days", args.days, { min: 1, max: 3_650 })!;
    const project = toProject(args.project);
    const query = new URLSearchParams({
      since: firstDay(days, new Date()).toISOString(),
      by: project === undefined ? "model" : "project",
    });
    const report = await askOrFail(home, UsageReport, `/api/usage?${query}`);
    const options = { width: terminalWidth(), paint: paintFor(process.stdout), days };
    if (project === undefined) {
      if (args.json) printJson(report);
      else print(usageReportText(report, options));
      return;
    }
    const usage = projectUsage(report, project);
    if (usage.projects.length === 0) await refuseUnknownProject(home, project);
    if (args.json) printJson(usage);
    else print(projectUsageText(usage, options));
  },
});

/** Local midnight, as on the Usage page. */
function firstDay(days: number, now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (days - 1));
}
