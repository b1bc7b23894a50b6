/** Variables that change what other commands do, so that a rule which allows a command does not cover them. */
const CHANGES =
  /^(?:PATH|IFS|ENV|HOME|CDPATH|SHELL|SHELLOPTS|BASHOPTS|BASH_ENV|GLOBIGNORE|PROMPT_COMMAND|PS4|EDITOR|VISUAL|BROWSER|PAGER|.*_PAGER|MANPAGER|LESS.*|LD_.*|DYLD_.*|GIT_.*|NODE_.*|NPM_.*|npm_.*|PYTHON.*|RUBY.*|PERL.*|JAVA_.*|_JAVA.*|JDK_.*|GREP_.*|RIPGREP_.*|TAR_OPTIONS|GCONV_PATH|.*_PRELOAD|.*_OPTIONS|.*PROXY|XDG_.*|DOCKER_.*|GO[A-Z]*|CARGO_.*|RUST.*|ZDOTDIR|.*_CONFIG(?:_.*)?|.*_CONFIG_HOME|.*FLAGS|.*_COMMAND|.*_HOST)$/i;

export function changesCommands(variable: string): boolean {
  return CHANGES.test(variable);
}
