/** What a notebook cell passes to a shell, or does to files, through IPython magics. */
export interface CellEffects {
  readonly scripts: readonly string[];
  readonly written: readonly string[];
}

/** Magics that show a file, that write one, and that pass their line to a shell. */
const READ_MAGIC = /^(?:load|loadpy|run|pycat|pfile|psource|pinfo2?|page|more|less|edit|ed)$/;
const WRITE_MAGIC = /^(?:save|logstart|notebook|history|macro|store|writefile|file|edit|ed)$/;
const SHELL_MAGIC = /^(?:sx|system|sc|bash|sh|!|script)$/;
/** Cells in the language of a shell, and cells that write a file. */
const SHELL_CELL = /^(?:bash|sh|zsh|script|system|sx|!|cmd)$/;
const WRITTEN_CELL = /^(?:writefile|file)$/;

const MAGIC = /^(?:[\w.,\s[\]]+=\s*)?(%{1,2}|!{1,2})([\w!]*)[ \t]*(.*)$/;

export function readCell(code: string): CellEffects {
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
    else if (SHELL_MAGIC.test(name)) scripts.push(rest.replace(/^\w+\s*=\s*/, ""));
    else {
      if (READ_MAGIC.test(name)) scripts.push(`cat ${rest}`);
      if (WRITE_MAGIC.test(name)) written.push(...words.filter(isName));
      // `%cat`, `%rm` and others are shell commands; a redirection always writes.
      scripts.push(`${name} ${rest}`);
    }
  }
  return { scripts, written };
}

function isName(word: string): boolean {
  return !word.startsWith("-");
}
