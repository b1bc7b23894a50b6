import { createFileTable, createPathTable, type FileTable, type SamplePath } from "./file-table.ts";
import { matchesPath } from "./path-glob.ts";
import { AGENT_FILES } from "./runs-later-agents.ts";
import {
  BUILD_FILES,
  EDITOR_FILES,
  GIT_FILES,
  INSTALLED_PROGRAMS,
  STARTUP_FILES,
  TOOL_FILES,
} from "./runs-later-patterns.ts";
import { CI_FILES } from "./runs-later-services.ts";

/** Absolute paths of the machine. */
const SYSTEM_PATHS: readonly (readonly [string, string])[] = [
  ["/etc/**", "a system file"],
  [
    "/{bin,sbin,usr/bin,usr/sbin,usr/local/bin,usr/local/sbin,opt/homebrew/bin,opt/local/bin,snap/bin}/**",
    "a program on PATH",
  ],
  ["/library/application support/claudecode/**", "Claude Code's configuration"],
  ["/{var/spool,usr/lib,var/at}/{cron,crontabs,anacron,atjobs,tabs,jobs}/**", "a list of scheduled commands"],
  ["/{usr/lib,lib,usr/local/lib,run}/systemd/**", "a system service"],
  ["/{library,system/library}/{launchagents,launchdaemons,startupitems}/**", "a system service"],
  [
    "/{usr/lib,usr/lib64,usr/libexec,usr/share,usr/include,usr/local/lib,usr/local/libexec,usr/local/share,usr/local/etc,usr/local/opt,lib,lib64,boot,efi}/**",
    "a system file",
  ],
  ["/{proc/sys,sys}/**", "a kernel setting"],
  ["/{var/spool,var/lib/cloud,var/lib/systemd,var/lib/dpkg,system,library}/**", "a system file"],
  ["/{opt/*/bin,opt/homebrew,home/linuxbrew,nix/var/nix/profiles}/**", "a program on PATH"],
];

const HOME_PATHS: readonly (readonly [string, string])[] = [
  [".config/{pip,uv,pnpm,yarn,configstore}/**", "a package manager's configuration"],
  [".config/{opencode,crush,goose,amp,github-copilot,claude,codex}/**", "another agent's configuration"],
  [
    ".vscode*/** .*-server/** .*-remote/** .config/*/user/** .config/{jetbrains,sublime-text,sublime-text-3}/**",
    "an editor's configuration",
  ],
  ["library/{application?support,preferences,services,scripts}/**", "a program's configuration"],
  [
    "library/{input?methods,quicklook,screen?savers,spotlight,keybindings,safari}/**",
    "a program's configuration",
  ],
  [".config/**", "a program's configuration"],
  [".local/{share,lib,libexec,etc,opt,sbin}/**", "a file that programs run or load"],
  [".docker/**", "Docker's configuration"],
  ["{bin,go/bin,perl5,.local/bin}/**", "a program on PATH"],
  [
    ".gradle/init.d/** .gradle/init.gradle* .m2/*.{xml,properties} .ivy2/*.{xml,properties}",
    "a build tool's configuration",
  ],
  [
    ".{stack,cabal,ghc,cpan,cpanm,cmake,gem,composer,vagrant.d,packer.d,ghcup,opam}/**",
    "a build tool's configuration",
  ],
  [
    ".{nvm,asdf,rvm,rbenv,pyenv,sdkman,volta,jenv,nodenv,goenv,phpenv,fzf,fnm}/**",
    "a tool manager's own code",
  ],
  [
    "{miniconda,anaconda,miniforge,mambaforge,micromamba,mamba,conda}*/** google-cloud-sdk/**",
    "a program on PATH",
  ],
  [
    ".*rc .*profile .*_aliases .*_functions .*_login .*_logout .*.{bash,zsh,fish} .*/env .*/env.{sh,zsh,fish,nu}",
    "a file that runs at startup",
  ],
  [
    "documents/cline/** documents/powershell/** documents/windowspowershell/**",
    "a file that runs at startup",
  ],
];

