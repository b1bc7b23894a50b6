import { posix } from "node:path";
import { isInside, type Locations, pathsOf } from "./locations.ts";
import { matchesPath } from "./path-glob.ts";
import { type ShellWord, UNKNOWN } from "./shell/shell-reading.ts";

/** Folders whose loss destroys a machine or a user's work. */
const SYSTEM: readonly string[] =
  "/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /libx32 /media /mnt /opt /proc /root /run /sbin /srv /sys /usr /var /nix /snap /Users /System /Library /Applications /Volumes /private /cores".split(
    " ",
  );

/** Each folder directly in them counts too. */
const CROWDED = new Set([
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
const NOT_CROWDED = new Set(["/var/tmp", "/dev/shm", "/dev/null"]);

/** Matches everything in a folder. */
const EVERYTHING = /^(?:\*+|\.\*|\.\[[!^]\.\]\*|\?\*|\.\?\*|\*\.\*|\{\*,\.\*\})$/;

/** Their contents belong to the machine, at any depth. */
const OF_THE_MACHINE =
  "/etc /usr /bin /sbin /lib /lib32 /lib64 /boot /nix /System /Library /private/etc".split(" ");
/** Where users unpack their own files. */
const UNPACKED =
  /^\/usr\/(?:src\/.|local\/(?!(?:bin|sbin|lib|lib64|share|etc|include)$).|local\/(?:lib|share)\/.)/;
/** A user's own folders in a home. */
const OF_A_PERSON = new Set(
  "Documents Desktop Downloads Pictures Music Movies Videos Library .config .local .mozilla".split(" "),
);

/** `system`: parts of the machine, or of a user's home, that are not everything. */
export type Reach = "wide" | "system" | "workspace" | "unknown" | "ordinary";

/** How much a removal (or similar) of a word would destroy. */
export function reachOf(word: ShellWord, places: Locations, cwds: readonly string[]): Reach {
  const { text } = word;
  const isRelative = !text.startsWith("/");
  if (text.includes(UNKNOWN)) return "unknown";
  const paths = pathsOf(
    text,
    places,
    cwds.filter((cwd) => !cwd.includes(UNKNOWN)),
  );
  const reaches = paths.map((path) => (word.isGlob ? reachOfGlob(path, places) : reachOfPath(path, places)));
  if (reaches.includes("wide")) return "wide";
  if (isRelative && cwds.some((cwd) => cwd.includes(UNKNOWN))) return "unknown";
  if (reaches.includes("system")) return "system";
  return reaches.includes("workspace") ? "workspace" : "ordinary";
}

/** Whether a word is a folder of the machine itself, not of a user or a workspace. */
export function isMachineFolder(word: ShellWord, places: Locations, cwds: readonly string[]): boolean {
  const paths = pathsOf(
    word.text,
    places,
    cwds.filter((cwd) => !cwd.includes(UNKNOWN)),
  );
  return paths.some(
    (path) => SYSTEM.includes(path) || /^\/(?:usr\/(?:s?bin|lib\w*)|var\/(?:lib|run))$/.test(path),
  );
}

function reachOfGlob(glob: string, places: Locations): Reach {
  const wide = wideFolders(places);
  if (wide.some((folder) => matchesPath(glob, folder))) return "wide";
  const folder = posix.dirname(glob);
  if (EVERYTHING.test(posix.basename(glob))) {
    if (wide.some((each) => matchesPath(folder, each))) return "wide";
    return reachOfPath(folder, places);
  }
  return reachOfPath(glob, places) === "system" ? "system" : "ordinary";
}

function reachOfPath(path: string, places: Locations): Reach {
  if (SYSTEM.includes(path) || isInside(places.home, path)) return "wide";
  if (places.workspace.some((folder) => folder !== path && isInside(folder, path))) return "wide";
  if (places.workspace.includes(path)) return "workspace";
  if (places.workspace.some((folder) => isInside(path, folder) && !SYSTEM.includes(folder)))
    return "ordinary";
  const folder = posix.dirname(path);
  if (isInside(path, "/proc") || (CROWDED.has(folder) && !NOT_CROWDED.has(path))) return "wide";
  if (OF_THE_MACHINE.some((each) => isInside(path, each)) && !UNPACKED.test(path)) return "system";
  const isKept = folder === places.home && OF_A_PERSON.has(posix.basename(path));
  return isKept || folder === "/var/lib" ? "system" : "ordinary";
}

function wideFolders(places: Locations): readonly string[] {
  const above = [places.home, ...places.workspace.map((folder) => posix.dirname(folder))].flatMap(
    (folder) => {
      const all = [folder];
      for (let at = folder; at !== "/" && at !== "."; at = posix.dirname(at)) all.push(posix.dirname(at));
      return all;
    },
  );
  return [...new Set([...SYSTEM, ...above])];
}

const HARMLESS_DEVICE =
  /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|ptmx|tty(?:USB|ACM|AMA|S)\d+|(?:cu|tty)\.[\w.-]+|snd\/.*|fd\/.*|shm\/.*|pts\/.*|tcp\/.*|udp\/.*)$/;

/** A disk, or another device that writing destroys. */
export function isDevice(text: string): boolean {
  const path = posix.normalize(text);
  return /^\/dev\/./.test(path) && !HARMLESS_DEVICE.test(path);
}
