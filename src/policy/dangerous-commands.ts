import { device, intoDevice } from "./dangerous-devices.ts";
import { power, stopsUser } from "./dangerous-power.ts";
import { removedBeside, workTreesOf } from "./dangerous-removers.ts";
import { endsProcesses } from "./ending-processes.ts";
import { ask, deny, type Finding, gravest } from "./finding.ts";
import type { Places } from "./places.ts";
import { foldersOfFind, narrows } from "./shell/find-commands.ts";
import { isKnown, literalWord, type ShellCommand, type ShellWord, UNKNOWN } from "./shell/shell-reading.ts";
import { shown } from "./shown-command.ts";
import { isDevice, isMachineFolder, reachOf } from "./wide-targets.ts";

/**
 * Commands that destroy what nobody can bring back: denied in every mode. Where a target cannot be known, they are
 * asked about in every mode. Ordinary removal is no matter of this table.
 */
export function dangerOf(command: ShellCommand, places: Places): Finding | null {
  const judge = Object.hasOwn(JUDGES, command.name) ? JUDGES[command.name] : undefined;
  const found = gravest([
    judge?.(command, places) ?? null,
    /^mkfs\./.test(command.name) ? disk(command) : null,
    /^format(?:\.com|\.exe)?$/i.test(command.name) ? formatDrive(command) : null,
    intoDevice(command),
    removesBeside(command, places),
    endsProcesses(command, places),
  ]);
  // `find` chose what it is for: not all that lies there.
  if (found?.rule === "builtin/remove-workspace" && command.isNarrowed) return null;
  if (found?.verdict === "deny" && command.isNarrowed)
    return ask("remove-wide", `${shown(command)} works through a wide folder: ${found.reason}`);
  return found;
}

function removesBeside(command: ShellCommand, places: Places): Finding | null {
  const removal = removedBeside(command);
  if (removal === null) return null;
  const found = targets(command, places, removal.words, "remove-root", removal.does);
  return found?.rule === "builtin/remove-workspace" || found?.rule === "builtin/unknown-target"
    ? null
    : found;
}

type Judge = (command: ShellCommand, places: Places) => Finding | null;

const JUDGES: Readonly<Record<string, Judge>> = {
  rm: remove,
  rimraf: removeByPattern,
  del: removeByPattern,
  "del-cli": removeByPattern,
  srm: remove,
  cmake: (command, places) =>
    has(command, /^(?:rm|remove|remove_directory)$/)
      ? targets(command, places, operands(command), "remove-root", "removes")
      : null,
  mv: (command, places) =>
    gravest([
      targets(command, places, operands(command).slice(0, -1), "move-root", "moves away"),
      device(command, operands(command).slice(-1)),
    ]),
  ln: linkWide,
  git: cleanWide,
  chmod: changeMode,
  chown: changeMode,
  chgrp: changeMode,
  setfacl: changeMode,
  chattr: changeMode,
  chflags: changeMode,
  chcon: changeMode,
  setfattr: changeMode,
  xattr: changeMode,
  icacls: changeMode,
  takeown: changeMode,
  find: removeFound,
  rsync: (command, places) => {
    if (has(command, /^--del(?:ete)?(?:-.*)?$/))
      return targets(command, places, operands(command).slice(-1), "remove-root", "empties");
    return has(command, /^--remove-source-files$/)
      ? targets(command, places, operands(command).slice(0, -1), "move-root", "moves away")
      : null;
  },
  dd: (command) => {
    const target = command.args.find((word) => word.text.startsWith("of="));
    if (target === undefined) return null;
    const file = { ...target, text: target.text.slice(3), shown: target.shown.replace(/^of=/, "") };
    return device(command, [file]) ?? (isKnown(file) ? null : unknownTarget(command));
  },
  cp: (command) => device(command, operands(command).slice(-1)),
  tee: (command) => device(command, operands(command)),
  shred: overwrite,
  truncate: overwrite,
  unlink: overwrite,
  mkfs: disk,
  newfs: disk,
  zpool: destroy,
  zfs: destroy,
  lvremove: destroy,
  vgremove: destroy,
  mke2fs: disk,
  mkswap: disk,
  wipefs: disk,
  blkdiscard: disk,
  mdadm: (command) => (has(command, /^--zero-superblock$/) ? disk(command) : null),
  pvcreate: disk,
  pvremove: disk,
  cryptsetup: disk,
  fdisk: disk,
  cfdisk: disk,
  sfdisk: disk,
  gdisk: disk,
  sgdisk: disk,
  parted: disk,
  hdparm: disk,
  nvme: disk,
  badblocks: disk,
  diskutil: (command) =>
    has(command, /^(?:erase|partition|zero|secureErase|reformat)/i)
      ? deny("write-device", `${shown(command)} erases a disk.`)
      : null,
  shutdown: power,
  reboot: power,
  halt: power,
  poweroff: power,
  telinit: power,
  kexec: power,
  rtcwake: power,
  "pm-suspend": power,
  "pm-hibernate": power,
  init: (command) => (has(command, /^[06sS]$/) ? power(command) : null),
  systemctl: stopsUser,
  loginctl: stopsUser,
  busctl: stopsUser,
  "dbus-send": stopsUser,
  gdbus: stopsUser,
  qdbus: stopsUser,
  killall5: power,
};

