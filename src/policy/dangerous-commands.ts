import { judgeDeviceRedirect, judgeDeviceWords } from "./dangerous-devices.ts";
import { judgePower, judgeServiceManager } from "./dangerous-power.ts";
import { sideRemovalOf, workTreesOf } from "./dangerous-removers.ts";
import { displayCommand } from "./display-command.ts";
import { ask, deny, type Finding, mostSevere } from "./finding.ts";
import { judgeKill } from "./killed-processes.ts";
import type { Locations } from "./locations.ts";
import { foldersOfFind, narrowsFind } from "./shell/find-commands.ts";
import { isKnown, literalWord, type ShellCommand, type ShellWord, UNKNOWN } from "./shell/shell-reading.ts";
import { isDevice, isMachineFolder, reachOf } from "./wide-targets.ts";

/**
 * Commands that destroy data irrecoverably: denied in every mode. Where a target is unknown, they are asked about in
 * every mode. Ordinary removal is not covered by this table.
 */
export function judgeDanger(command: ShellCommand, locations: Locations): Finding | null {
  const judge = Object.hasOwn(JUDGES, command.name) ? JUDGES[command.name] : undefined;
  const found = mostSevere([
    judge?.(command, locations) ?? null,
    /^mkfs\./.test(command.name) ? judgeDiskTool(command) : null,
    /^format(?:\.com|\.exe)?$/i.test(command.name) ? judgeFormatDrive(command) : null,
    judgeDeviceRedirect(command),
    judgeSideRemoval(command, locations),
    judgeKill(command, locations),
  ]);
  // `find` selects its targets: not everything in the folder.
  if (found?.rule === "builtin/remove-workspace" && command.isNarrowed) return null;
  if (found?.verdict === "deny" && command.isNarrowed)
    return ask("remove-wide", `${displayCommand(command)} works on selected files in a broad folder.`);
  return found;
}

function judgeSideRemoval(command: ShellCommand, locations: Locations): Finding | null {
  const removal = sideRemovalOf(command);
  if (removal === null) return null;
  const found = judgeTargets(command, locations, removal.words, "remove-root", removal.action);
  return found?.rule === "builtin/remove-workspace" || found?.rule === "builtin/unknown-target"
    ? null
    : found;
}

type Judge = (command: ShellCommand, locations: Locations) => Finding | null;

const JUDGES: Readonly<Record<string, Judge>> = {
  rm: judgeRemove,
  rimraf: judgeRemoveByPattern,
  del: judgeRemoveByPattern,
  "del-cli": judgeRemoveByPattern,
  srm: judgeRemove,
  cmake: (command, locations) =>
    has(command, /^(?:rm|remove|remove_directory)$/)
      ? judgeTargets(command, locations, operands(command), "remove-root", "delete")
      : null,
  mv: (command, locations) =>
    mostSevere([
      judgeTargets(command, locations, operands(command).slice(0, -1), "move-root", "move"),
      judgeDeviceWords(command, operands(command).slice(-1)),
    ]),
  ln: judgeWideLink,
  git: judgeWideClean,
  chmod: judgeModeChange,
  chown: judgeModeChange,
  chgrp: judgeModeChange,
  setfacl: judgeModeChange,
  chattr: judgeModeChange,
  chflags: judgeModeChange,
  chcon: judgeModeChange,
  setfattr: judgeModeChange,
  xattr: judgeModeChange,
  icacls: judgeModeChange,
  takeown: judgeModeChange,
  find: judgeRemoveFound,
  rsync: (command, locations) => {
    if (has(command, /^--del(?:ete)?(?:-.*)?$/))
      return judgeTargets(command, locations, operands(command).slice(-1), "remove-root", "empty");
    return has(command, /^--remove-source-files$/)
      ? judgeTargets(command, locations, operands(command).slice(0, -1), "move-root", "move")
      : null;
  },
  dd: (command) => {
    const target = command.args.find((word) => word.text.startsWith("of="));
    if (target === undefined) return null;
    const file = { ...target, text: target.text.slice(3), display: target.display.replace(/^of=/, "") };
    return judgeDeviceWords(command, [file]) ?? (isKnown(file) ? null : unknownTarget(command));
  },
  cp: (command) => judgeDeviceWords(command, operands(command).slice(-1)),
  tee: (command) => judgeDeviceWords(command, operands(command)),
  shred: judgeOverwriteFiles,
  truncate: judgeOverwriteFiles,
  unlink: judgeOverwriteFiles,
  mkfs: judgeDiskTool,
  newfs: judgeDiskTool,
  zpool: judgeDestroy,
  zfs: judgeDestroy,
  lvremove: judgeDestroy,
  vgremove: judgeDestroy,
  mke2fs: judgeDiskTool,
  mkswap: judgeDiskTool,
  wipefs: judgeDiskTool,
  blkdiscard: judgeDiskTool,
  mdadm: (command) => (has(command, /^--zero-superblock$/) ? judgeDiskTool(command) : null),
  pvcreate: judgeDiskTool,
  pvremove: judgeDiskTool,
  cryptsetup: judgeDiskTool,
  fdisk: judgeDiskTool,
  cfdisk: judgeDiskTool,
  sfdisk: judgeDiskTool,
  gdisk: judgeDiskTool,
  sgdisk: judgeDiskTool,
  parted: judgeDiskTool,
  hdparm: judgeDiskTool,
  nvme: judgeDiskTool,
  badblocks: judgeDiskTool,
  diskutil: (command) =>
    has(command, /^(?:erase|partition|zero|secureErase|reformat)/i)
      ? deny("write-device", `${displayCommand(command)} would erase a disk.`)
      : null,
  shutdown: judgePower,
  reboot: judgePower,
  halt: judgePower,
  poweroff: judgePower,
  telinit: judgePower,
  kexec: judgePower,
  rtcwake: judgePower,
  "pm-suspend": judgePower,
  "pm-hibernate": judgePower,
  init: (command) => (has(command, /^[06sS]$/) ? judgePower(command) : null),
  systemctl: judgeServiceManager,
  loginctl: judgeServiceManager,
  busctl: judgeServiceManager,
  "dbus-send": judgeServiceManager,
  gdbus: judgeServiceManager,
  qdbus: judgeServiceManager,
  killall5: judgePower,
};

