/** Variables that change what other commands do, so a rule that allows a command does not cover them. */
const UNSAFE_VARIABLE =
  /^(?:PATH|IFS|ENV|HOME|CDPATH|SHELL|SHELLOPTS|BASHOPTS|BASH_ENV|GLOBIGNORE|PROMPT_COMMAND|PS4|EDITOR|VISUAL|BROWSER|PAGER|.*_PAGER|MANPAGER|LESS.*|LD_.*|DYLD_.*|GIT_.*|NODE_.*|NPM_.*|npm_.*|PYTHON.*|RUBY.*|PERL.*|JAVA_.*|_JAVA.*|JDK_.*|GREP_.*|RIPGREP_.*|TAR_OPTIONS|GCONV_PATH|.*_PRELOAD|.*_OPTIONS|.*PROXY|XDG_.*|DOCKER_.*|GO[A-Z]*|CARGO_.*|RUST.*|ZDOTDIR|.*_CONFIG(?:_.*)?|.*_CONFIG_HOME|.*FLAGS|.*_COMMAND|.*_HOST)$/i;

export function isUnsafeVariable(variable: string): boolean {
  return UNSAFE_VARIABLE.test(variable);
}