function remove(command: ShellCommand, places: Places): Finding | null {
  const options = command.args.filter((word) => /^-./.test(word.text)).map((word) => word.text);
  const words = operands(command);
  if (options.some((text) => /^-[a-zA-Z]*[rR]|^--r|^--no-p/.test(text)))
    return targets(command, places, words, "remove-root", "removes");
  // An option, or a first word, that is not known may say that folders are meant.
  const mayBeRecursive = options.some((text) => text.includes(UNKNOWN)) || words[0]?.text.startsWith(UNKNOWN);
  if (mayBeRecursive && words.some((word) => reachOf(word, places, command.cwds) === "wide"))
    return ask("unknown-target", `${shown(command)} may remove a folder that must not go.`);
  const globs = words.filter((word) => word.isGlob);
  const found = targets(command, places, globs, "remove-root", "removes");
  return found?.verdict === "deny" ? found : null;
}

/** It expands patterns itself. */
function removeByPattern(command: ShellCommand, places: Places): Finding | null {
  const words = command.args.map((word) => ({ ...word, isGlob: word.isGlob || /[*?[{]/.test(word.text) }));
  return targets(command, places, words, "remove-root", "removes");
}

/** File by file: a glob, or what `find` finds, may be all of them. */
function overwrite(command: ShellCommand, places: Places): Finding | null {
  const globs = operands(command).filter((word) => word.isGlob);
  const found = targets(command, places, globs, "remove-root", "destroys");
  return gravest([device(command, operands(command)), found?.verdict === "deny" ? found : null]);
}

/** A link to all of a machine or a home makes what is done below it look small. */
function linkWide(command: ShellCommand, places: Places): Finding | null {
  const [target] = operands(command).filter((word) => word.text.startsWith("/"));
  return target !== undefined && reachOf(target, places, command.cwds) === "wide"
    ? ask("link-wide", `${shown(command)} makes ${target.shown} look like a folder elsewhere.`)
    : null;
}

/** `git clean` takes what git does not know: in a wide folder that is all. */
function cleanWide(command: ShellCommand, places: Places): Finding | null {
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
  if (command.assigns.includes("GIT_WORK_TREE")) return unknownTarget(command);
  const found = targets(command, places, words, "remove-root", "cleans away what is in");
  return found?.verdict === "deny" ? found : null;
}

/** Of the machine's own folders also one alone: without it nobody gets at the rest. */
function changeMode(command: ShellCommand, places: Places): Finding | null {
  const isFound = command.wrappers.at(-1) === "find";
  const isRecursive = isFound || has(command, /^-[a-zA-Z]*R|^--rec|^-r$|^\/[TR]$/i);
  const found = targets(command, places, operands(command), "change-root", "changes all of");
  if (isRecursive || found === null) return found;
  const isMachine = operands(command).some(
    (word) => isMachineFolder(word, places, command.cwds) && !word.text.includes(UNKNOWN),
  );
  if (found.verdict === "deny" && isMachine)
    return deny("change-root", `${shown(command)} changes a folder that the whole machine needs.`);
  return found.verdict === "deny"
    ? ask("change-root", `${shown(command)} changes a folder above this work.`)
    : null;
}

function removeFound(command: ShellCommand, places: Places): Finding | null {
  if (!has(command, /^-delete$/)) return null;
  const found = targets(command, places, foldersOfFind(command.args), "remove-root", "removes what is in");
  if (found === null || found.rule === "builtin/remove-workspace")
    return narrows(command.args) ? null : found;
  return narrows(command.args)
    ? ask("remove-wide", `${shown(command)} removes files throughout a wide folder.`)
    : found;
}

function targets(
  command: ShellCommand,
  places: Places,
  words: readonly ShellWord[],
  rule: string,
  does: string,
): Finding | null {
  const removes = rule === "remove-root";
  const judge = (word: ShellWord): Finding | null => {
    const reach = reachOf(word, places, command.cwds);
    if (reach === "wide")
      return deny(rule, `${shown(command)} ${does} ${word.shown}, which is never done from here.`);
    if (reach === "system")
      return ask(
        "remove-wide",
        `${shown(command)} ${does} ${word.shown}, which belongs to more than this work.`,
      );
    if (!removes || reach === "ordinary") return null;
    return reach === "unknown"
      ? unknownTarget(command, word)
      : ask("remove-workspace", `${shown(command)} ${does} the whole workspace.`);
  };
  return gravest(words.filter((word) => !/^-./.test(word.text)).map(judge));
}

function unknownTarget(command: ShellCommand, word?: ShellWord): Finding {
  const what = word === undefined ? "its target" : word.shown;
  return ask("unknown-target", `What ${what} stands for in ${shown(command)} is known only when it runs.`);
}

/** Words with which disk tools only look. */
const LOOKS: Readonly<Record<string, RegExp>> = {
  fdisk: /^(?:-l|--list)$/,
  sfdisk: /^(?:-l|--list|-d|--dump|-J|--json)$/,
  gdisk: /^-l$/,
  sgdisk: /^(?:-p|--print|-i|--info)$/,
  parted: /^(?:-l|--list|-s|print|free|all)$/,
  hdparm: /^-[iItT]+$/,
  nvme: /^(?:list|id-ctrl|id-ns|smart-log)$/,
  cryptsetup: /^(?:luksDump|isLuks|status)$/,
};

function disk(command: ShellCommand): Finding | null {
  const looks = LOOKS[command.name];
  const words = command.args.filter((word) => !isDevice(word.text));
  if (looks !== undefined && words.length > 0 && words.every((word) => looks.test(word.text))) return null;
  if (command.name === "wipefs" && !has(command, /^-[a-z]*[ao]|^--(?:all|offset)/)) return null;
  return (
    device(command, operands(command)) ??
    (command.args.some((word) => !isKnown(word)) ? unknownTarget(command) : null)
  );
}

/** The program of Windows, which WSL can start. Other programs of that name take no drive. */
function formatDrive(command: ShellCommand): Finding | null {
  return has(command, /^[a-z]:[\\/]?$/i) ? deny("write-device", `${shown(command)} erases a drive.`) : null;
}

/** Volumes and pools are gone with all that is in them. */
function destroy(command: ShellCommand): Finding | null {
  return /remove$/.test(command.name) || has(command, /^(?:destroy|labelclear)$/)
    ? deny("write-device", `${shown(command)} destroys a volume.`)
    : null;
}

function has(command: ShellCommand, pattern: RegExp): boolean {
  return command.args.some((word) => pattern.test(word.text));
}

/** The words that are no options. */
function operands(command: ShellCommand): readonly ShellWord[] {
  const end = command.args.findIndex((word) => word.text === "--");
  const before = end < 0 ? command.args : command.args.slice(0, end);
  const after = end < 0 ? [] : command.args.slice(end + 1);
  return [...before.filter((word) => !/^-./.test(word.text)), ...after];
}