function judgeRemove(command: ShellCommand, locations: Locations): Finding | null {
  const options = command.args.filter((word) => /^-./.test(word.text)).map((word) => word.text);
  const words = operands(command);
  if (options.some((text) => /^-[a-zA-Z]*[rR]|^--r|^--no-p/.test(text)))
    return judgeTargets(command, locations, words, "remove-root", "delete");
  // An unknown option, or an unknown first word, may make it recursive.
  const mayBeRecursive = options.some((text) => text.includes(UNKNOWN)) || words[0]?.text.startsWith(UNKNOWN);
  if (mayBeRecursive && words.some((word) => reachOf(word, locations, command.cwds) === "wide"))
    return ask("unknown-target", `${displayCommand(command)} could delete an essential folder.`);
  const globs = words.filter((word) => word.isGlob);
  const found = judgeTargets(command, locations, globs, "remove-root", "delete");
  return found?.verdict === "deny" ? found : null;
}

/** These programs expand patterns themselves. */
function judgeRemoveByPattern(command: ShellCommand, locations: Locations): Finding | null {
  const words = command.args.map((word) => ({ ...word, isGlob: word.isGlob || /[*?[{]/.test(word.text) }));
  return judgeTargets(command, locations, words, "remove-root", "delete");
}

/** These take single files, but a glob or the result of `find` may cover all of a folder. */
function judgeOverwriteFiles(command: ShellCommand, locations: Locations): Finding | null {
  const globs = operands(command).filter((word) => word.isGlob);
  const found = judgeTargets(command, locations, globs, "remove-root", "destroy");
  return mostSevere([judgeDeviceWords(command, operands(command)), found?.verdict === "deny" ? found : null]);
}

/** A link to the file system root or the home makes operations below it look narrow. */
function judgeWideLink(command: ShellCommand, locations: Locations): Finding | null {
  const [target] = operands(command).filter((word) => word.text.startsWith("/"));
  return target !== undefined && reachOf(target, locations, command.cwds) === "wide"
    ? ask("link-wide", `${displayCommand(command)} would link ${target.display} to a folder elsewhere.`)
    : null;
}

/** `git clean` removes untracked files: in a wide folder that is everything. */
function judgeWideClean(command: ShellCommand, locations: Locations): Finding | null {
  const texts = command.args.map((word) => word.text);
  const at = texts.findIndex(
    (text, n) => !text.startsWith("-") && !/^(?:-C|-c|--work-tree|--git-dir)$/.test(texts[n - 1] ?? ""),
  );
  const folders = workTreesOf({ ...command, args: command.args.slice(0, Math.max(at, 0)) });
  const forces = /^(?:checkout|reset|restore|switch|read-tree)$/.test(texts[at] ?? "") && folders.length > 0;
  const cleans = texts[at] === "clean" && !has(command, /^(?:-(?=[a-zA-Z]*n)[a-zA-Z]+|--dry-run)$/);
  if (!cleans && !(forces && has(command, /^(?:-f|--force|--hard|-u|--worktree)$/))) return null;
  const rest = cleans ? operands({ ...command, args: command.args.slice(at + 1) }) : [];
  const words = [...(folders.length > 0 ? folders : [literalWord(".")]), ...rest];
  if (command.assignedVariables.includes("GIT_WORK_TREE")) return unknownTarget(command);
  const found = judgeTargets(command, locations, words, "remove-root", "clean up");
  return found?.verdict === "deny" ? found : null;
}

/** For system folders, even a change to the folder alone is denied: without access to it the rest is unreachable. */
function judgeModeChange(command: ShellCommand, locations: Locations): Finding | null {
  const comesFromFind = command.wrappers.at(-1) === "find";
  const isRecursive = comesFromFind || has(command, /^-[a-zA-Z]*R|^--rec|^-r$|^\/[TR]$/i);
  const found = judgeTargets(command, locations, operands(command), "change-root", "change all of");
  if (isRecursive || found === null) return found;
  const isMachine = operands(command).some(
    (word) => isMachineFolder(word, locations, command.cwds) && !word.text.includes(UNKNOWN),
  );
  if (found.verdict === "deny" && isMachine)
    return deny(
      "change-root",
      `${displayCommand(command)} would change a folder the whole system depends on.`,
    );
  return found.verdict === "deny"
    ? ask("change-root", `${displayCommand(command)} would change a folder above this project.`)
    : null;
}

function judgeRemoveFound(command: ShellCommand, locations: Locations): Finding | null {
  if (!has(command, /^-delete$/)) return null;
  const found = judgeTargets(
    command,
    locations,
    foldersOfFind(command.args),
    "remove-root",
    "delete everything in",
  );
  if (found === null || found.rule === "builtin/remove-workspace")
    return narrowsFind(command.args) ? null : found;
  return narrowsFind(command.args)
    ? ask("remove-wide", `${displayCommand(command)} would delete files throughout a broad folder.`)
    : found;
}

function judgeTargets(
  command: ShellCommand,
  locations: Locations,
  words: readonly ShellWord[],
  rule: string,
  action: string,
): Finding | null {
  const removes = rule === "remove-root";
  const judge = (word: ShellWord): Finding | null => {
    const reach = reachOf(word, locations, command.cwds);
    if (reach === "wide")
      return deny(rule, `${displayCommand(command)} would ${action} ${word.display}. Always blocked.`);
    if (reach === "system")
      return ask(
        "remove-wide",
        `${displayCommand(command)} would ${action} ${word.display}, which is shared beyond this project.`,
      );
    if (!removes || reach === "ordinary") return null;
    return reach === "unknown"
      ? unknownTarget(command, word)
      : ask("remove-workspace", `${displayCommand(command)} would ${action} the whole workspace.`);
  };
  return mostSevere(words.filter((word) => !/^-./.test(word.text)).map(judge));
}

function unknownTarget(command: ShellCommand, word?: ShellWord): Finding {
  const what = word === undefined ? "The target" : word.display;
  return ask("unknown-target", `${what} in ${displayCommand(command)} is only known at run time.`);
}

/** Verbs with which disk tools only read. */
const READ_ONLY_VERBS: Readonly<Record<string, RegExp>> = {
  fdisk: /^(?:-l|--list)$/,
  sfdisk: /^(?:-l|--list|-d|--dump|-J|--json)$/,
  gdisk: /^-l$/,
  sgdisk: /^(?:-p|--print|-i|--info)$/,
  parted: /^(?:-l|--list|-s|print|free|all)$/,
  hdparm: /^-[iItT]+$/,
  nvme: /^(?:list|id-ctrl|id-ns|smart-log)$/,
  cryptsetup: /^(?:luksDump|isLuks|status)$/,
};

function judgeDiskTool(command: ShellCommand): Finding | null {
  const readOnlyVerbs = READ_ONLY_VERBS[command.name];
  const words = command.args.filter((word) => !isDevice(word.text));
  if (readOnlyVerbs !== undefined && words.length > 0 && words.every((word) => readOnlyVerbs.test(word.text)))
    return null;
  if (command.name === "wipefs" && !has(command, /^-[a-z]*[ao]|^--(?:all|offset)/)) return null;
  return (
    judgeDeviceWords(command, operands(command)) ??
    (command.args.some((word) => !isKnown(word)) ? unknownTarget(command) : null)
  );
}

/** The Windows program, which WSL can start. Other programs of that name take no drive. */
function judgeFormatDrive(command: ShellCommand): Finding | null {
  return has(command, /^[a-z]:[\\/]?$/i)
    ? deny("write-device", `${displayCommand(command)} would erase a drive.`)
    : null;
}

/** Destroying a volume or pool destroys everything in it. */
function judgeDestroy(command: ShellCommand): Finding | null {
  return /remove$/.test(command.name) || has(command, /^(?:destroy|labelclear)$/)
    ? deny("write-device", `${displayCommand(command)} would destroy a volume.`)
    : null;
}

function has(command: ShellCommand, pattern: RegExp): boolean {
  return command.args.some((word) => pattern.test(word.text));
}

/** The words that are not options. */
function operands(command: ShellCommand): readonly ShellWord[] {
  const end = command.args.findIndex((word) => word.text === "--");
  const before = end < 0 ? command.args : command.args.slice(0, end);
  const after = end < 0 ? [] : command.args.slice(end + 1);
  return [...before.filter((word) => !/^-./.test(word.text)), ...after];
}
