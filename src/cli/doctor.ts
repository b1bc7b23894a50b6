import { realpathSync } from "node:fs";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { type Diagnosis, diagnose, type Finding, type Status } from "../doctor/check.ts";
import { createCheckContext } from "../doctor/check-context.ts";
import { CHECKS } from "../doctor/checks.ts";
import { countText } from "../doctor/wording.ts";
import { oneLine } from "../shown/plain-text.ts";
import { agent } from "./agent.ts";
import { openLog } from "./open-log.ts";
import { openStore } from "./open-store.ts";
import { print, printJson } from "./output.ts";
import { type Paint, paintFor } from "./paint.ts";
import { startUnlessRunning } from "./start-daemon.ts";

export const doctorCommand = defineCommand({
  meta: { name: "doctor", description: "Diagnose and repair problems" },
  args: {
    fix: { type: "boolean", description: "Apply all safe repairs" },
    json: { type: "boolean", description: "Print the checks as JSON" },
  },
  run: async ({ args }) => {
    const fix = args.fix ?? false;
    const launch = { nodePath: process.execPath, entry: realpathSync(process.argv[1]!) };
    const openContext = () =>
      createCheckContext({
        agent,
        env: process.env,
        cwd: process.cwd(),
        fixing: fix,
        launch,
        ports: { openLog, openStore, startDaemon: startUnlessRunning },
      });
    const diagnosis = await diagnose(CHECKS, openContext, { fix });
    if (args.json) printJson(diagnosis);
    else print(diagnosisText(diagnosis, paintFor(process.stdout)));
    const failed = diagnosis.checks.filter(({ status }) => status === "fail").length;
    if (failed > 0) throw new AppError("checks_failed", `${countText(failed, "check")} failed.`);
  },
});

const ORDER: readonly Status[] = ["fail", "warn", "ok", "skipped"];
const COLOURS = { fail: "red", warn: "yellow", ok: "green", skipped: "dim", fixed: "cyan" } as const;
const STATUS_CELLS = "skipped".length;

/** Pure. Repairs, problems with the fix below each, then the rest. File and process names are untrusted. */
export function diagnosisText({ checks, fixed }: Diagnosis, paint: Paint): string {
  const width = Math.max(...checks.map(({ code }) => code.length));
  const line = (status: keyof typeof COLOURS, code: string, text: string): string =>
    `${paint(COLOURS[status], status.padEnd(STATUS_CELLS))}  ${code.padEnd(width)}  ${oneLine(text)}`;
  const indent = " ".repeat(STATUS_CELLS + 2 + width + 2);
  const lines = ({ status, code, found, remedy }: Finding): string[] => [
    line(status, code, found),
    ...(remedy === null ? [] : [`${indent}${oneLine(remedy)}`]),
  ];
  return [
    ...fixed.map(({ code, did }) => line("fixed", code, did)),
    ...ORDER.flatMap((status) => checks.filter((check) => check.status === status).flatMap(lines)),
  ].join("\n");
}
