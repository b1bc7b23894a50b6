import type { ShellCommand, ShellWord } from "./shell/shell-reading.ts";
import { literalWord } from "./shell/shell-reading.ts";

/** Operands that a program removes as a side effect. */
interface Removal {
  readonly words: readonly ShellWord[];
  readonly action: string;
}

const REMOVING_OPTIONS: Readonly<Record<string, RegExp>> = {
  tar: /^--remove-files$/,
  bsdtar: /^--remove-files$/,
  gtar: /^--remove-files$/,
  zip: /^(?:-(?=[a-zA-Z]*m)[a-zA-Z]+|--move)$/,
  "7z": /^-sdel$/,
  "7za": /^-sdel$/,
  "7zz": /^-sdel$/,
  rar: /^(?:-df|-dw|m|mf)$/,
  gzip: /^(?:-(?=[a-zA-Z]*r)[a-zA-Z]+|--recursive)$/,
  pigz: /^(?:-(?=[a-zA-Z]*r)[a-zA-Z]+|--recursive)$/,
  xz: /^-(?=[a-zA-Z]*r)[a-zA-Z]+$/,
  zstd: /^--rm$/,
  rclone: /^(?:purge|delete|deletefile|rmdirs?|cleanup)$/,
  gio: /^(?:trash|remove)$/,
};
const TRASHES = /^(?:trash|trash-put|trash-rm|rmtrash|gvfs-trash|wipe|scrub|sfill)$/;

/** Programs that remove what they pack, send or trash: `tar --remove-files`, `zip -m`, `trash`. */
export function sideRemovalOf({ name, args }: ShellCommand): Removal | null {
  if (TRASHES.test(name)) return { words: args, action: "throw away" };
  if (name === "rclone" && args.some((word) => /^(?:sync|bisync)$/.test(word.text)))
    return { words: args.slice(-1), action: "empty" };
  if (name === "rclone" && args.some((word) => /^(?:move|moveto)$/.test(word.text)))
    return { words: args.filter((word) => !/^-/.test(word.text)).slice(1, 2), action: "move" };
  const option = Object.hasOwn(REMOVING_OPTIONS, name) ? REMOVING_OPTIONS[name]! : undefined;
  return option !== undefined && args.some((word) => option.test(word.text))
    ? { words: args, action: "delete" }
    : null;
}

/** The folders that git uses as its work tree: `-C`, `--work-tree`. */
export function workTreesOf({ args }: ShellCommand): readonly ShellWord[] {
  const texts = args.map((word) => word.text);
  return args.flatMap((word, at) => {
    if (/^(?:-C|--work-tree)$/.test(texts[at - 1] ?? "")) return [word];
    const attached = /^--work-tree=(.+)$/s.exec(word.text)?.[1];
    return attached === undefined ? [] : [{ ...literalWord(attached), display: attached }];
  });
}
