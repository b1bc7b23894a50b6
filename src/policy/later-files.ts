import { createFileTable, type FileTable, type SamplePath } from "./file-table.ts";
import { AGENTS, BUILD, CI, EDITORS, GIT, INSTALLED, STARTS, TOOLS } from "./later-names.ts";
import { matchesPath } from "./path-glob.ts";

/** Absolute places of the machine. */
const OF_THE_MACHINE: readonly (readonly [string, string])[] = [
  ["/etc/**", "a file of the system"],
  [
    "/{bin,sbin,usr/bin,usr/sbin,usr/local/bin,usr/local/sbin,opt/homebrew/bin,opt/local/bin,snap/bin}/**",
    "a program on the search path",
  ],
  ["/library/application support/claudecode/**", "a file that steers Claude Code"],
  ["/{var/spool,usr/lib,var/at}/{cron,crontabs,anacron,atjobs,tabs,jobs}/**", "a list of timed commands"],
  ["/{usr/lib,lib,usr/local/lib,run}/systemd/**", "a service of the system"],
  ["/{library,system/library}/{launchagents,launchdaemons,startupitems}/**", "a service of the system"],
  ["/{usr/lib,lib}/{modprobe.d,udev,security}/**", "a file of the system"],
  ["/usr/local/etc/**", "a file of the system"],
];

const IN_HOME: readonly (readonly [string, string])[] = [
  [
    ".config/{fish,bash,autostart,autostart-scripts,plasma-workspace,systemd,git,nvim,emacs,helix,kak,zed,environment.d,direnv,mise,zsh,tmux}/**",
    "a file that runs at a start",
  ],
  [".config/{pip,uv,pnpm,yarn,configstore}/**", "a package manager's configuration"],
  [".config/{opencode,crush,goose,amp,github-copilot,claude,codex}/**", "a file that steers another agent"],
  [".local/share/{systemd,applications,kservices5}/**", "a service of the user"],
  [
    ".vscode*/extensions/** .config/{code,code*oss,vscodium,cursor,windsurf}/user/** .config/{jetbrains,sublime-text,sublime-text-3}/**",
    "an editor's configuration",
  ],
  [
    "library/application?support/{code,cursor,windsurf,vscodium,zed,jetbrains,sublime?text}/**",
    "an editor's configuration",
  ],
  [".local/share/{nvim,code-server,jetbrains}/**", "an editor's configuration"],
  [".docker/**", "docker's configuration"],
  ["{bin,go/bin,.local/bin}/**", "a program on the search path"],
  [".gradle/init.d/** .gradle/init.gradle* .m2/{extensions,toolchains}.xml", "a build tool's configuration"],
];

const ANYWHERE: FileTable = createFileTable(
  [...CI, ...GIT, ...TOOLS, ...BUILD, ...EDITORS, ...AGENTS, ...STARTS],
  { folders: true },
);
const PROGRAMS: readonly (readonly [string, string])[] = INSTALLED.flatMap(([patterns, what]) =>
  patterns.split(" ").map((each) => [`/**/${each}`, what] as const),
);
const HOME: FileTable = createFileTable(IN_HOME);

/** Where tools are installed in a home: what lies in a `bin` below is found by name. */
const ON_PATH =
  /^\.(?:cargo|rustup|pyenv|rbenv|nodenv|nvm|fnm|n|asdf|sdkman|volta|bun|deno|npm-global|npm-packages|yarn|local|goenv|jenv|jabba|proto|mise|pub-cache|dotnet|ghcup|opam|cabal|composer|krew|pixi|rye|juliaup|swiftly|elan|gem|nix-profile|linuxbrew|poetry|phpenv|plenv|tfenv|aqua|conda|miniconda3|foundry|pkgx|hermit|codeium|docker|krew)\/(?:.*\/)?(?:bin|shims|sbin)\/./;

/** Templates for people, in folders that are otherwise read by machines. */
const FOR_PEOPLE =
  /\/\.git(?:lab|hub|ea)\/(?:issue_template|merge_request_template|pull_request_template)s?\//;

/** What lies in Claude Code's folder but only holds its work. */
const CLAUDE_WORK = /(?:worktrees\/[^/]+|plans|todos|projects|file-history)(?=\/|$)/y;
const CLAUDE_FOLDER = "/.claude/";

/** Where the path inside a folder of work begins, such as a worktree with a `.claude` of its own; 0 when in none. */
function startOfWork(path: string): number {
  let start = 0;
  for (let at = path.indexOf(CLAUDE_FOLDER); at >= 0; at = path.indexOf(CLAUDE_FOLDER, start)) {
    CLAUDE_WORK.lastIndex = at + CLAUDE_FOLDER.length;
    if (!CLAUDE_WORK.test(path)) break;
    start = CLAUDE_WORK.lastIndex;
  }
  return start;
}

/** What a file changes about later, in words; null when nothing. `path` and `home` are in lower case. */
export function laterOf(path: string, home: string): string | null {
  const start = startOfWork(path);
  if (start > 0) return start === path.length ? null : laterOf(path.slice(start), "/\u0000");
  if (FOR_PEOPLE.test(path)) return null;
  const found = ANYWHERE.find(partsOf(path));
  if (found !== null) return found;
  for (const [glob, what] of [...OF_THE_MACHINE, ...PROGRAMS]) if (matchesPath(glob, path)) return what;
  for (const each of [home, "/root"]) {
    if (!path.startsWith(`${each}/`)) continue;
    const inside = path.slice(each.length + 1);
    if (ON_PATH.test(inside)) return "a program on the search path";
    const own = HOME.findAtStart(partsOf(inside));
    if (own !== null) return own;
  }
  return null;
}

export const LATER_SAMPLES: readonly SamplePath[] = ANYWHERE.samples;

export function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}
