import { secretKey } from "../../privacy/secret-keys.ts";

/** Variables that a command may set or print without changing what runs or revealing a secret. */

/** Lower-case names that have a meaning for shells and programs (zsh ties some to `PATH` and the like). */
const SPECIAL_LOWER_CASE =
  /^(?:path|cdpath|fpath|manpath|mailpath|module_path|fignore|prompt|psvar|status|argv|watch|signals|funcstack|functions|commands|aliases|galiases|saliases|builtins|options|parameters|modules|dirstack|nameddirs|userdirs|history|historywords|jobstates|jobdirs|jobtexts|reswords|widgets|keymaps|keymap|region_highlight|zle_.*|dis_.*|.*_proxy|npm_.*|.*_functions|auto_resume|histchars)$/;

/** Upper-case names that only the script itself uses. */
const OWN_UPPER_CASE =
  /^(?:[A-Z]|FILE|FILES|DIR|DIRS|FOLDER|BASE|BRANCH|COMMIT|SHA|HASH|TAG|NAME|NAMES|COUNT|TOTAL|NUM|OUT|RESULT|SRC|DEST|TARGET|ROOT|LINE|LINES_FOUND|START|END|PATTERN|VERSION|MATCH|MATCHES)$/;

const MAX_NAME_LENGTH = 60;

/** Whether a script may set this variable without affecting anything but itself. */
export function isOwnVariable(name: string): boolean {
  if (name.length > MAX_NAME_LENGTH) return false;
  return (/^[a-z][a-z\d_]*$/.test(name) && !SPECIAL_LOWER_CASE.test(name)) || OWN_UPPER_CASE.test(name);
}

/** In any other charset a shell may find quotes and backslashes in other positions. */
const LOCALE = /^(?:|C|POSIX|(?:C|[a-z]{2,3}_[A-Z]{2})\.(?:UTF-?8|utf-?8))$/;
const SWITCH = /^(?:0|1|true|false|yes|no|)$/;
const SIZE = /^\d{1,4}$/;

/** What may be set in a command's environment, and to which values. */
const SETTINGS: Readonly<Record<string, RegExp>> = {
  LC_ALL: LOCALE,
  LC_COLLATE: LOCALE,
  LC_CTYPE: LOCALE,
  LC_NUMERIC: LOCALE,
  LC_TIME: LOCALE,
  LC_MESSAGES: LOCALE,
  LANG: LOCALE,
  TZ: /^(?:UTC|GMT|[A-Z][A-Za-z]{2,12}\/[A-Z][A-Za-z_]{2,20})$/,
  NO_COLOR: SWITCH,
  FORCE_COLOR: /^[0-3]?$/,
  CLICOLOR: SWITCH,
  CLICOLOR_FORCE: SWITCH,
  COLUMNS: SIZE,
  LINES: SIZE,
  TERM: /^(?:dumb|xterm|xterm-256color|)$/,
  CI: SWITCH,
  NODE_ENV: /^(?:test|development|production|)$/,
  NODE_NO_WARNINGS: SWITCH,
  GIT_TERMINAL_PROMPT: SWITCH,
  GIT_OPTIONAL_LOCKS: SWITCH,
  PAGER: /^(?:cat|)$/,
  GIT_PAGER: /^(?:cat|)$/,
  MANPAGER: /^(?:cat|)$/,
};

/** Whether a variable with this value in a command's environment leaves its effect unchanged. */
export function isPlainSetting(name: string, value: string): boolean {
  return Object.hasOwn(SETTINGS, name) && SETTINGS[name]!.test(value);
}

/** Standard environment variables that hold no secret. Without `!`, which stands for any variable. */
const PUBLIC_VARIABLE =
  /^(?:\d+|[@*#?$_-]|HOME|PWD|OLDPWD|PATH|USER|USERNAME|LOGNAME|SHELL|SHLVL|LANG|LANGUAGE|LC_(?:ALL|ADDRESS|COLLATE|CTYPE|IDENTIFICATION|MEASUREMENT|MESSAGES|MONETARY|NAME|NUMERIC|PAPER|TELEPHONE|TIME)|TERM|TERM_PROGRAM|COLORTERM|COLUMNS|LINES|EDITOR|VISUAL|PAGER|TMPDIR|TMP|TEMP|TZ|HOSTNAME|HOSTTYPE|OSTYPE|MACHTYPE|UID|EUID|PPID|RANDOM|SECONDS|EPOCHSECONDS|LINENO|IFS|BASH|BASH_VERSION|ZSH_VERSION|BASHPID|PIPESTATUS|FUNCNAME|REPLY|OPTARG|OPTIND|DISPLAY|CI|NODE_ENV|NODE_PATH|NVM_DIR|VIRTUAL_ENV|CONDA_PREFIX|CONDA_DEFAULT_ENV|PYTHONPATH|GOPATH|GOROOT|GOBIN|CARGO_HOME|RUSTUP_HOME|JAVA_HOME|ANDROID_HOME|PNPM_HOME|BUN_INSTALL|DENO_INSTALL|PYENV_ROOT|HOMEBREW_PREFIX|XDG_(?:(?:CACHE|CONFIG|DATA|STATE|BIN)_HOME|(?:CONFIG|DATA)_DIRS|RUNTIME_DIR|SESSION_(?:TYPE|ID|CLASS|DESKTOP)|CURRENT_DESKTOP|VTNR|SEAT))$/;

/** Whether a variable that the script did not set itself may be printed. */
export function isPublicVariable(name: string): boolean {
  if (PUBLIC_VARIABLE.test(name)) return true;
  return (
    /^[a-z][a-z\d_]*$/.test(name) &&
    !/_proxy$|^npm_|^(?:history|historywords|aliases|galiases|saliases|functions|parameters|dirstack)$/.test(
      name,
    ) &&
    secretKey(name) === undefined
  );
}

/** Whether a script may read a variable that it did not set: it is a public one, or a script's own. */
export function isReadableVariable(name: string): boolean {
  return PUBLIC_VARIABLE.test(name) || OWN_UPPER_CASE.test(name);
}
