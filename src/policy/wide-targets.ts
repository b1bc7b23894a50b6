import { posix } from "node:path";
import { isInside, type Locations, pathsOf } from "./locations.ts";
import { matchesPath } from "./path-glob.ts";
import { type ShellWord, UNKNOWN } from "./shell/shell-reading.ts";

/** Folders whose loss destroys a machine or a user's work. */
const SYSTEM_FOLDERS: readonly string[] =
  "/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /libx32 /media /mnt /opt /proc /root /run /sbin /srv /sys /usr /var /nix /snap /Users /System /Library /Applications /Volumes /private /cores".split(
    " ",
  );

/** Each folder directly in them counts, too. */
const PARENTS_OF_WIDE_FOLDERS = new Set([
  "/usr",
  "/var",
  "/home",
  "/Users",
  "/System",
  "/Library",
  "/dev",
  "/boot",
  "/proc",
  "/sys",
]);
const NARROW_EXCEPTIONS = new Set(["/var/tmp", "/dev/shm", "/dev/null"]);

/** Matches everything in a folder. */
const EVERYTHING = /^(?:\*+|\.\*|\.\[[!^]\.\]\*|\?\*|\.\?\*|\*\.\*|\{\*,\.\*\})$/;

/** Their contents belong to the machine, at any depth. */
const MACHINE_OWNED =
  "/etc /usr /bin /sbin /lib /lib32 /lib64 /boot /nix /System /Library /private/etc".split(" ");
/** Where users unpack their own files. */
const USER_OWNED =
  /^\/usr\/(?:src\/.|local\/(?!(?:bin|sbin|lib|lib64|share|etc|include)$).|local\/(?:lib|share)\/.)/;
/** A user's own folders in a home. */
const PERSONAL_FOLDERS = new Set(
  "Documents Desktop Downloads Pictures Music Movies Videos Library .config .local .mozilla".split(" "),
);

/** `system`: parts of the machine, or of a user's home, that are not everything. */
export type Reach = "wide" | "system" | "workspace" | "unknown" | "ordinary";

/** How much is lost if a command removes what a word names. */
export function reachOf(word: ShellWord, locations: Locations, cwds: readonly string[]): Reach {
  const { text } = word;
  const isRelative = !text.startsWith("/");
  if (text.includes(UNKNOWN)) return "unknown";
  const paths = pathsOf(
    text,
    locations,
    cwds.filter((cwd) => !cwd.includes(UNKNOWN)),
  );
  const reaches = paths.map((path) =>
    word.isGlob ? reachOfGlob(path, locations) : reachOfPath(path, locations),
  );
  if (reaches.includes("wide")) return "wide";
  if (isRelative && cwds.some((cwd) => cwd.includes(UNKNOWN))) return "unknown";
  if (reaches.includes("system")) return "system";
  return reaches.includes("workspace") ? "workspace" : "ordinary";
}

/** Whether a word is a folder of the machine itself, not of a user or a workspace. */
export function isMachineFolder(word: ShellWord, locations: Locations, cwds: readonly string[]): boolean {
  const paths = pathsOf(
    word.text,
    locations,
    cwds.filter((cwd) => !cwd.includes(UNKNOWN)),
  );
  return paths.some(
    (path) => SYSTEM_FOLDERS.includes(path) || /^\/(?:usr\/(?:s?bin|lib\w*)|var\/(?:lib|run))$/.test(path),
  );
}

function reachOfGlob(glob: string, locations: Locations): Reach {
  const wide = wideFolders(locations);
  if (wide.some((folder) => matchesPath(glob, folder))) return "wide";
  const folder = posix.dirname(glob);
  if (EVERYTHING.test(posix.basename(glob))) {
    if (wide.some((wideFolder) => matchesPath(folder, wideFolder))) return "wide";
    return reachOfPath(folder, locations);
  }
  return reachOfPath(glob, locations) === "system" ? "system" : "ordinary";
}

function reachOfPath(path: string, locations: Locations): Reach {
  if (SYSTEM_FOLDERS.includes(path) || isInside(locations.home, path)) return "wide";
  if (locations.workspace.some((folder) => folder !== path && isInside(folder, path))) return "wide";
  if (locations.workspace.includes(path)) return "workspace";
  if (locations.workspace.some((folder) => isInside(path, folder) && !SYSTEM_FOLDERS.includes(folder)))
    return "ordinary";
  const folder = posix.dirname(path);
  if (isInside(path, "/proc") || (PARENTS_OF_WIDE_FOLDERS.has(folder) && !NARROW_EXCEPTIONS.has(path)))
    return "wide";
  if (MACHINE_OWNED.some((owned) => isInside(path, owned)) && !USER_OWNED.test(path)) return "system";
  const isPersonal = folder === locations.home && PERSONAL_FOLDERS.has(posix.basename(path));
  return isPersonal || folder === "/var/lib" ? "system" : "ordinary";
}

function wideFolders(locations: Locations): readonly string[] {
  const above = [locations.home, ...locations.workspace.map((folder) => posix.dirname(folder))].flatMap(
    (folder) => {
      const folders = [folder];
      for (let at = folder; at !== "/" && at !== "."; at = posix.dirname(at)) folders.push(posix.dirname(at));
      return folders;
    },
  );
  return [...new Set([...SYSTEM_FOLDERS, ...above])];
}

const HARMLESS_DEVICE =
  /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|ptmx|tty(?:USB|ACM|AMA|S)\d+|(?:cu|tty)\.[\w.-]+|snd\/.*|fd\/.*|shm\/.*|pts\/.*|tcp\/.*|udp\/.*)$/;

/** A disk, or another device that writing destroys. */
export function isDevice(text: string): boolean {
  const path = posix.normalize(text);
  return /^\/dev\/./.test(path) && !HARMLESS_DEVICE.test(path);
}
