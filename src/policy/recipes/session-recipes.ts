import { quoteWord } from "../../shell/quote-word.ts";
import { EXIT_UNLESS_GIT_IDLE, type Recipe } from "./recipe.ts";

export const branchPerSession: Recipe = {
  name: "branch-per-session",
  description: "Start each session on its own branch",
  needs: "git, and at least one commit",
  options: { prefix: { description: "branch name prefix", default: "session/" } },
  rules: ({ prefix = "" }) => ({
    reactions: [
      {
        on: "SessionStart",
        when: { source: "startup" },
        do: {
          type: "command",
          command: `${EXIT_UNLESS_GIT_IDLE}
git rev-parse -q --verify HEAD >/dev/null || exit 0
b=${quoteWord(prefix)}$(date +%Y-%m-%d)-\${HOOKLINE_SESSION%%-*}
git switch -q -c "$b" >/dev/null 2>&1 && echo "This session works on its own branch, $b."
exit 0`,
          answer: "context",
        },
      },
    ],
  }),
};

export const gitContext: Recipe = {
  name: "git-context",
  description: "Give the agent the git status, recent commits and TODOs",
  needs: "git",
  options: {
    on: {
      description: "SessionStart, or UserPromptSubmit to repeat it with each prompt",
      default: "SessionStart",
    },
  },
  rules: ({ on }) => ({
    reactions: [
      {
        on: on as "SessionStart" | "UserPromptSubmit",
        do: {
          type: "command",
          command: `git rev-parse --is-inside-work-tree >/dev/null 2>&1 || exit 0
echo 'git status:'
git status --short --branch | head -n 30
echo 'last commits:'
git log --oneline -n 5 2>/dev/null
todo=$(git grep -nIwE 'TODO|FIXME' 2>/dev/null | cut -c 1-160 | head -n 15)
[ -z "$todo" ] || printf 'to do in the code:\\n%s\\n' "$todo"
for f in TODO.md TODO; do
  [ -f "$f" ] && { printf '%s:\\n' "$f"; head -n 30 -- "$f"; }
done
exit 0`,
          answer: "context",
        },
        timeoutSeconds: 10,
      },
    ],
  }),
};

export const keywordSkillHint: Recipe = {
  name: "keyword-skill-hint",
  description: "Remind the agent of a skill when a prompt mentions a keyword",
  needs: "the skill",
  options: {
    keyword: { description: "regular expression to look for in the prompt", default: null },
    skill: { description: "name of the skill", default: null },
  },
  rules: ({ keyword = "", skill = "" }) => ({
    reactions: [
      {
        id: `keyword-skill-hint-${skill.replace(/[^A-Za-z0-9_.-]+/gu, "-")}`,
        on: "UserPromptSubmit",
        when: { prompt: keyword },
        do: { type: "context", text: `The skill "${skill}" is made for requests like this one: use it.` },
      },
    ],
  }),
};

export const backupBeforeCompaction: Recipe = {
  name: "backup-before-compaction",
  description: "Back up the transcript before compaction and keep the last 20 copies",
  needs: null,
  options: { folder: { description: "target folder (empty: backups in Hookline's home)", default: "" } },
  rules: ({ folder = "" }) => ({
    reactions: [
      {
        on: "PreCompact",
        do: {
          type: "command",
          command: `[ -f "$HOOKLINE_TRANSCRIPT" ] || exit 0
umask 077
d=${quoteWord(folder)}
[ -n "$d" ] || d=\${HOOKLINE_HOME:-$HOME/.hookline}/backups
mkdir -p -- "$d" && cp -- "$HOOKLINE_TRANSCRIPT" "$d/$(date -u +%Y%m%dT%H%M%SZ)-$HOOKLINE_SESSION.jsonl" || exit 1
cd -- "$d" || exit 1
ls -1 | grep -E '^[0-9]{8}T[0-9]{6}Z-.+[.]jsonl$' | sort -r | tail -n +21 |
  while IFS= read -r old; do rm -f -- "$old"; done`,
        },
      },
    ],
  }),
};

export const sessionMetrics: Recipe = {
  name: "session-metrics",
  description: "Append a session's metrics and summary to a JSONL file when it ends",
  needs: null,
  options: { file: { description: "target file (empty: metrics.jsonl in Hookline's home)", default: "" } },
  rules: ({ file = "" }) => ({
    reactions: [
      {
        on: "SessionEnd",
        do: { type: "builtin", name: "session_metrics", ...(file !== "" && { options: { file } }) },
      },
    ],
  }),
};

export const notifyNeedsMe: Recipe = {
  name: "notify-needs-me",
  description: "Show a desktop notification when a session is waiting for you",
  needs: "notify-send, or macOS",
  options: {
    text: { description: "notification text", default: "A session in {cwd} is waiting for you." },
  },
  rules: ({ text = "" }) => ({
    reactions: [{ on: "needs_person", do: { type: "notify", title: "Hookline", text } }],
  }),
};
