import { namesOwnPort } from "./own-files.ts";
import { isTelling, numberPattern } from "./own-numbers.ts";
import type { Places } from "./places.ts";
import type { OwnHome } from "./rule.ts";

/** How code ends processes, or halts them. */
const ENDS = /\b(?:kill(?:pg|all)?|posix_kill|terminate|send_?signal|suspend|ptrace|TerminateProcess)\b/i;
const LISTS =
  /pgrep|pidof|process_iter|psutil|tasklist|\bps\b|\/proc\b|lsof|fuser|ps-list|find-process|ps\.lookup/i;
/** How it does anything to a process: it also steers, traces and debugs. */
const REACHES =
  /kill|terminat|signal|\bsig[a-z]{3,5}\b|suspend|resume|freeze|\bstop|ptrace|attach|debug|inspect|inject|nice|priority|affinity|rlimit|pidfd|process_vm|openprocess|task_for_pid|gcore|minidump|taskkill|frida/i;
/** What of `/proc/1/` tells more than a list of processes. */
const PRIVATE =
  /\b(?:environ|mem|maps|smaps|fd|fdinfo|root|cwd|exe|task|ns|auxv|stack|syscall|attr|pagemap|oom_\w+|clear_refs|map_files)\b/;

/** Whether code of any language ends the daemon: `os.kill(int(check_output(["pgrep", "hookline"])), 9)`. */
export function codeReachesHookline(code: string, places: Places): boolean {
  if (reachesOwnProcess(code, places.own)) return true;
  return ENDS.test(code) && LISTS.test(code) && (/hookline/i.test(code) || namesOwnPort(code, places));
}

/** The same by the number of its process, wherever that stands in the code. */
export function reachesOwnProcess(code: string, { pid }: OwnHome): boolean {
  if (pid == null || pid <= 1) return false;
  if (!isTelling(pid)) return numberPattern(String.raw`kill\w*\W{1,4}-?N\b`, pid).test(code);
  if (!numberPattern(String.raw`(?<![\w.])N(?![\w.]*\w)`, pid).test(code)) return false;
  return REACHES.test(code) || (/\/proc\b/.test(code) && PRIVATE.test(code));
}
