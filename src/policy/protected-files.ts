import { posix } from "node:path";
import { matchesPart, matchesPath, withoutBraces } from "./path-glob.ts";
import { isInside, matchesPlace, type Places } from "./places.ts";

/** A file that is not changed, or not read, without asking; and what it is, for a sentence. */
export interface Protection {
  readonly kind: "secret" | "later" | "protect";
  readonly rule: string;
  readonly what: string;
}

/** What holds secrets, by the name of the file. In small letters, as all tables here: names are compared so. */
const SECRET_NAMES: readonly string[] = [
  ".env",
  ".env.*",
  ".env-*",
  ".env~",
  "{.dev.vars,.dev.vars.*}",
  "*.env",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519",
  "id_ed25519_sk",
  "id_ecdsa_sk",
  "*.key",
  "*key.pem",
  "*private*.pem",
  "*.p12",
  "*.pfx",
  "*.ppk",
  "*.jks",
  "*.keystore",
  "*.kdbx",
  "credentials.json",
  "credentials.{yml,yaml,toml,ini,xml,csv,db}",
  ".credentials",
  ".credentials.json",
  "*.credentials",
  "{secret,secrets}.{json,yml,yaml,toml,ini,env,txt}",
  "{.secret,.secrets,*.secret}",
  "{.password,.passwords,*.password,passwords.txt}",
  "service-account*.json",
  "service_account*.json",
  "client_secret*.json",
  ".netrc",
  "_netrc",
  ".pgpass",
  ".my.cnf",
  ".htpasswd",
  ".pypirc",
  ".git-credentials",
  ".dockercfg",
  ".vault-token",
  ".s3cfg",
  ".boto",
  "kubeconfig",
];

/** Names like those above that are meant to be seen. */
const SAMPLES: readonly string[] = [
  "*.{example,sample,template,tmpl,tpl,dist,defaults,schema,md,ts,js,d.ts}",
  "*.{example,sample,template}*",
  "{example,sample,template}.env",
  "*.pub",
  "*public*.{key,pem}",
];

const SECRET_IN_HOME: readonly string[] = [
  ".ssh",
  ".aws",
  ".gnupg",
  ".kube",
  ".azure",
  ".password-store",
  ".config/gh",
  ".config/gcloud",
  ".config/op",
  ".docker/config.json",
  ".npmrc",
  ".yarnrc.yml",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".local/share/keyrings",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
  "library/keychains",
  ".claude/.credentials.json",
  ".hookline/token",
];

const SECRET_PATHS: readonly string[] = [
  "/etc/{shadow,gshadow,shadow-,gshadow-,sudoers}",
  "/etc/sudoers.d/**",
  "/etc/ssh/ssh_host_*_key",
  "/etc/ssl/private/**",
  "/proc/*/environ",
  "/{root,var/root,home/*,users/*}/{.ssh,.aws,.gnupg}/**",
];

/** Not secret though they lie there. */
const OPEN_IN_SSH = /^(?:known_hosts(?:\.old)?|.*\.pub)$/;

