import type { Locations } from "./locations.ts";
import { mentionsOwnPort } from "./own-files.ts";
import { isDistinctive, numberPattern } from "./own-numbers.ts";
import type { OwnHome } from "./rule.ts";

/** How code kills or suspends processes. */
const KILLS = /\b(?:kill(?:pg|all)?|posix_kill|terminate|send_?signal|suspend|ptrace|TerminateProcess)\b/i;
const LISTS_PROCESSES =
  /pgrep|pidof|process_iter|psutil|tasklist|\bps\b|\/proc\b|lsof|fuser|ps-list|find-process|ps\.lookup/i;
/** How code affects a process in any way: it may also control, trace and debug it. */
const AFFECTS_PROCESS =
  /kill|terminat|signal|\bsig[a-z]{3,5}\b|suspend|resume|freeze|\bstop|ptrace|attach|debug|inspect|inject|nice|priority|affinity|rlimit|pidfd|process_vm|openprocess|task_for_pid|gcore|minidump|taskkill|frida/i;
/** Files of `/proc/1/` that reveal more than a process list. */
const PRIVATE_PROC_FILE =
  /\b(?:environ|mem|maps|smaps|fd|fdinfo|root|cwd|exe|task|ns|auxv|stack|syscall|attr|pagemap|oom_\w+|clear_refs|map_files)\b/;

/** Whether code of any language ends the daemon: `os.kill(int(check_output(["pgrep", "hookline"])), 9)`. */
export function codeTargetsHookline(code: string, locations: Locations): boolean {
  if (targetsOwnPid(code, locations.own)) return true;
  return (
    KILLS.test(code) &&
    LISTS_PROCESSES.test(code) &&
    (/hookline/i.test(code) || mentionsOwnPort(code, locations))
  );
}

/** The same by its pid, anywhere in the code. */
export function targetsOwnPid(code: string, { pid }: OwnHome): boolean {
  if (pid == null || pid <= 1) return false;
  if (!isDistinctive(pid)) return numberPattern(String.raw`kill\w*\W{1,4}-?N\b`, pid).test(code);
  if (!numberPattern(String.raw`(?<![\w.])N(?![\w.]*\w)`, pid).test(code)) return false;
  return AFFECTS_PROCESS.test(code) || (/\/proc\b/.test(code) && PRIVATE_PROC_FILE.test(code));
}
