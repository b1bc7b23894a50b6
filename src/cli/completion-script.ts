export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly {
    readonly name: string;
    readonly description: string;
    readonly takesValue: boolean;
  }[];
}

/** Commands whose first argument is a session, and flags whose value is a session. */
const SESSION_COMMANDS = ["session", "attach"];
const SESSION_FLAGS = ["session", "resume"];
const LIST_SESSIONS = "hookline completions sessions 2>/dev/null";

/** Completes commands, their flags, and session ids. Pure. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands);
}

function bashScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const flags = (command: CompletedCommand): string =>
    [...command.flags.map(({ name }) => `--${name}`), "--help"].join(" ");
  return `# hookline completion for bash
_hookline() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${names} --help --version"
  else
    case "$prev" in
      ${SESSION_FLAGS.map((name) => `--${name}`).join("|")}) words=$(${LIST_SESSIONS} | cut -f1) ;;
      help) words="${names}" ;;
      completions) words="${SHELLS.join(" ")}" ;;
      ${SESSION_COMMANDS.join("|")}) words=$(${LIST_SESSIONS} | cut -f1) ;;
    esac
    case "\${COMP_WORDS[1]}:$cur" in
${commands.map((command) => `      ${command.name}:-*) words="${flags(command)}" ;;`).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _hookline hookline`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const entry = (name: string, about: string): string => quote(`${name.replaceAll(":", "\\:")}:${about}`);
  const flags = ({ flags: own }: CompletedCommand): string =>
    [
      ...own.map(({ name, description }) => entry(`--${name}`, description)),
      entry("--help", "Show help"),
    ].join(" ");
  return `#compdef hookline
# hookline completion for zsh
_hookline() {
  local -a commands found
  commands=(
${commands.map(({ name, description }) => `    ${entry(name, description)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$words[CURRENT-1]" in
    ${[...SESSION_FLAGS.map((name) => `--${name}`), ...SESSION_COMMANDS].join("|")})
      found=(\${(f)"$(${LIST_SESSIONS} | tr '\\t' ':')"})
      _describe session found && return ;;
    help) _describe command commands; return ;;
    completions) compadd ${SHELLS.join(" ")}; return ;;
  esac
  case "$words[2]" in
${commands.map((command) => `    ${command.name}) found=(${flags(command)}) ;;`).join("\n")}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then _describe option found; else _files; fi
}
if [ "$funcstack[1]" = _hookline ]; then _hookline "$@"; else compdef _hookline hookline; fi`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const line = (...words: string[]): string => ["complete -c hookline", ...words].join(" ");
  const sessions = `-f -a ${quote(`(${LIST_SESSIONS})`)}`;
  return [
    "# hookline completion for fish",
    ...commands.map(({ name, description }) =>
      line(`-n __fish_use_subcommand -f -a ${name} -d ${quote(description)}`),
    ),
    ...commands.flatMap(({ name, flags }) =>
      flags.map((flag) => {
        const value = SESSION_FLAGS.includes(flag.name) ? ` -r ${sessions}` : flag.takesValue ? " -r" : "";
        const about = `-d ${quote(flag.description)}`;
        return line(`-n ${quote(`__fish_seen_subcommand_from ${name}`)} -l ${flag.name}${value} ${about}`);
      }),
    ),
    line(`-n ${quote(`__fish_seen_subcommand_from ${SESSION_COMMANDS.join(" ")}`)} ${sessions}`),
    line(`-n ${quote("__fish_seen_subcommand_from completions")} -f -a ${quote(SHELLS.join(" "))}`),
  ].join("\n");
}

/** Valid in sh, zsh and fish, where a backslash in single quotes is literal except in \\' and \\\\. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
