// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are a shell's
import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { openScratchWorld } from "./scratch-world.ts";

const scratch = openScratchWorld();
afterAll(() => scratch.close());

function verdictOn(command: string): string {
  const request = { toolName: "Bash", toolInput: { command }, mode: "default", cwd: scratch.ws };
  return decide(EMPTY_POLICY, request, scratch.world).verdict;
}

describe("the value of a variable that may hold a secret", () => {
  it.each([
    'echo "${none:-$DATABASE_URL}"',
    "echo ${HOME:+$DATABASE_URL}",
    `x=a; echo "\${x/a/$DATABASE_URL}"`,
    ": ${none:?$DATABASE_URL}",
    'cat <<< "${none:-$DATABASE_URL}"',
    "cat <<E\n${none:-$DATABASE_URL}\nE",
    "x=${none:-$DATABASE_URL}; echo $x",
    `jq -n --arg x "$DATABASE_URL" '$x'`,
    `awk -F"$DATABASE_URL" 'BEGIN{print FS}'`,
    `bash -c 'echo "$1"' _ "$DATABASE_URL"`,
    `sh -c 'echo $0' "$GITHUB_TOKEN"`,
    'select x in "$DATABASE_URL"; do break; done </dev/null',
    "select f in ~/.ssh/*; do break; done </dev/null",
    "set -x; x=$DATABASE_URL",
    "bash -xc 'x=$DATABASE_URL'",
    "set -x; [[ -n $DATABASE_URL ]]",
    "[[ $DATABASE_URL == p* ]] && echo yes",
    "case $DATABASE_URL in p*) echo p;; esac",
    "for c in a p; do [[ ${DATABASE_URL:0:1} == $c ]] && echo $c; done",
    "echo $((AWS_ACCOUNT + 0))",
    "if grep -q x a.txt; then echo $(printf %s $STRIPE_KEY); fi",
    "f() { echo $STRIPE_KEY; }; f",
    "echo ${#DATABASE_URL}",
    "test $DATABASE_URL = x",
    "cat <(echo $DATABASE_URL)",
    "echo $database_url",
    'echo "$dsn"',
    "cat <<E\n$conn\nE",
    "echo $XDG_API_KEY",
    "echo $LC_TOKEN",
    "echo $#GH_TOKEN",
    'grep "$#GH_TOKEN" a.txt',
    "cat <<E\n$=GH_TOKEN\nE",
    "cat <<E\nx $~GH_TOKEN\nE",
    "cat <<E\n$HOME $+GH_TOKEN\nE",
    "cat <<E\n$#GH_TOKEN\nE",
  ])("is asked about wherever it occurs: %s", (command) => {
    expect(verdictOn(command)).toBe("ask");
  });

  it.each([
    'none=; echo "${none:-$HOME}"',
    "for f in src/*.ts; do echo $f; done",
    "x=$(git rev-parse HEAD); echo $x",
    "awk '{print $NF}' a.txt",
    'grep -n "\\$DATABASE_URL" a.txt',
    "for F in a b; do echo $F; done",
    "if [ -d src ]; then echo $PWD; fi",
    "while read -r line; do echo $line; done < a.txt",
    "n=0; for f in src/*.ts; do n=$((n+1)); done; echo $n",
    "echo $LC_ALL $XDG_CONFIG_HOME",
    "echo $#",
    "cat <<'E'\n$=GH_TOKEN $conn\nE",
  ])("is allowed for public variables, and for those that the script sets: %s", (command) => {
    expect(verdictOn(command)).toBe("allow");
  });
});
