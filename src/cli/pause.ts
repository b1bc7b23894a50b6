import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { createProjectOf } from "../capture/project-of.ts";
import { type Pause, readPauses } from "../capture/recording-rules.ts";
import { writeAtomically } from "../daemon-files.ts";
import { resolveHome } from "../home.ts";
import { clock, toMs } from "./duration.ts";
import { print, printJson } from "./output.ts";

export const pauseCommand = defineCommand({
  meta: { name: "pause", description: "Record nothing for a while" },
  args: {
    duration: { type: "positional", required: false, description: "30m, 1h, 2d; without it until --end" },
    project: { type: "boolean", description: "Only the project of this folder" },
    end: { type: "boolean", description: "End the pause now" },
    json: { type: "boolean", description: "Print the pauses as JSON" },
  },
  run: ({ args }) => {
    const lastsMs = args.duration === undefined ? null : lengthMs(args.duration);
    if (args.end && lastsMs !== null) throw new AppError("usage", "a duration or --end, not both.");
    const home = resolveHome();
    mkdirSync(home.dir, { recursive: true, mode: 0o700 });
    const now = new Date();
    const project = args.project ? createProjectOf()(process.cwd()) : null;
    // Kept for ever: a spool read late, or an import, must not bring back what was said during one.
    const kept = readPauses(home.pauses);
    const isOpen = (pause: Pause): boolean =>
      pause.project === project && (pause.until === null || pause.until > now.toISOString());
    const ended = kept.map((pause) => (isOpen(pause) ? { ...pause, until: now.toISOString() } : pause));
    const until = lastsMs === null ? null : new Date(now.getTime() + lastsMs).toISOString();
    const pauses = args.end ? ended : [...ended, { from: now.toISOString(), until, project }];
    writeAtomically(home.pauses, `${JSON.stringify(pauses, null, 2)}\n`);
    // Hooks give what lies ready, also with the daemon down; the daemon makes it again afterwards.
    if (!args.end) rmSync(join(home.context, project ?? ""), { recursive: true, force: true });
    if (args.json) printJson(pauses);
    else if (args.end) print("Recording again.");
    else
      print(
        `Nothing is recorded${project === null ? "" : ` in ${project}`} ${until === null ? "until `hookline pause --end`" : `until ${clock(until, now.getTime())}`}.`,
      );
  },
});

function lengthMs(duration: string): number {
  const ms = toMs(duration);
  if (ms === null || ms === 0)
    throw new AppError("usage", `invalid duration "${duration}" (e.g. 30m, 1h, 2d)`);
  return ms;
}
