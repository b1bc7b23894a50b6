import { type CommandFile, filesInWord, toCommandFile } from "./command-words.ts";
import { stdinText } from "./killed-processes.ts";
import type { ShellCommand, ShellWord } from "./shell/shell-reading.ts";

/** `curl -O`, `wget`: under the last part of the URL. */
export function downloadedFiles({ name, args }: ShellCommand): readonly CommandFile[] {
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
      : [{ ...toCommandFile(word, "write" as const), text: `${folder}/${name}` }];
  });
}

/** The last word may be local; with a colon, or as a URL, it is not. */
export function remotelyCopiedFiles(words: readonly ShellWord[]): readonly CommandFile[] {
  const target = words.at(-1);
  return words.flatMap((word) =>
    word === target ? [toCommandFile(word, "write"), ...filesInWord(word)] : filesInWord(word),
  );
}

const UNPACKERS = /^(?:tar|bsdtar|gtar|jar|ar|7z|7za|7zz|unzip|unrar|unar|cpio|pax)$/;

/** `tar xf x.tar .github`: the named files are written. */
function isUnpacking({ name, args }: ShellCommand): boolean {
  if (/^un/.test(name)) return !args.some((word) => /^-[a-zA-Z]*[lptvZ]/.test(word.text));
  return (
    /^-?[a-wyzA-Z]*x[a-zA-Z]*$/.test(args[0]?.text ?? "") ||
    args.some((word) => /^--(?:extract|get)$|^-[a-zA-Z]*x/.test(word.text))
  );
}

/** Where an archive is unpacked to, if that is named. */
export function unpackedFiles(command: ShellCommand, words: readonly ShellWord[]): readonly CommandFile[] {
  if (!UNPACKERS.test(command.name) || !isUnpacking(command)) return [];
  return words.map((word) => ({ ...toCommandFile(word, "write" as const), isGlob: /[*?[]/.test(word.text) }));
}

/** A workspace folder that a container can write to. */
export function mountedFiles({ args }: ShellCommand): readonly CommandFile[] {
  return args.flatMap((word, at) => {
    const value = /^(?:-v|--volume|--mount)$/.test(args[at - 1]?.text ?? "")
      ? word.text
      : /^(?:-v|--volume=|--mount=)(.+)$/s.exec(word.text)?.[1];
    if (value === undefined || /:ro(?:,|$)|(?:^|,)(?:ro|readonly)(?:,|=true|$)/.test(value)) return [];
    const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(value)?.[1] ?? value.split(":")[0]!;
    return /^\/(?:etc|usr|bin|sbin|lib|var)(?:\/|$)/.test(source)
      ? []
      : [{ ...toCommandFile(word, "either" as const), text: source }];
  });
}

const TRANSFER_PROGRAMS = /^(?:sftp|ftp|lftp|smbclient|tftp)$/;

/** `put file`, in the stdin of a transfer program. */
export function transferredFiles(command: ShellCommand): readonly CommandFile[] {
  if (!TRANSFER_PROGRAMS.test(command.name)) return [];
  return [...stdinText(command).matchAll(/(?:^|[\n;])\s*(m?put|m?get|reput|send|recv)\s+([^\n;]+)/g)].flatMap(
    ([, verb = "", names = ""]) =>
      names
        .split(/\s+/)
        .map(
          (text) =>
            ({ text, isGlob: /[*?[]/.test(text), access: /get|recv/.test(verb) ? "write" : "read" }) as const,
        ),
  );
}

/** `tar cf x -C ~ .ssh`: the names are relative to another folder. */
export function filesPackedFromFolder(
  { args }: ShellCommand,
  words: readonly ShellWord[],
): readonly CommandFile[] {
  const folders = args.flatMap((word, at) =>
    /^(?:-[a-zA-Z]*C|--directory)$/.test(args[at - 1]?.text ?? "") ? [word.text] : [],
  );
  return folders.flatMap((folder) =>
    words.map((word) => ({ ...toCommandFile(word, "read" as const), text: `${folder}/${word.text}` })),
  );
}
