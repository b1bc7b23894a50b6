import { COUNT, type Programs, type Spec, WORD } from "../grammar.ts";

/** Programs that do much else: what of them only tells something, and does it here. */

const NONE = { kind: "text", max: 0 } as const;

/** With nothing but a word that asks for its version, or its help. */
function tells(short: string, long = "version"): Spec {
  return { short, long, operands: NONE, check: ({ flags }) => flags.size === 1 };
}

/**
 * Those that tell their version without a look at the project. Missing are the ones that first run or fetch what a
 * file of the project names: yarn, pnpm, cargo, rustc, go, mvn, dotnet, terraform.
 */
const NAMES =
  "gcc g++ cc c++ clang clang++ make cmake ninja ruby perl php deno bun uv curl wget sqlite3 openssl tmux rsync bash zsh";

export const VERSIONS: Programs = {
  ...Object.fromEntries(NAMES.split(" ").map((name) => [name, tells("")])),
  node: tells("v"),
  npm: tells("v"),
  tsc: tells("v"),
  claude: tells("vh", "version help"),
  python: tells("V"),
  python3: tells("V"),
  pip: tells("V"),
  pip3: tells("V"),
};

const TIME = /^[\w:.+-]{1,40}$/;
const NAME = /^[\w][\w.:/@-]{0,127}$/;
const DOCKER_LISTS: Spec = {
  short: "aqsl",
  long: "all quiet no-trunc size latest digests",
  values: { "f filter": "text", format: "text", "n last": COUNT },
  operands: NONE,
};

/** Words after the name of a program, and what may follow them. */
export const TOOLS: Readonly<Record<string, Readonly<Record<string, Spec>>>> = {
  docker: {
    "": tells("v"),
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
      // Whole, its lines have the values that the image was built with.
      long: "quiet human",
      operands: { kind: NAME, min: 1, max: 1 },
    },
  },
  hookline: {
    "": tells("", "version help"),
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
