/** Commands that start another command, which is the one to judge. */

export interface Wrapper {
  /** Options that take the next word as their value. */
  readonly valued: readonly string[];
  /** How many words before the command are its own. */
  readonly operands?: number;
  /** Options whose value is the folder it runs in. */
  readonly folder?: readonly string[];
  /** Options whose value is a script. */
  readonly code?: readonly string[];
  /** The remaining words are joined and passed to a shell. */
  readonly joinsWords?: boolean;
  /** Adds words to the command: from stdin, or from after `:::`. */
  readonly addsWords?: boolean;
  /** Does not change what the command can do, so a rule for the command covers both. */
  readonly isHarmless?: boolean;
  /** Options with which it starts nothing. */
  readonly inert?: readonly string[];
  /** Options whose value is a file that it reads. */
  readonly reads?: readonly string[];
}

const SUDO = "-u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T -U -R";

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: {
    valued: ["-u", "--unset", "-P"],
    folder: ["-C", "--chdir"],
    code: ["-S", "--split-string"],
  },
  sudo: { valued: SUDO.split(" "), folder: ["-D", "--chdir"] },
  doas: { valued: ["-u", "-C"] },
  pkexec: { valued: ["--user"] },
  run0: { valued: ["-u", "--user", "-g", "--group", "-D", "--chdir"] },
  su: { valued: ["-s", "--shell", "-g", "-G", "-w"], operands: 9, code: ["-c", "--command"] },
  runuser: { valued: ["-u", "--user", "-s", "-g", "-G"], operands: 9, code: ["-c", "--command"] },
  xargs: {
    valued: [
      "-a",
      "--arg-file",
      "-d",
      "--delimiter",
      "-E",
      "-I",
      "-L",
      "-n",
      "--max-args",
      "-P",
      "--max-procs",
    ].concat(["-s", "--max-chars", "-R", "-S", "-J"]),
    reads: ["-a", "--arg-file"],
    addsWords: true,
  },
  parallel: {
    valued: ["-j", "--jobs", "-a", "--arg-file", "-I", "--delay", "--timeout"],
    reads: ["-a", "--arg-file", "::::"],
    addsWords: true,
    joinsWords: true,
  },
  timeout: { valued: ["-s", "--signal", "-k", "--kill-after"], operands: 1, isHarmless: true },
  gtimeout: { valued: ["-s", "--signal", "-k", "--kill-after"], operands: 1, isHarmless: true },
  nice: { valued: ["-n", "--adjustment"], isHarmless: true },
  ionice: { valued: ["-c", "--class", "-n", "--classdata", "-p", "-P", "-u"], isHarmless: true },
  nohup: { valued: [] },
  time: { valued: ["-f", "--format", "-o", "--output"] },
  command: { valued: [], isHarmless: true, inert: ["-v", "-V"] },
  builtin: { valued: [], isHarmless: true },
  exec: { valued: ["-a"] },
  stdbuf: { valued: ["-i", "-o", "-e", "--input", "--output", "--error"], isHarmless: true },
  setsid: { valued: [] },
  chroot: { valued: [], operands: 1 },
  unshare: { valued: ["-S", "--setuid", "-G", "--setgid", "-R", "--root", "-w", "--wd"] },
  nsenter: { valued: ["-t", "--target", "-S", "--setuid", "-G", "--setgid"] },
  setpriv: { valued: [] },
  chrt: { valued: ["-T", "-P", "-D"], operands: 1 },
  taskset: { valued: [], operands: 1 },
  flock: { valued: ["-w", "--timeout", "-E"], operands: 1, code: ["-c", "--command"] },
  script: { valued: ["-I", "-O", "-B", "-E", "-o", "-m", "-T"], operands: 9, code: ["-c", "--command"] },
  watch: { valued: ["-n", "--interval", "-q", "--equexit"], joinsWords: true },
  caffeinate: { valued: ["-t", "-w"] },
  strace: { valued: ["-e", "-o", "-p", "-s", "-u", "-E", "-P"] },
  ltrace: { valued: ["-e", "-o", "-p", "-s", "-u"] },
  fakeroot: { valued: ["-s", "-i", "-b"] },
  unbuffer: { valued: [] },
  "systemd-run": { valued: ["-p", "--property", "-u", "--unit", "-E", "--setenv", "--uid", "--gid", "-M"] },
  "dbus-run-session": { valued: ["--config-file"] },
  busybox: { valued: [] },
  toybox: { valued: [] },
  npx: { valued: ["-p", "--package"], code: ["-c", "--call"] },
  bunx: { valued: ["-p", "--package"] },
  pnpx: { valued: [] },
};

export const SHELLS: ReadonlySet<string> = new Set(
  "sh bash zsh dash ksh mksh ash rbash fish csh tcsh".split(" "),
);

export interface Unwrapped<W> {
  /** The words of the started command; empty when it starts none. */
  readonly inner: readonly W[];
  /** A script passed as an option's value. */
  readonly code: W | undefined;
  /** Where it runs, when an option says so. */
  readonly folder: W | undefined;
  /** Words added after `:::`. */
  readonly added: readonly W[];
  /** The placeholder for each line of stdin (`xargs -I`). */
  readonly placeholder: string | undefined;
  /** Assignments before the command: `A=1`. */
  readonly settings: readonly W[];
  /** Its own words: those before the command. */
  readonly own: readonly W[];
}

