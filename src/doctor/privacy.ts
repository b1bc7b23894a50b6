import { existsSync } from "node:fs";
import { checkHomeWritable } from "../daemon/home-errors.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";
import { findOpenToOthers, listEntries, restrictToOwner } from "./file-modes.ts";
import { octalMode } from "./wording.ts";

export const privacyChecks: readonly Check[] = [
  { code: "home_writable", run: checkWritable },
  { code: "home_private", run: checkModes },
];

/** Without a writable home, no other fix helps. */
function checkWritable({ home }: CheckContext): Outcome {
  const problem = checkHomeWritable(home);
  if (problem === null) return { status: "ok", found: `${home.dir} is writable.` };
  return {
    status: "fail",
    found: `${problem.message}.`,
    remedy: "Make it writable, or set HOOKLINE_HOME to another folder; nothing is recorded until then.",
  };
}

async function checkModes({ home }: CheckContext): Promise<Outcome> {
  if (!existsSync(home.dir)) return { status: "skipped", found: "The home folder does not exist yet." };
  const open = findOpenToOthers(await listEntries(home.dir, home.spool));
  if (open.length === 0) return { status: "ok", found: `Only you can read ${home.dir}.` };
  return {
    status: "warn",
    found: `Other users can read recorded data: ${open[0]!.path} has mode ${octalMode(open[0]!.info.mode)}${open.length > 1 ? `, and ${open.length - 1} more` : ""}.`,
    remedy: "Run `hookline doctor --fix`: folders become 0700, files 0600.",
    fix: () => restrictToOwner(open),
  };
}
