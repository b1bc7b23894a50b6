import { type CommandFile, file, meant } from "./command-words.ts";
import { fedText } from "./ending-processes.ts";
import type { ShellCommand, ShellWord } from "./shell/shell-reading.ts";

/** `curl -O`, `wget`: under the name that the address ends with. */
export function downloaded({ name, args }: ShellCommand): readonly CommandFile[] {
  const keepsName =
    name === "wget"
      ? !args.some((word) => /^-[a-zA-Z]*O|^--output-document|^--spider/.test(word.text))
      : name === "curl" && args.some((word) => /^-[a-zA-Z#]*O|^--remote-name/.test(word.text));
  if (!keepsName) return [];
  const at = args.findIndex((word) => /^(?:-P|--directory-prefix|--output-dir)$/.test(word.text));
  const folder = at < 0 ? "." : (args[at + 1]?.text ?? ".");
  return args.flatMap((word) => {
    const name = /^(?:[a-z]+:\/\/)?[^/?#]+\/(?:[^?#]*\/)?([^/?#]+)/i.exec(word.text)?.[1];
    return name === undefined || word.text.startsWith("-")
      ? []
      : [{ ...file(word, "write" as const), text: `${folder}/${name}` }];
  });
}

/** The last word may lie here; with a colon, or an address, it does not. */
export function copiedAfar(words: readonly ShellWord[]): readonly CommandFile[] {
  const target = words.at(-1);
  return words.flatMap((word) => (word === target ? [file(word, "write"), ...meant(word)] : meant(word)));
}

const UNPACKS = /^(?:tar|bsdtar|gtar|jar|ar|7z|7za|7zz|unzip|unrar|unar|cpio|pax)$/;

/** `tar xf x.tar .github`: what is named is written. */
function isUnpacking({ name, args }: ShellCommand): boolean {
  if (/^un/.test(name)) return !args.some((word) => /^-[a-zA-Z]*[lptvZ]/.test(word.text));
  return (
    /^-?[a-wyzA-Z]*x[a-zA-Z]*$/.test(args[0]?.text ?? "") ||
    args.some((word) => /^--(?:extract|get)$|^-[a-zA-Z]*x/.test(word.text))
  );
}

/** What an archive is unpacked into, where that is named. */
export function unpacked(command: ShellCommand, words: readonly ShellWord[]): readonly CommandFile[] {
  if (!UNPACKS.test(command.name) || !isUnpacking(command)) return [];
  return words.map((word) => ({ ...file(word, "write" as const), isGlob: /[*?[]/.test(word.text) }));
}

/** A folder of the work that a container gets to write. */
export function mounted({ args }: ShellCommand): readonly CommandFile[] {
  return args.flatMap((word, at) => {
    const value = /^(?:-v|--volume|--mount)$/.test(args[at - 1]?.text ?? "")
      ? word.text
      : /^(?:-v|--volume=|--mount=)(.+)$/s.exec(word.text)?.[1];
    if (value === undefined || /:ro(?:,|$)|(?:^|,)(?:ro|readonly)(?:,|=true|$)/.test(value)) return [];
    const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(value)?.[1] ?? value.split(":")[0]!;
    return /^\/(?:etc|usr|bin|sbin|lib|var)(?:\/|$)/.test(source)
      ? []
      : [{ ...file(word, "either" as const), text: source }];
  });
}

const TRANSFERS = /^(?:sftp|ftp|lftp|smbclient|tftp)$/;

/** `put file`, in what a program for transfers is fed. */
export function transferred(command: ShellCommand): readonly CommandFile[] {
  if (!TRANSFERS.test(command.name)) return [];
  return [...fedText(command).matchAll(/(?:^|[\n;])\s*(m?put|m?get|reput|send|recv)\s+([^\n;]+)/g)].flatMap(
    ([, verb = "", names = ""]) =>
      names
        .split(/\s+/)
        .map(
          (text) =>
            ({ text, isGlob: /[*?[]/.test(text), access: /get|recv/.test(verb) ? "write" : "read" }) as const,
        ),
  );
}

/** `tar cf x -C ~ .ssh`: the names are those of another folder. */
export function packedElsewhere({ args }: ShellCommand, words: readonly ShellWord[]): readonly CommandFile[] {
  const folders = args.flatMap((word, at) =>
    /^(?:-[a-zA-Z]*C|--directory)$/.test(args[at - 1]?.text ?? "") ? [word.text] : [],
  );
  return folders.flatMap((folder) =>
    words.map((word) => ({ ...file(word, "read" as const), text: `${folder}/${word.text}` })),
  );
}
