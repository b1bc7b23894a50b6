import { quoteWord } from "../../shell/quote-word.ts";
import { EDIT_TOOLS, EXIT_UNLESS_GIT_IDLE, type Recipe } from "./recipe.ts";

/** Uses the project's own formatter only, so a globally installed tool never reformats its files. */
const FORMAT = `own() {
  d=$(dirname -- "$f")
  while [ "$d" != / ] && [ ! -x "$d/node_modules/.bin/$1" ]; do d=$(dirname -- "$d"); done
  [ -x "$d/node_modules/.bin/$1" ] && cd -- "$d"
}
case $f in
  *.py)
    if command -v ruff; then ruff format -q -- "$f"
    elif command -v black; then black -q -- "$f"; fi ;;
  *.go) gofmt -w -- "$f" ;;
  *.rs) rustfmt -- "$f" ;;
  *)
    if own biome; then node_modules/.bin/biome format --write "$f"
    elif own prettier; then node_modules/.bin/prettier --write --ignore-unknown "$f"; fi ;;
esac`;

export const formatAfterEdit: Recipe = {
  name: "format-after-edit",
  description: "Format each file the agent edits",
  needs: "a formatter (biome or prettier in the project, ruff, black, gofmt, rustfmt) or your own command",
  options: {
    command: { description: 'command to run on "$HOOKLINE_FILE" (empty: detect the formatter)', default: "" },
  },
  rules: ({ command }) => ({
    reactions: [
      {
        on: "PostToolUse",
        match: EDIT_TOOLS,
        do: {
          type: "command",
          command: `f=$HOOKLINE_FILE
case $f in /*) ;; *) exit 0 ;; esac
[ -f "$f" ] || exit 0
was=$(cksum <"$f")
{
${command === "" ? FORMAT : command}
} >/dev/null 2>&1
[ "$was" = "$(cksum <"$f")" ] || echo "$f was formatted after this edit; what it holds now may differ from what you wrote."`,
          answer: "context",
        },
      },
    ],
  }),
};

export const commitAfterEdit: Recipe = {
  name: "commit-after-edit",
  description: "Commit each file the agent edits, one commit per file",
  needs: "git",
  options: {
    message: { description: "commit subject (empty: the tool and the file)", default: "" },
  },
  rules: ({ message = "" }) => ({
    reactions: [
      {
        on: "PostToolUse",
        match: EDIT_TOOLS,
        do: {
          type: "command",
          command: `[ -f "$HOOKLINE_FILE" ] || exit 0
cd -- "$(dirname -- "$HOOKLINE_FILE")" || exit 0
f=\${HOOKLINE_FILE##*/}
case $f in .env|.env.*|*.pem|*.key) exit 0 ;; esac
${EXIT_UNLESS_GIT_IDLE}
git check-ignore -q -- "$f" && exit 0
m=${message === "" ? '"$HOOKLINE_TOOL $(git rev-parse --show-prefix)$f"' : quoteWord(message)}
git add -- "$f" 2>/dev/null && git commit -q -m "$m" -- "$f" >/dev/null 2>&1 &&
  echo "$HOOKLINE_FILE was committed as $(git rev-parse --short HEAD)."
exit 0`,
          answer: "context",
        },
      },
    ],
  }),
};

export const protectPaths: Recipe = {
  name: "protect-paths",
  description: "Ask before these files are changed",
  needs: "`hookline install --guard` for terminal sessions",
  options: { paths: { description: "comma-separated globs, e.g. migrations/**,*.lock", default: null } },
  rules: ({ paths = "" }) => ({
    protect: paths
      .split(",")
      .map((path) => path.trim())
      .filter((path) => path !== "")
      .map((path) => ({ path })),
  }),
};
