import { posix } from "node:path";
import { displayCommand } from "./display-command.ts";
import { deny, type Finding } from "./finding.ts";
import { type ShellCommand, type ShellWord, UNKNOWN } from "./shell/shell-reading.ts";
import { isDevice } from "./wide-targets.ts";

/** Kernel files that can shut the machine down. */
const POWER =
  /^\/proc\/(?:sysrq-trigger|sys\/kernel\/sysrq)$|^\/sys\/power\/(?:state|disk|autosleep|mem_sleep)$/;

/** Writing to these files destroys a disk or stops the machine. */
export function judgeOverwrite(path: string, shownAs: string, actor: string): Finding | null {
  if (isDevice(path)) return deny("write-device", `${actor} would overwrite the device ${shownAs}.`);
  return POWER.test(posix.normalize(path))
    ? deny("power", `${actor} would shut down or restart the machine through ${shownAs}.`)
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
  { text, display: displayed }: ShellWord,
  { cwds }: ShellCommand,
  actor: string,
): Finding | null {
  if (text.startsWith("/")) return judgeOverwrite(text, displayed, actor);
  for (const cwd of cwds) {
    if (!/^\/(?:dev|proc|sys)(?:\/|$)/.test(cwd) || cwd.includes(UNKNOWN) || text === "") continue;
    const found = judgeOverwrite(`${cwd}/${text}`, displayed, actor);
    if (found !== null) return found;
  }
  return null;
}