/** What changes what runs later: the glob, and what it is. */
const LATER: readonly (readonly [string, string])[] = [
  ["/**/.git/hooks/**", "a git hook"],
  ["/**/.git/config", "git's configuration"],
  ["/**/.git", "git's own folder"],
  ["/**/.git/**", "a file of git's own"],
  ["/**/.gitconfig", "git's configuration"],
  ["/**/.gitmodules", "the list of submodules"],
  ["/**/.claude", "Claude Code's folder"],
  ["/**/.claude/**", "a file that steers Claude Code"],
  ["/**/.claude.json", "Claude Code's own state"],
  ["/**/.mcp.json", "the list of MCP servers that are started"],
  ["/**/.hookline/**", "Hookline's own configuration"],
  ["/**/.hookline", "Hookline's own folder"],
  ["/**/.husky/**", "a git hook"],
  ["/**/.pre-commit-config.yaml", "the list of git hooks"],
  ["/**/{lefthook,.lefthook}.{yml,yaml}", "the list of git hooks"],
  ["/**/{.npmrc,.yarnrc,.yarnrc.yml,.pnpmfile.cjs}", "a package manager's configuration"],
  ["/**/.yarn/plugins/**", "a package manager's plugin"],
  ["/**/.envrc", "a file the shell runs on entering the folder"],
  ["/**/.vscode/{tasks,launch,settings}.json", "an editor's list of commands"],
  ["/**/.idea/runconfigurations/**", "an editor's list of commands"],
  ["/**/.vscode/mcp.json", "the list of MCP servers that are started"],
  ["/**/.cursor/{mcp,hooks}.json", "a file that steers another agent"],
  ["/**/.codex/{config.toml,hooks.json}", "a file that steers another agent"],
  ["/**/.gemini/settings.json", "a file that steers another agent"],
  ["/**/.cargo/{config,config.toml}", "a package manager's configuration"],
  ["/**/{.devcontainer.json,.devcontainer/**}", "a container that is started for the project"],
  ["/etc/**", "a file of the system"],
  [
    "/{bin,sbin,usr/bin,usr/sbin,usr/local/bin,usr/local/sbin,opt/homebrew/bin}/**",
    "a program on the search path",
  ],
  ["/library/application support/claudecode/**", "a file that steers Claude Code"],
  ["/var/spool/cron/**", "a list of timed commands"],
  ["/{usr/lib,lib,usr/local/lib}/systemd/**", "a service of the system"],
  ["/{library,system/library}/{launchagents,launchdaemons}/**", "a service of the system"],
];

const LATER_IN_HOME: readonly (readonly [string, string])[] = [
  [
    "{.bashrc,.bash_profile,.bash_login,.bash_logout,.bash_aliases,.profile,.zshrc,.zshenv,.zprofile,.zlogin,.kshrc,.inputrc,.xprofile,.xinitrc,.xsessionrc,.tmux.conf,.vimrc,.gdbinit,.condarc,.pythonrc}",
    "a file the shell or a program runs at its start",
  ],
  [".ssh/**", "a file of ssh"],
  [".config/{fish,autostart,systemd,git,nvim,environment.d}/**", "a file that runs at a start"],
  [".config/pip/**", "a package manager's configuration"],
  [".local/share/systemd/**", "a service of the user"],
  [".local/bin/**", "a program on the search path"],
  ["bin/**", "a program on the search path"],
  [".cargo/{config,config.toml,env}", "a package manager's configuration"],
  [".docker/**", "docker's configuration"],
  ["library/launchagents/**", "a service of the user"],
  [".vim/**", "a file an editor runs"],
];

/** Folders of Claude Code's that only hold its work. */
const CLAUDE_WORK =
  /\/\.claude\/(?:worktrees\/[^/]+\/|plans\/|todos\/|projects\/|file-history\/|shell-snapshots\/)/;

/** Names as a file system may take them: without regard to case, and some ignore what is not seen. */
function plain(path: string): string {
  return path
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "")
    .replace(/^\/private(?=\/(?:etc|var|tmp)(?:\/|$))/i, "")
    .toLowerCase();
}

/** Why a path is protected; null when it is not. `protect` are the user's own globs. */
export function protectionOf(
  path: string,
  places: Places,
  protect: readonly string[] = [],
): Protection | null {
  const name = plain(path);
  const home = plain(places.home);
  if (isSecret(name, home)) return SECRET;
  const later = laterOf(name, home);
  if (later !== null) return { kind: "later", rule: "builtin/runs-later", what: later };
  const own = protect.find((glob) => matchesPlace(glob, path, places));
  return own === undefined ? null : { kind: "protect", rule: "protect", what: `protected by "${own}"` };
}

const SECRET: Protection = { kind: "secret", rule: "builtin/secret-file", what: "a file for secrets" };

/** The longest text of a glob that stands in every path it fits. */
function literalOf(glob: string): string {
  const parts = glob.split(/[*?[\]]+/).sort((one, other) => other.length - one.length);
  return (parts[0] ?? "").replace(/[.+^$()|\\]/g, "\\$&");
}

