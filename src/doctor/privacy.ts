import { existsSync } from "node:fs";
import { homeUnwritable } from "../daemon/home-trouble.ts";
import type { Check, Outcome } from "./check.ts";
import { closeToOthers, openToOthers, walk } from "./modes.ts";
import type { Situation } from "./situation.ts";
import { octal } from "./wording.ts";

export const privacyChecks: readonly Check[] = [
  { code: "home_writable", look: lookWritable },
  { code: "home_private", look: lookModes },
];

/** Without it no other remedy helps. */
function lookWritable({ home }: Situation): Outcome {
  const trouble = homeUnwritable(home);
  if (trouble === null) return { status: "ok", found: `${home.dir} can be written.` };
  return {
    status: "fail",
    found: `${trouble.message}.`,
    remedy: "Make it writable for you, or set HOOKLINE_HOME to a folder that is: nothing is recorded before.",
  };
}

async function lookModes({ home }: Situation): Promise<Outcome> {
  if (!existsSync(home.dir)) return { status: "skipped", found: "There is no home yet." };
  const open = openToOthers(await walk(home.dir, home.spool));
  if (open.length === 0) return { status: "ok", found: `Only you may read ${home.dir}.` };
  return {
    status: "warn",
    found: `Others may read what was recorded: ${open[0]!.path} has mode ${octal(open[0]!.info.mode)}${open.length > 1 ? `, and ${open.length - 1} more` : ""}.`,
    remedy: "Run `hookline doctor --fix`: folders become 0700, files 0600.",
    fix: () => closeToOthers(open),
  };
}
