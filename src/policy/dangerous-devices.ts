import { posix } from "node:path";
import { displayCommand } from "./display-command.ts";
import { deny, type Finding } from "./finding.ts";
import { type ShellCommand, type ShellWord, UNKNOWN } from "./shell/shell-reading.ts";
import { isDevice } from "./wide-targets.ts";

/** Kernel files that can shut the machine down. */
const POWER =
  /^\/proc\/(?:sysrq-trigger|sys\/kernel\/sysrq)$|^\/sys\/power\/(?:state|disk|autosleep|mem_sleep)$/;

/** What writing to a file destroys for good: a disk, or the running machine. `who` is the writer. */
export function judgeOverwrite(path: string, shownAs: string, who: string): Finding | null {
  if (isDevice(path)) return deny("write-device", `${who} would overwrite the device ${shownAs}.`);
  return POWER.test(posix.normalize(path))
    ? deny("power", `${who} would shut down or restart the machine through ${shownAs}.`)
    : null;
}

/** Words that name a device, also relative to the command's folder. */
export function judgeDeviceWords(command: ShellCommand, words: readonly ShellWord[]): Finding | null {
  for (const word of words) {
    const found = judgeWordOverwrite(word, command, displayCommand(command));
    if (found !== null) return found;
  }
  return null;
}

export function judgeDeviceRedirect(command: ShellCommand): Finding | null {
  for (const { operator, target } of command.redirects) {
    if (target === null || !operator.includes(">")) continue;
    const found = judgeWordOverwrite(target, command, "This");
    if (found !== null) return found;
  }
  return null;
}

function judgeWordOverwrite(
  { text, display: as }: ShellWord,
  { cwds }: ShellCommand,
  who: string,
): Finding | null {
  if (text.startsWith("/")) return judgeOverwrite(text, as, who);
  for (const cwd of cwds) {
    if (!/^\/(?:dev|proc|sys)(?:\/|$)/.test(cwd) || cwd.includes(UNKNOWN) || text === "") continue;
    const found = judgeOverwrite(`${cwd}/${text}`, as, who);
    if (found !== null) return found;
  }
  return null;
}
