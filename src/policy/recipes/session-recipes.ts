import { quoteWord } from "../../shell/quote-word.ts";
import { EXIT_UNLESS_GIT_IDLE, type Recipe } from "./recipe.ts";

export const branchPerSession: Recipe = {
  name: "branch-per-session",
  description: "A new session begins on a branch of its own",
  needs: "git, and a commit to begin from",
  options: { prefix: { description: "how the branch's name begins", default: "session/" } },
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
  description: "Tell the agent what git says of the folder, and what is still to do",
  needs: "git",
  options: {
    on: { description: "SessionStart, or UserPromptSubmit for each prompt", default: "SessionStart" },
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
  description: "A word in a prompt reminds the agent of a skill",
  needs: "the skill",
  options: {
    keyword: { description: "what is looked for in the prompt, a regular expression", default: null },
    skill: { description: "the skill's name", default: null },
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
  description: "Keep a copy of the whole transcript before it is compacted, the last 20 of them",
  needs: null,
  options: { folder: { description: "where to; empty: backups in Hookline's home", default: "" } },
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
  description: "When a session ends: its figures and its summary, a line of JSON in a file",
  needs: null,
  options: { file: { description: "which; empty: metrics.jsonl in Hookline's home", default: "" } },
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
  description: "A desktop notification when a session waits for you",
  needs: "notify-send, or macOS",
  options: {
    text: { description: "what it says", default: "A session in {cwd} waits for you." },
  },
  rules: ({ text = "" }) => ({
    reactions: [{ on: "needs_person", do: { type: "notify", title: "Hookline", text } }],
  }),
};
