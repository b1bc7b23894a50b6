import { posix } from "node:path";
import { matchesPart, matchesPath } from "./path-glob.ts";
import { isInside, matchesPlace, type Places } from "./places.ts";

/** A file that is not changed, or not read, without asking; and what it is, for a sentence. */
export interface Protection {
  readonly kind: "secret" | "later" | "protect";
  readonly rule: string;
  readonly what: string;
}

/** What holds secrets, by the name of the file. Small letters; names are compared so. */
const SECRET_NAMES: readonly string[] = [
  ".env",
  ".env.*",
  ".env-*",
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
  "Library/Keychains",
  ".claude/.credentials.json",
  ".hookline/token",
];

const SECRET_PATHS: readonly string[] = [
  "/etc/{shadow,gshadow,shadow-,gshadow-,sudoers}",
  "/etc/sudoers.d/**",
  "/etc/ssh/ssh_host_*_key",
  "/etc/ssl/private/**",
  "/proc/*/environ",
  "/{root,var/root,home/*,Users/*}/{.ssh,.aws,.gnupg}/**",
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
  ["/**/.idea/runConfigurations/**", "an editor's list of commands"],
  ["/**/.devcontainer/**", "a container that is started for the project"],
  [
    "/etc/{crontab,anacrontab,rc.local,profile,bash.bashrc,environment,ld.so.preload,hosts,passwd}",
    "a file of the system",
  ],
  [
    "/etc/{cron*,init.d,systemd,profile.d,pam.d,apt,ld.so.conf.d,udev}/**",
    "a file of the system that runs things",
  ],
  ["/var/spool/cron/**", "a list of timed commands"],
  ["/{usr/lib,lib,usr/local/lib}/systemd/**", "a service of the system"],
  ["/{Library,System/Library}/{LaunchAgents,LaunchDaemons}/**", "a service of the system"],
];

const LATER_IN_HOME: readonly (readonly [string, string])[] = [
  [
    "{.bashrc,.bash_profile,.bash_login,.bash_logout,.bash_aliases,.profile,.zshrc,.zshenv,.zprofile,.zlogin,.kshrc,.inputrc,.xprofile,.xinitrc,.xsessionrc,.tmux.conf,.vimrc,.gdbinit,.condarc,.pythonrc}",
    "a file the shell or a program runs at its start",
  ],
  [".ssh/**", "a file of ssh"],
  [".config/{fish,autostart,systemd,git,nvim,environment.d}/**", "a file that runs at a start"],
  [".config/pip/**", "a package manager's configuration"],
  [".local/bin/**", "a program on the search path"],
  ["bin/**", "a program on the search path"],
  [".cargo/{config,config.toml,env}", "a package manager's configuration"],
  [".docker/**", "docker's configuration"],
  ["Library/LaunchAgents/**", "a service of the user"],
  [".vim/**", "a file an editor runs"],
];

/** Folders of Claude Code's that only hold its work. */
const CLAUDE_WORK =
  /\/\.claude\/(?:worktrees\/[^/]+\/|plans\/|todos\/|projects\/|file-history\/|shell-snapshots\/)/;

/** Why a path is protected; null when it is not. `protect` are the user's own globs. */
export function protectionOf(
  path: string,
  places: Places,
  protect: readonly string[] = [],
): Protection | null {
  if (isSecret(path, places))
    return { kind: "secret", rule: "builtin/secret-file", what: "a file for secrets" };
  const later = laterOf(path, places);
  if (later !== null) return { kind: "later", rule: "builtin/runs-later", what: later };
  const own = protect.find((glob) => matchesPlace(glob, path, places));
  return own === undefined ? null : { kind: "protect", rule: "protect", what: `protected by "${own}"` };
}

function isSecret(path: string, places: Places): boolean {
  const name = posix.basename(path).toLowerCase();
  const inSsh = posix.basename(posix.dirname(path)) === ".ssh";
  if (inSsh && (OPEN_IN_SSH.test(name) || name === "authorized_keys" || name === "config")) return false;
  if (
    SECRET_NAMES.some((glob) => matchesPath(glob, name)) &&
    !SAMPLES.some((glob) => matchesPath(glob, name))
  )
    return true;
  if (SECRET_IN_HOME.some((each) => isInside(path, `${places.home}/${each}`))) return true;
  return SECRET_PATHS.some((glob) => matchesPath(glob, path));
}

function laterOf(path: string, places: Places): string | null {
  if (CLAUDE_WORK.test(`${path}/`)) {
    const inside = path.replace(/^.*\/\.claude\/(?:worktrees\/[^/]+|[^/]+)/, "");
    return inside === "" || inside === path ? null : laterOf(inside, { ...places, home: "/\u0000" });
  }
  const small = path.toLowerCase();
  for (const [glob, what] of LATER) if (matchesPath(glob, path) || matchesPath(glob, small)) return what;
  const homes = [places.home, "/root"];
  for (const [glob, what] of LATER_IN_HOME)
    if (homes.some((home) => matchesPath(`${home}/${glob}`, path))) return what;
  return null;
}

/** Names of secret files, for globs in commands: `cat .e*`. */
const KNOWN_NAMES = [".env", ".env.local", ".env.production", "id_rsa", "id_ed25519", "credentials.json"];

/** A glob whose beginning is written out and that finds a secret file. */
export function globFindsSecret(glob: string): boolean {
  const name = posix.basename(glob);
  return /^[^*?[]/.test(name) && KNOWN_NAMES.some((each) => matchesPart(name, each));
}
