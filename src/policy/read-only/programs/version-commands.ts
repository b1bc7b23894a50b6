import { COUNT, type ProgramGrammars, type ProgramSpec, WORD } from "../grammar.ts";

/** Programs that do much else: their subcommands that only report, and only locally. */

const NONE = { kind: "text", max: 0 } as const;

/** Accepts only a word that requests the version or the help. */
function versionSpec(short: string, long = "version"): ProgramSpec {
  return { short, long, operands: NONE, check: ({ flags }) => flags.size === 1 };
}

/**
 * Programs that print their version without reading the project. Those that first run or fetch what a project file
 * names are missing: yarn, pnpm, cargo, rustc, go, mvn, dotnet, terraform.
 */
const PLAIN_VERSION_PROGRAMS =
  "gcc g++ cc c++ clang clang++ make cmake ninja ruby perl php deno bun uv curl wget sqlite3 openssl tmux rsync bash zsh";

export const VERSIONS: ProgramGrammars = {
  ...Object.fromEntries(PLAIN_VERSION_PROGRAMS.split(" ").map((name) => [name, versionSpec("")])),
  node: versionSpec("v"),
  npm: versionSpec("v"),
  tsc: versionSpec("v"),
  claude: versionSpec("vh", "version help"),
  python: versionSpec("V"),
  python3: versionSpec("V"),
  pip: versionSpec("V"),
  pip3: versionSpec("V"),
};

const TIME = /^[\w:.+-]{1,40}$/;
const NAME = /^[\w][\w.:/@-]{0,127}$/;
const DOCKER_LISTS: ProgramSpec = {
  short: "aqsl",
  long: "all quiet no-trunc size latest digests",
  values: { "f filter": "text", format: "text", "n last": COUNT },
  operands: NONE,
};

/** Words after the name of a program, and what may follow them. */
export const TOOL_SUBCOMMANDS: Readonly<Record<string, Readonly<Record<string, ProgramSpec>>>> = {
  docker: {
    "": versionSpec("v"),
    ps: DOCKER_LISTS,
    images: { ...DOCKER_LISTS, operands: { kind: NAME, max: 1 } },
    logs: {
      short: "t",
      long: "timestamps details",
      values: { "n tail": /^(?:\d{1,9}|all)$/, since: TIME, until: TIME },
      operands: { kind: NAME, min: 1, max: 1 },
    },
    port: { operands: { kind: NAME, min: 1, max: 2 } },
    history: {
      short: "qH",
      // Untruncated lines contain the values that the image was built with.
      long: "quiet human",
      operands: { kind: NAME, min: 1, max: 1 },
    },
  },
  hookline: {
    "": versionSpec("", "version help"),
    status: { long: "json line", operands: NONE },
    limits: { long: "json", operands: NONE },
    sessions: { long: "json all needs-me", values: { "state project limit": "text" }, operands: NONE },
    session: { long: "json resume-command", operands: { kind: "text", min: 1, max: 1 } },
    search: {
      long: "json all failed",
      values: { "project session kind tool type file branch since until limit": "text" },
      operands: { kind: "text" },
    },
    timeline: {
      long: "json whole-project",
      values: { "before after": COUNT, project: "text" },
      operands: { kind: "text", min: 1 },
    },
    observations: { long: "json", operands: { kind: WORD, min: 1 } },
  },
  pip: { show: { short: "f", long: "files", operands: { kind: NAME, min: 1 } } },
  pip3: { show: { short: "f", long: "files", operands: { kind: NAME, min: 1 } } },
};
