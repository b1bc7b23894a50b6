import { rmSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { inProjectText, pauseText, untilText } from "../capture/pause-text.ts";
import { activePauses, type Pause, readPauses } from "../capture/pauses.ts";
import { createProjectOf } from "../capture/project-of.ts";
import { writeAtomically } from "../files/atomic-file.ts";
import { makeFolder } from "../files/make-folder.ts";
import { resolveHome } from "../home.ts";
import { parseDurationMs } from "../shown/duration.ts";
import { print, printJson } from "./output.ts";

export const pauseCommand = defineCommand({
  meta: { name: "pause", description: "Pause recording" },
  args: {
    duration: { type: "positional", required: false, description: "30m, 1h, 2d; omit to pause until --end" },
    project: { type: "boolean", description: "Only the current folder's project" },
    end: {
      type: "boolean",
      description: "Resume recording; with --project, only in this project",
    },
    json: { type: "boolean", description: "Print the pauses as JSON" },
  },
  run: ({ args }) => {
    const durationMs = args.duration === undefined ? null : toDurationMs(args.duration);
    if (args.end && durationMs !== null)
      throw new AppError("usage", "a duration and --end contradict each other.");
    const home = resolveHome();
    makeFolder(home.dir);
    const now = new Date();
    const project = args.project ? createProjectOf()(process.cwd()) : null;
    const nowIso = now.toISOString();
    // Never deleted: a late spool or an import must not bring back what happened during a pause.
    const allPauses = readPauses(home.pauses);
    const active = activePauses(allPauses, nowIso);
    // `--end` alone ends all pauses; a new pause replaces the one with the same scope.
    const isEnded = (pause: Pause): boolean =>
      active.includes(pause) && ((args.end && project === null) || pause.project === project);
    const rest = allPauses.map((pause) => (isEnded(pause) ? { ...pause, until: nowIso } : pause));
    const until = durationMs === null ? null : new Date(now.getTime() + durationMs).toISOString();
    const pauses = args.end ? rest : [...rest, { from: nowIso, until, project }];
    writeAtomically(home.pauses, `${JSON.stringify(pauses, null, 2)}\n`);
    // Hooks inject prepared context even with the daemon down; the daemon rebuilds it afterwards.
    if (!args.end) rmSync(join(home.context, project ?? ""), { recursive: true, force: true });
    if (args.json) printJson(pauses);
    else if (args.end) print(endText(active, active.filter(isEnded), project, now.getTime()));
    else print(`Recording paused${inProjectText(project)} ${untilText(until, now.getTime())}.`);
  },
});

/** What is recorded again, and what is still paused. */
function endText(
  active: readonly Pause[],
  ended: readonly Pause[],
  project: string | null,
  now: number,
): string {
  const stillPaused = active.filter((pause) => !ended.includes(pause)).map((pause) => pauseText(pause, now));
  if (ended.length === 0)
    return [`Recording${inProjectText(project)} was not paused.`, ...stillPaused].join("\n");
  const projects = ended.map((pause) => pause.project);
  const where = projects.includes(null)
    ? []
    : projects.map((path) => inProjectText(path).slice(" in ".length));
  return [`Recording resumed${where.length === 0 ? "" : ` in ${where.join(", ")}`}.`, ...stillPaused].join(
    "\n",
  );
}

function toDurationMs(duration: string): number {
  const ms = parseDurationMs(duration);
  if (ms === null || ms === 0)
    throw new AppError("usage", `invalid duration "${duration}" (e.g. 30m, 1h, 2d)`);
  return ms;
}