const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** What a wrapper starts. `words` are those after its name. */
export function unwrap<W extends { readonly text: string }>(
  wrapper: Wrapper,
  words: readonly W[],
): Unwrapped<W> {
  let at = 0;
  let code: W | undefined;
  let folder: W | undefined;
  let placeholder: string | undefined;
  const settings: W[] = [];
  // With a user option it starts a command; without one it works like `su`.
  const namesUser = words.some((word) => /^(?:-u.*|--user(?:=.*)?)$/.test(word.text));
  let operands = wrapper.operands === 9 && namesUser ? 0 : (wrapper.operands ?? 0);
  const unwrapped = {
    inner: [],
    code: undefined,
    folder: undefined,
    added: [],
    placeholder: undefined,
    settings,
    own: words,
  };
  for (; at < words.length; at++) {
    const text = words[at]!.text;
    if (wrapper.inert?.includes(text)) return unwrapped;
    if (text === "--") {
      at++;
      if (operands > 0 && operands < 9) at += operands;
      // `env -- A=1 ls`
      while (!wrapper.joinsWords && ASSIGNMENT.test(words[at]?.text ?? "")) settings.push(words[at++]!);
      break;
    }
    if (text.startsWith("-") && text.length > 1) {
      const codeOption = wrapper.code?.find((option) => text === option || isAttached(option, text));
      const folderOption = wrapper.folder?.find((option) => text === option || isAttached(option, text));
      const cluster = clusterEnd(wrapper, text);
      if (cluster === "code") code = words[++at];
      else if (cluster === "value") {
        at++;
        if (/[IJ]$/.test(text)) placeholder = words[at]?.text;
      } else if (folderOption !== undefined)
        folder = text === folderOption ? words[++at] : detach(words[at]!, folderOption);
      else if (codeOption !== undefined) {
        code = text === codeOption ? words[at + 1] : detach(words[at]!, codeOption);
        at += text === codeOption ? 1 : 0;
      } else if (wrapper.valued.includes(text)) {
        if (text === "-I" || text === "-J") placeholder = words[at + 1]?.text;
        at++;
      } else if (wrapper.addsWords) placeholder = placeholderOf(text) ?? placeholder;
    } else if (text === "-") {
      // Like `env -i`.
    } else if (!wrapper.joinsWords && ASSIGNMENT.test(text)) {
      settings.push(words[at]!);
    } else if (operands > 0) operands--;
    else break;
  }
  const rest = words.slice(at);
  const split = wrapper.addsWords ? rest.findIndex((word) => /^:::\+?$/.test(word.text)) : -1;
  return {
    inner: split < 0 ? rest : rest.slice(0, split),
    code,
    folder,
    added: split < 0 ? [] : rest.slice(split + 1),
    placeholder: placeholder ?? (split < 0 ? undefined : "{}"),
    settings,
    own: words.slice(0, at),
  };
}

/** The files that a wrapper itself reads: `xargs -a list`, `--arg-file=list`, `parallel x :::: list`. */
export function filesReadByWrapper<W extends { readonly text: string }>(
  { reads = [] }: Wrapper,
  words: readonly W[],
): readonly W[] {
  return words.flatMap((word, at) => {
    if (reads.includes(words[at - 1]?.text ?? "")) return [word];
    const option = reads.find((known) => word.text !== known && isAttached(known, word.text));
    return option === undefined ? [] : [detach(word, option)];
  });
}

/** What the last letter of an option cluster takes: `-Eu root`, `-lc 'ls'`. */
function clusterEnd(wrapper: Wrapper, text: string): "code" | "value" | undefined {
  if (!/^-[a-zA-Z]{2,}$/.test(text)) return undefined;
  const takes = (letter: string): "code" | "value" | undefined =>
    wrapper.code?.includes(`-${letter}`)
      ? "code"
      : wrapper.valued.includes(`-${letter}`) || wrapper.folder?.includes(`-${letter}`)
        ? "value"
        : undefined;
  const letters = [...text.slice(1)];
  // The text after the first letter that takes a value is that value.
  const first = letters.findIndex((letter) => takes(letter) !== undefined);
  return first === letters.length - 1 ? takes(letters[first]!) : undefined;
}

/** The placeholder for a line of stdin: `-I%`, `-i`, `--replace=%`. */
function placeholderOf(text: string): string | undefined {
  // Also after other letters: `-rI%`.
  const [, placeholder] = /^-[0rtxpo]*[IJ](.+)$/.exec(text) ?? [];
  if (placeholder !== undefined) return placeholder;
  const [, long, short] = /^(?:--replace(?:=(.*))?|-i(.*))$/.exec(text) ?? [];
  return /^(?:--replace|-i)/.test(text) ? (long ?? short) || "{}" : undefined;
}

function isAttached(option: string, text: string): boolean {
  return option.startsWith("--") ? text.startsWith(`${option}=`) : text.startsWith(option);
}

function detach<W extends { readonly text: string }>(word: W, option: string): W {
  const text = word.text.slice(option.length).replace(/^=/, "");
  return { ...word, text };
}
