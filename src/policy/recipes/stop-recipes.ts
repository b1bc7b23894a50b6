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
    "Run the tests when the agent stops after editing; if they fail, send the agent back with the output",
  needs: "a test command (npm test, cargo, go, pytest) or your own",
  options: {
    command: { description: "command that runs the tests (empty: detect it)", default: "" },
    most: { description: "how many times in a row to send the agent back", default: "2" },
    seconds: { description: "time limit in seconds", default: "300" },
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
    "Check that all dependencies are installed in the declared versions when the agent stops after editing",
  needs: "npm, pip in .venv, cargo, go or your own command",
  options: { command: { description: "command that checks them (empty: detect it)", default: "" } },
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
  description: "Report the number of uncommitted files at the end of each turn",
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
  description: "Send the agent back if it claims that tests pass but none has passed since the last edit",
  needs: null,
  options: {
    claim: { description: "regular expression that matches such a claim", default: CLAIM },
    proof: {
      description: "tool matcher for the step that must have passed (empty: common test commands)",
      default: "",
    },
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
            "You say that tests pass, but no test run has passed since the last edit. Run them now, or withdraw the claim.",
        },
      },
    ],
  }),
};

export const requireStep: Recipe = {
  name: "require-step",
  description: "Require a step first: no commit after an edit until the tests pass",
  needs: null,
  options: {
    before: { description: "tool matcher for the call that must wait", default: "Bash(git commit*)" },
    step: {
      description: "tool matcher for the step that must have passed (empty: common test commands)",
      default: "",
    },
    reason: {
      description: "message to the agent",
      default: "Run the tests first: none has passed since the last edit.",
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