const ANYWHERE_TABLE: FileTable = createFileTable(
  [
    ...CI_FILES,
    ...GIT_FILES,
    ...TOOL_FILES,
    ...BUILD_FILES,
    ...EDITOR_FILES,
    ...AGENT_FILES,
    ...STARTUP_FILES,
  ],
  { folders: true },
);
const PROGRAMS: readonly (readonly [string, string])[] = INSTALLED_PROGRAMS.flatMap(([patterns, what]) =>
  patterns.split(" ").map((pattern) => [`/**/${pattern}`, what] as const),
);
const findSystemPath = createPathTable(SYSTEM_PATHS);
const HOME_TABLE: FileTable = createFileTable(HOME_PATHS);

/** Where tools are installed in a home: anything in a `bin` below is found by name. */
const ON_PATH =
  /^\.(?:cargo|rustup|pyenv|rbenv|nodenv|nvm|fnm|n|asdf|sdkman|volta|bun|deno|npm-global|npm-packages|yarn|local|goenv|jenv|jabba|proto|mise|pub-cache|dotnet|ghcup|opam|cabal|composer|krew|pixi|rye|juliaup|swiftly|elan|gem|nix-profile|linuxbrew|poetry|phpenv|plenv|tfenv|aqua|conda|miniconda3|foundry|pkgx|hermit|codeium|docker|krew)\/(?:.*\/)?(?:bin|shims|sbin)\/./;

/** Templates for people, names that only resemble those above, and leftovers of an interrupted git. */
const FOR_PEOPLE =
  /\/\.(?:git(?:lab|hub|ea|ee)|forgejo)\/(?:(?:issue_template|merge_request_template|pull_request_template)s?\/|funding\.ya?ml$)|\/\.envrc\.(?:example|sample|template|dist)$|\/ci\/kustomization\.ya?ml$|\/(?:src|docs|app|lib|components)\/(?:[^./][^/]*\/)*hooks\/[^/]+\.(?:[cm]?[jt]sx?|mdx?)$|\/\.git\/(?:[a-z_-]+\.lock|refs\/.*\.lock|(?:merge|cherry_pick|revert|rebase|orig|fetch)_head|merge_(?:msg|mode)|squash_msg|commit_editmsg)$/;

/** Folders of Claude Code that only hold its work. */
const CLAUDE_WORK = /(?:worktrees\/[^/]+|plans|todos|projects|file-history)(?=\/|$)/y;
const CLAUDE_FOLDER = "/.claude/";

/** Where the path inside a work folder starts, such as a worktree with its own `.claude`; 0 outside one. */
function startOfWork(path: string): number {
  let start = 0;
  for (let at = path.indexOf(CLAUDE_FOLDER); at >= 0; at = path.indexOf(CLAUDE_FOLDER, start)) {
    CLAUDE_WORK.lastIndex = at + CLAUDE_FOLDER.length;
    if (!CLAUDE_WORK.test(path)) break;
    start = CLAUDE_WORK.lastIndex;
  }
  return start;
}

/** What a file changes about later runs, in words; null when nothing. `path` and `home` are in lower case. */
export function describeRunsLater(path: string, home: string): string | null {
  const start = startOfWork(path);
  if (start > 0) return start === path.length ? null : describeRunsLater(path.slice(start), "/\u0000");
  if (FOR_PEOPLE.test(path)) return null;
  const found = ANYWHERE_TABLE.find(pathParts(path));
  if (found !== null) return found;
  const systemFile = findSystemPath(path);
  if (systemFile !== null) return systemFile;
  for (const [glob, what] of PROGRAMS) if (matchesPath(glob, path)) return what;
  for (const root of [home, "/root"]) {
    if (!path.startsWith(`${root}/`)) continue;
    const inside = path.slice(root.length + 1);
    if (ON_PATH.test(inside)) return "a program on PATH";
    const homeFile = HOME_TABLE.findFromStart(pathParts(inside));
    if (homeFile !== null) return homeFile;
  }
  return null;
}

export const RUNS_LATER_SAMPLES: readonly SamplePath[] = ANYWHERE_TABLE.samples;

export function pathParts(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}
