/** What a cell of a notebook hands to a shell, or does to files, by the magics of IPython. */
export interface CellUse {
  readonly scripts: readonly string[];
  readonly written: readonly string[];
}

/** Magics that show a file, that write one, and that hand their line to a shell. */
const SHOWS = /^(?:load|loadpy|run|pycat|pfile|psource|pinfo2?|page|more|less|edit|ed)$/;
const WRITES = /^(?:save|logstart|notebook|history|macro|store|writefile|file|edit|ed)$/;
const RUNS = /^(?:sx|system|sc|bash|sh|!|script)$/;
/** Whole cells in a language of their own, or of a shell. */
const SHELL_CELL = /^(?:bash|sh|zsh|script|system|sx|!|cmd)$/;
const WRITTEN_CELL = /^(?:writefile|file)$/;

const MAGIC = /^(?:[\w.,\s[\]]{1,200}=\s*)?(%{1,2}|!{1,2})([\w!]*)[ \t]*(.*)$/;

export function readCell(code: string): CellUse {
  const scripts: string[] = [];
  const written: string[] = [];
  if (!/(?:^|=)[ \t]*[%!]/m.test(code)) return { scripts, written };
  const lines = code.split("\n");
  for (const [at, line] of lines.entries()) {
    const [, sign, name = "", rest = ""] = MAGIC.exec(line.trim()) ?? [];
    if (sign === undefined) continue;
    const words = rest.split(/\s+/).filter((word) => word !== "");
    if (sign.startsWith("!")) scripts.push(`${name} ${rest}`.trim());
    else if (sign === "%%" && SHELL_CELL.test(name)) scripts.push(lines.slice(at + 1).join("\n"));
    else if (sign === "%%" && WRITTEN_CELL.test(name)) written.push(...words.filter(isName));
    else if (RUNS.test(name)) scripts.push(rest.replace(/^\w+\s*=\s*/, ""));
    else {
      if (SHOWS.test(name)) scripts.push(`cat ${rest}`);
      if (WRITES.test(name)) written.push(...words.filter(isName));
      // `%cat`, `%rm` and others are the shell's; whatever it is, a redirection writes.
      scripts.push(`${name} ${rest}`);
    }
  }
  return { scripts, written };
}

function isName(word: string): boolean {
  return !word.startsWith("-");
}
