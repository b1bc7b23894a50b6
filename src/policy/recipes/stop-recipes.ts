import { EDIT_TOOLS, type Recipe, TEST_COMMANDS } from "./recipe.ts";

const afterEdits = () => ({ ran: { tools: [EDIT_TOOLS], since: "turn" as const } });

const RUN_TESTS = `if [ -f package.json ] && grep -q '"test":' package.json; then
  grep -q 'no test specified' package.json && exit 0
  CI=1 npm test --silent
elif [ -f Cargo.toml ]; then cargo test -q
elif [ -f go.mod ]; then go test ./...
elif [ -f pytest.ini ] || [ -f pyproject.toml ] && command -v pytest >/dev/null; then pytest -q
fi </dev/null 2>&1`;

export const testAtStop: Recipe = {
  name: "test-at-stop",
  description:
    "Run the tests when the agent stops after edits; when they fail, it goes on with what they said",
  needs: "a test command: npm test, cargo, go or pytest; or your own",
  options: {
    command: { description: "what runs the tests; empty: the one that is there", default: "" },
    most: { description: "how often in a row the agent is sent back", default: "2" },
    seconds: { description: "how long they may take", default: "300" },
  },
  rules: ({ command, most, seconds }) => ({
    reactions: [
      {
        on: "Stop",
        when: afterEdits(),
        do: {
          type: "command",
          command: command || RUN_TESTS,
          answer: "block_on_failure",
          most: Number(most),
        },
        timeoutSeconds: Number(seconds),
      },
    ],
  }),
};

const CHECK_DEPENDENCIES = `bad=0
if [ -f package.json ] && [ -d node_modules ]; then npm ls --all 2>&1 >/dev/null || bad=1; fi
if [ -x .venv/bin/python ]; then .venv/bin/python -m pip check || bad=1; fi
if [ -f Cargo.lock ]; then cargo metadata --locked --offline --format-version 1 2>&1 >/dev/null || bad=1; fi
if [ -f go.sum ]; then go mod verify || bad=1; fi
exit $bad`;

export const checkDependenciesAtStop: Recipe = {
  name: "check-dependencies-at-stop",
  description:
    "When the agent stops after edits: are all dependencies there, in the versions that are named?",
  needs: "npm, pip in .venv, cargo or go; or your own command",
  options: { command: { description: "what checks them; empty: what is there", default: "" } },
  rules: ({ command }) => ({
    reactions: [
      {
        on: "Stop",
        when: afterEdits(),
        do: { type: "command", command: command || CHECK_DEPENDENCIES, answer: "block_on_failure" },
        timeoutSeconds: 60,
      },
    ],
  }),
};

export const warnUncommitted: Recipe = {
  name: "warn-uncommitted",
  description: "Say at the end of a turn how many files have changes that are not committed",
  needs: "git",
  options: {},
  rules: () => ({
    reactions: [
      {
        on: "Stop",
        do: {
          type: "command",
          command: `n=$(git status --porcelain 2>/dev/null | wc -l)
[ "$n" -eq 0 ] || echo "Not committed: $((n)) changed or new in $HOOKLINE_CWD"`,
          answer: "message",
        },
      },
    ],
  }),
};

/** A claim in the present or past, without a condition before it or a negation in it. */
const CLAIM = [
  String.raw`(?<!\b(?:if|until|once|when|whether|unless|ensure|sure|that|make|so) (?:the |all |all the |your |these )?)`,
  String.raw`\b(?:tests?|specs?|test suite)\b`,
  String.raw`(?![^.\n]{0,40}(?:\bnot\b|n't|\bfail|\bshould\b|\bwould\b|\bmust\b|\bto pass\b|\bmay\b|\?))`,
  String.raw`[^.\n]{0,40}\b(?:pass|passes|passed|passing|succeed|succeeded|green)\b`,
  "|테스트[^.\\n]{0,30}(?:통과했|통과합|통과함|성공했|성공합)",
].join("");

export const promiseDetection: Recipe = {
  name: "promise-detection",
  description:
    "The answer says that tests pass, but none ran well since the last edit: the agent is sent back",
  needs: null,
  options: {
    claim: { description: "what in an answer is such a claim, a regular expression", default: CLAIM },
    proof: { description: "what must have run, a tool matcher; empty: the usual test commands", default: "" },
  },
  rules: ({ claim, proof = "" }) => ({
    reactions: [
      {
        on: "Stop",
        when: {
          answer: claim || CLAIM,
          ranWithout: { tools: proof === "" ? [...TEST_COMMANDS] : [proof], since: "edit" },
        },
        do: {
          type: "block",
          reason:
            "Your answer says that tests pass, but no test run has ended well since the last edit. Run them now, or take the claim back.",
        },
      },
    ],
  }),
};

export const requireStep: Recipe = {
  name: "require-step",
  description: "One step before another: after an edit no commit until the tests have run well",
  needs: null,
  options: {
    before: { description: "the call that must wait, a tool matcher", default: "Bash(git commit*)" },
    step: { description: "what must have run, a tool matcher; empty: the usual test commands", default: "" },
    reason: {
      description: "what the agent is told",
      default: "First run the tests: since the last edit none has ended well.",
    },
  },
  rules: ({ before = "", step = "", reason = "" }) => ({
    reactions: [
      {
        on: "PreToolUse",
        match: before,
        when: {
          ran: { tools: [EDIT_TOOLS], since: "session" },
          ranWithout: { tools: step === "" ? [...TEST_COMMANDS] : [step], since: "edit" },
        },
        do: { type: "deny", reason },
      },
    ],
  }),
};