/** A quick test that every secret file passes: most paths are none. */
const MAY_BE_SECRET = new RegExp(
  [...SECRET_NAMES, ...SECRET_IN_HOME, ...SECRET_PATHS].flatMap(withoutBraces).map(literalOf).join("|"),
);

/** Whether a path is that of a file for secrets. */
export function isSecretFile(path: string, places: Places): boolean {
  return isSecret(plain(path), plain(places.home));
}

/** `path` and `home` are plain, and so are the tables then. */
function isSecret(path: string, home: string): boolean {
  if (!MAY_BE_SECRET.test(path)) return false;
  const name = posix.basename(path);
  const inSsh = posix.basename(posix.dirname(path)) === ".ssh";
  if (inSsh && (OPEN_IN_SSH.test(name) || name === "authorized_keys" || name === "config")) return false;
  if (
    SECRET_NAMES.some((glob) => matchesPath(glob, name)) &&
    !SAMPLES.some((glob) => matchesPath(glob, name))
  )
    return true;
  if (SECRET_IN_HOME.some((each) => isInside(path, `${home}/${each}`))) return true;
  return SECRET_PATHS.some((glob) => matchesPath(glob, path));
}

function laterOf(path: string, home: string): string | null {
  if (CLAUDE_WORK.test(`${path}/`)) {
    const inside = path.replace(/^.*\/\.claude\/(?:worktrees\/[^/]+|[^/]+)/, "");
    return inside === "" || inside === path ? null : laterOf(inside, "/\u0000");
  }
  for (const [glob, what] of LATER) if (matchesPath(glob, path)) return what;
  for (const [glob, what] of LATER_IN_HOME)
    if ([home, "/root"].some((each) => matchesPath(`${each}/${glob}`, path))) return what;
  return null;
}

/** Files that a glob in a command may find: `cat .e*`, `tee .cl*\/settings.json`. */
const FOUND_ANYWHERE: readonly string[] = [
  ...[".env", ".env.local", ".env.production", "id_rsa", "id_ed25519", "credentials.json"],
  ...[".mcp.json", ".claude/settings.json", ".claude/settings.local.json"],
  ...[".git/config", ".git/hooks/pre-commit", ".git/hooks/post-checkout", ".husky/pre-commit"],
];
const FOUND_IN_HOME: readonly string[] = [
  ...[".ssh/id_rsa", ".ssh/authorized_keys", ".aws/credentials", ".netrc", ".npmrc", ".kube/config"],
  ...[".bashrc", ".zshrc", ".profile", ".bash_profile", ".gitconfig", ".hookline/rules.json"],
];

/** The protected file that a glob finds. A leading dot is never found by a star. */
export function protectionOfGlob(glob: string, places: Places): Protection | null {
  const parts = glob.split("/");
  const isFound = (file: string): boolean => {
    const names = file.split("/");
    if (names.length > parts.length) return false;
    return names.every((name, at) => {
      const part = parts[parts.length - names.length + at]!;
      return !(name.startsWith(".") && /^[*?[]/.test(part)) && matchesPart(part, name);
    });
  };
  const wild = parts.findIndex((part) => /[*?[]/.test(part));
  // One whose last names are all stars says nothing about what it finds.
  const found =
    FOUND_ANYWHERE.find((file) => !/^[*?]+$/.test(parts.at(-1) ?? "") && isFound(file)) ??
    (isInside(places.home, parts.slice(0, wild).join("/") || "/") || glob.startsWith(`${places.home}/`)
      ? FOUND_IN_HOME.map((file) => `${places.home}/${file}`).find((file) => matchesDotted(glob, file))
      : undefined);
  if (found === undefined) return null;
  return protectionOf(found.startsWith("/") ? found : `/${found}`, places);
}

function matchesDotted(glob: string, file: string): boolean {
  const parts = glob.split("/");
  const names = file.split("/");
  return (
    parts.length === names.length &&
    names.every(
      (name, at) => !(name.startsWith(".") && /^[*?[]/.test(parts[at]!)) && matchesPart(parts[at]!, name),
    )
  );
}
