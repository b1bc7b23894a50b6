import { posix } from "node:path";
import { deny, type Finding } from "./finding.ts";
import { type ShellCommand, type ShellWord, UNKNOWN } from "./shell/shell-reading.ts";
import { shown } from "./shown-command.ts";
import { isDevice } from "./wide-targets.ts";

/** Files with which the kernel is told to take the machine down. */
const POWER =
  /^\/proc\/(?:sysrq-trigger|sys\/kernel\/sysrq)$|^\/sys\/power\/(?:state|disk|autosleep|mem_sleep)$/;

/** What writing to a file destroys for good: a disk, or the machine's running. `who` writes. */
export function overwrites(path: string, shownAs: string, who: string): Finding | null {
  if (isDevice(path)) return deny("write-device", `${who} overwrites the device ${shownAs}.`);
  return POWER.test(posix.normalize(path))
    ? deny("power", `${who} takes the machine down through ${shownAs}.`)
    : null;
}

/** Words that name a device, also from the folder that the command runs in. */
export function device(command: ShellCommand, words: readonly ShellWord[]): Finding | null {
  for (const word of words) {
    const found = overwritten(word, command, shown(command));
    if (found !== null) return found;
  }
  return null;
}

export function intoDevice(command: ShellCommand): Finding | null {
  for (const { operator, target } of command.redirects) {
    if (target === null || !operator.includes(">")) continue;
    const found = overwritten(target, command, "This");
    if (found !== null) return found;
  }
  return null;
}

function overwritten({ text, shown: as }: ShellWord, { cwds }: ShellCommand, who: string): Finding | null {
  if (text.startsWith("/")) return overwrites(text, as, who);
  for (const cwd of cwds) {
    if (!/^\/(?:dev|proc|sys)(?:\/|$)/.test(cwd) || cwd.includes(UNKNOWN) || text === "") continue;
    const found = overwrites(`${cwd}/${text}`, as, who);
    if (found !== null) return found;
  }
  return null;
}
