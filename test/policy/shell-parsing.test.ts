// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are a shell's
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { openScratchWorld } from "./scratch-world.ts";

/** A shell may read words differently from how they are written: by its settings, and by numbers that only it knows. */

const scratch = openScratchWorld();
afterAll(() => scratch.close());

for (const path of [
  "conf/server.key",
  "conf/app.yml",
  "empty/x",
  "types/.credentials.json",
  "h:c/y.tar",
  "h:x.tar",
  "x.tar",
  "docs/a.md",
]) {
  const file = join(scratch.ws, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "x\n");
}
symlinkSync(scratch.out, join(scratch.ws, "out42"));
symlinkSync(join(scratch.out, "x"), join(scratch.ws, "x42"));

function judge(command: string): string {
  const request = { toolName: "Bash", toolInput: { command }, mode: "default", cwd: scratch.ws };
  return decide(EMPTY_POLICY, request, scratch.world).verdict;
}

describe("settings that change how words are read", () => {
  it.each([
    "shopt -s nullglob; grep -r KEY *.zzz",
    "shopt -s dotglob; cat docs/*",
    "shopt -u globstar; ls",
    "shopt -s extglob nocaseglob; cat docs/*",
    "shopt -s lastpipe; ls",
    "shopt -so noglob; ls",
    "shopt; ls",
    "set -f; cat docs/*",
    "set -o noglob; cat docs/*",
    "set -euf; ls",
    "set -o posix; ls",
    "set -k; ls",
    "set -o allexport; ls",
    "setopt nullglob; ls",
    "unsetopt nomatch; ls",
    "emulate ksh; ls",
    "bash -O nullglob -c ls",
    "bash -fc 'cat docs/*'",
    "GLOBIGNORE=x; ls",
    "IFS=/; ls",
    "GLOBIGNORE=x ls *",
    "export GLOBIGNORE=x; ls",
    "BASHOPTS=nullglob ls *",
  ])("are asked about: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each([
    "set -e; ls",
    "set -euxo pipefail; ls",
    "set -o errexit -o nounset; ls",
    "set +x; ls",
    "set -ev; ls",
  ])("are allowed for errors and tracing: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});

describe("a glob without matches", () => {
  it.each([
    "grep -r KEY *.zzz",
    "grep -r KEY zz*/",
    "grep -r *.zzz docs",
    "grep -rh --include *.zzz '*' docs",
    "rg --hidden KEY *.zzz",
    "find . -name *.zzz -name -delete",
    "find docs -newer *.zzz -name -delete",
    "find *.zzz -exec cat {} +",
    "find *.zzz | xargs cat",
    "yq .[0] docs/a.md",
  ])("may disappear and change how the rest is read: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each([
    "cat *.zzz",
    "ls *.zzz",
    "grep KEY *.zzz",
    "grep -rn KEY docs/*.md",
    "wc -l *.zzz",
    "find docs -mtime -7",
  ])("is harmless where its removal changes nothing: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});

describe("the matches of a glob", () => {
  it.each([
    "tar tf *.tar",
    "tar tf h*/y.tar",
    "tar tf ?.tar",
    "cat docs[/]a.md",
    "cat a[b/c]d",
    "ls conf[!x/]server.key",
    "ls .*",
    "grep -rn foo .*",
    "grep -c x CONF/SERVER*",
    "find con* -exec cat {} +",
    "find con* -type f | xargs head",
    "echo out4*/*",
    "echo ./out4?/*",
    'for f in out42/*; do echo "== $f"; done',
    "cat ^README.md",
    "head -5 src/^a.ts",
  ])("may include more than they seem to: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each([
    "tar tf x.tar",
    "cat docs/*",
    "echo *.md src/*",
    "echo [1/3] done",
    "ls src/[a-z].ts",
    "ls -d */",
  ])("are allowed where all may be read: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});

describe("a listing that follows links", () => {
  it.each([
    "ls -RL",
    "ls -LR src",
    "ls --recursive --dereference .",
    "du -L .",
    "du -aL",
    "du --dereference src",
  ])("may leave the workspace: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each(["fd -L x", "fd --follow . src", "rg --files -L", "rg --files --follow ."])(
    "is recognized whatever the option is called: %s",
    (command) => {
      expect(judge(command)).toBe("ask");
    },
  );

  it.each(["ls -R src", "ls -lL README.md", "du -sh .", "fd x", "rg --files"])(
    "does not include %s",
    (command) => {
      expect(judge(command)).toBe("allow");
    },
  );
});

describe("a path with a number that only the shell knows", () => {
  it.each([
    "cat x$((6*7))",
    "head x$((42))",
    "cat < x$((6*7))",
    "cat x$" + "{#PATH}",
    "cat x$RANDOM x$UID",
    "cat x$#",
    "cat x$?",
    "ls out$((6*7))",
    "ls out$$",
    "grep -rn x out$((42))",
    "cd out$((42)) && ls",
    "find out$((42)) -type f",
    "n=$((6*7)); cat x$n",
    "n=0; ((n=42)); cat x$n",
    "n=x; n+=$((42)); cat $n",
    "for ((i=0;i<50;i++)); do cat x$i; done",
    "for i in $((6*7)); do cat x$i; done",
    "cat $" + "{n:-x$((6*7))}",
    "echo out$((42))/*",
    "git diff --stat x$((42))",
    "jq . x$((42))",
    "sed -n 1p x$((42))",
    "awk '{print}' x$((42))",
  ])("is asked about: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each([
    "head -n $((2+3)) README.md",
    "sed -n $((1+1)),5p README.md",
    "echo $((6*7)) $? $" + "{#HOME}",
    "for i in 1 2; do cat x$i; done",
    "n=$((1+1)); head -n $n README.md",
  ])("is allowed in other words: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});

describe("syntax that shells read differently", () => {
  it.each([
    "cat <<$'E'\nhi\n$E\ntouch pwned\nE",
    'cat <<$"E"\nhi\n$E\ntouch pwned\nE',
    "cat <<E\\\nF\nhi\nEF",
    "echo $\\\n{DATABASE_URL}",
    'echo "$CI\\\n_JOB_TOKEN"',
    "ls | cd src; cat a.ts",
    "echo | pushd src; cat a.ts",
    "x='a b'; cat $x",
    "for f in 'a b'; do head $f; done",
    "chpwd_functions=(deploy); cd src",
    "echo $history",
    "sh -c '[[ x || touch == pwned ]]'",
    "sh -c '[[ a > docs/a.md ]]'",
    "sh -c 'ls &>/dev/null touch pwned'",
    "dash -c 'ls |& cat'",
    "sh -c 'cat <(ls)'",
    "sh -c 'cat <<< x'",
    "sh -c 'echo $((1))$[1]'",
    "sh -c 'function f { ls; }; f'",
    "sh -c 'echo ${x//a/b}'",
    "sh -c 'cat {docs,src}/a.md'",
    `awk -F"$(true)" x 'BEGIN{system("id")}'`,
    `awk -F"$x" x 'BEGIN{system("id")}'`,
    `awk '{n++/"/;system("echo ran");/"/}' docs/a.md`,
    `awk 'BEGIN{x=1;x--/"/;system("echo ran");/"/}'`,
    "cat docs/a.md | xargs find . -name",
    "xargs sort -t < docs/a.md",
    "cat docs/a.md | xargs grep -e",
    "cat docs/a.md | timeout 5 xargs rg x -g",
    "cd empty && ls -a | xargs grep -r TOP",
    "ls -1a | xargs ls -R",
    "fd -t f key | xargs cat",
    "fd -d 1 server | xargs head",
    "x=$PWD/src; cat $x:h:h/elsewhere/x",
    'x=conf/server.key.md; cat "$x:r"',
    "yq .env",
    "yq .x.yq conf/app.yml",
    "fmt -p ../elsewhere/x",
    "ls -I ../elsewhere",
    "rg -t json K types",
    `echo "a\${x-'b}c"; touch m; echo "'}"`,
    `x="\${y:-'}"; touch m; z="'}"`,
    "ps -eTH",
    "ps -e --forest",
    "ps -em",
  ])("is asked about: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each([
    "sh -c 'ls docs'",
    "bash -c '[[ -f docs/a.md ]] && cat docs/a.md'",
    "sh -c 'cat docs/a.md 2>&1 | head -n 3'",
    "ls docs || cd src",
    "ls | wc -l; cd docs && ls",
    "cat <<'EOF'\nhi $x\nEOF",
    "yq .services conf/app.yml",
    "ls -A docs | wc -l",
    "cd empty && ls -A | xargs grep -r TOP",
    "rg -t ts K types",
    "rg K types",
    "find docs -name '*.md' | xargs wc -l",
    "awk -F: '{print $1}' docs/a.md",
    "awk '{n++} END {print n/2}' docs/a.md",
    "ps -ef",
    "ps aux",
    "ps -eo pid,ppid,cmd --sort=-pid",
  ])("is allowed where all read it alike: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});

describe("the files that find and rg read in a tree", () => {
  it.each([
    "find . -name . -exec grep -r K {} +",
    "find . -name conf -exec grep -rn K {} \\;",
    "find . -name conf | xargs grep -r K",
    "find . -type d -name conf -exec rg K {} +",
  ])("include all of a folder with the name: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it("include a hidden file that an ignore file re-includes", () => {
    expect(judge("rg K docs")).toBe("allow");
    writeFileSync(join(scratch.ws, "docs/.env"), "K=1\n");
    expect(judge("rg K docs")).toBe("allow");
    writeFileSync(join(scratch.ws, "docs/.ignore"), "!.env.example\n");
    expect(judge("rg K docs")).toBe("allow");
    writeFileSync(join(scratch.ws, "docs/.ignore"), "a\n!.env\n");
    expect(judge("rg K docs")).toBe("ask");
    writeFileSync(join(scratch.ws, "docs/.ignore"), "");
    writeFileSync(join(scratch.ws, ".gitignore"), "!.*\n");
    expect(judge("rg K docs")).toBe("ask");
    writeFileSync(join(scratch.ws, ".gitignore"), "");
    for (const repository of [".", "docs"]) {
      const exclude = join(scratch.ws, repository, ".git/info/exclude");
      mkdirSync(dirname(exclude), { recursive: true });
      writeFileSync(exclude, "!.env\n");
      expect(judge("rg K docs")).toBe("ask");
      writeFileSync(exclude, "");
    }
    expect(judge("rg K docs")).toBe("allow");
  });
});

describe("a text that only bash decodes", () => {
  it.each([
    "cat $'\\x{2e}env'",
    "cat $'a\\'\\x\\x{2e}env'",
    "find . $'\\x{2d}delete'",
    "git log $'\\x{2d}-output=m'",
    "jq -n $'\\x{65}nv'",
    "bash -c $'echo a\\x{0a}touch m'",
  ])("is not judged by its spelling: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each(["rm -rf $'\\x{2f}'", "rm $'\\x{2d}rf' /", "bash -c $'rm -rf \\x{2f}'", "echo x > $'\\x{2e}env'"])(
    "is asked about in every mode: %s",
    (command) => {
      const request = {
        toolName: "Bash",
        toolInput: { command },
        mode: "bypassPermissions",
        cwd: scratch.ws,
      };
      expect(decide(EMPTY_POLICY, request, scratch.world).verdict).not.toBe("allow");
    },
  );

  it("does not include other quotes", () => {
    expect(judge("grep -P 'a$' docs/a.md; grep -P '\\x{2e}' docs/a.md")).toBe("allow");
    expect(judge("grep $'a\\x2e' docs/a.md")).toBe("allow");
  });
});

describe("text that a parser may skip", () => {
  const STRAY = [
    "echo <(true)#x; rm -rf ~",
    "cat <(echo)#|sh",
    "echo >(cat)#x; touch y",
    "cat < <(true)#x; touch y",
    "ls (#|README.md); rm -rf ~",
    "ls ( #|README.md); rm -rf ~",
    "cat (#|.env)",
    "ls (x; rm -rf ~",
    "ls \\\n (#|x); rm -rf ~",
    "echo `ls \\`true\\` (#|x); rm -rf ~`",
    `ls ${" ".repeat(2_000)}(#|x); rm -rf ~`,
    "f() { ls (#|x); rm -rf ~; }; f",
    'echo "$(ls (#|x); rm -rf ~)"',
  ];

  it.each(STRAY)("is asked about in every mode: %s", (command) => {
    for (const mode of ["default", "bypassPermissions"]) {
      const request = { toolName: "Bash", toolInput: { command }, mode, cwd: scratch.ws };
      expect(decide(EMPTY_POLICY, request, scratch.world).verdict).not.toBe("allow");
    }
  });

  it.each([
    "(ls docs) # why",
    "ls docs; (cat docs/a.md)",
    "cat docs/a.md | (cat; true)",
    "cat <<'E' | (cat)\n(x #y\nE",
    "x=(a b); echo ${x[0]}",
    "echo 'a (#12) b'; grep -c '(#' docs/a.md",
    "case a in (a) ls docs;; esac",
    "! (ls docs)",
    "echo $(ls docs)#x",
    "for i in 1 2; do (ls docs); done",
  ])("is not found in an ordinary line: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});

describe("text piped into another command", () => {
  const verdict = (command: string, mode: string): string =>
    decide(EMPTY_POLICY, { toolName: "Bash", toolInput: { command }, mode, cwd: scratch.ws }, scratch.world)
      .verdict;

  it.each([
    "printf '%s' .en v | xargs cat",
    "printf '%s' - o pwn | xargs sort docs/a.md",
    "printf '%s' - - output=pwn | xargs git log",
    "echo .e* | xargs cat",
    "echo .en? | xargs cat",
    "printf '%s\\n' .e* | xargs cat",
    "x='.e*'; echo $x | xargs cat",
    "for f in .e*; do echo $f | xargs cat; done",
    "echo .e* | xargs -I{} cat {}",
    "echo .e* | timeout 5 xargs cat",
    "echo conf/server* | xargs cat",
  ])("is judged as the shell expands it: %s", (command) => {
    writeFileSync(join(scratch.ws, ".env"), "K=1\n");
    expect(verdict(command, "default")).toBe("ask");
  });

  it.each([
    "printf '%s' /e tc | xargs rm -rf",
    "printf '%s' reb oot | sh",
    "printf '%s' 'rm -rf /e' tc | sh",
    "echo /* | xargs rm -rf",
    "echo /e?c | xargs rm -rf",
    "echo ~/* | xargs rm -rf",
    "printf '%s\\n' /* | xargs rm -rf",
  ])("cannot smuggle in a dangerous command: %s", (command) => {
    expect(verdict(command, "bypassPermissions")).not.toBe("allow");
  });

  it.each([
    "find docs/a.md | xargs -d . cat",
    "find conf/app.yml | xargs -d / cat",
    "find blanks | xargs -P0 cat",
    "echo docs/a.md | xargs cat < docs/a.md",
    "find docs -name a.md | xargs cat < <(echo .env)",
    "find docs -name a.md | { xargs cat; } < docs/a.md",
    "echo . | xargs find < <(echo . -maxdepth 0 -exec touch m {} +)",
    "xargs cat <<< docs/a.md < docs/a.md",
    "diff -x '*' . docs/a.md",
  ])("is asked about when the source or the splitting is unknown: %s", (command) => {
    writeFileSync(join(scratch.ws, ".env"), "K=1\n");
    mkdirSync(join(scratch.ws, "blanks"), { recursive: true });
    writeFileSync(join(scratch.ws, "blanks/a .env b.md"), "x\n");
    expect(verdict(command, "default")).toBe("ask");
  });

  it.each([
    "echo '/xa' | xargs -d x rm -rf",
    "find /etcx | xargs -d x rm -rf",
    "echo a | xargs rm -rf < <(echo /)",
    "{ echo a | xargs rm -rf <&3; } 3<<< /",
    "echo ls | sh < <(echo 'rm -rf /')",
    "{ echo ls | sh <&3; } 3<<< 'rm -rf /'",
    "{ sh; } < <(echo 'rm -rf /')",
    "(sh) < <(echo 'rm -rf /')",
    "if true; then sh; fi < <(echo 'rm -rf /')",
    "for i in 1; do sh; done < <(echo 'rm -rf /')",
    "f() { sh; }; f < <(echo 'rm -rf /')",
    "exec 0< <(echo 'rm -rf /'); sh",
  ])("cannot smuggle in a dangerous command from another source: %s", (command) => {
    expect(verdict(command, "bypassPermissions")).not.toBe("allow");
  });

  it.each([
    'while read -r f; do wc -l "$f"; done < docs/a.md',
    'while IFS= read -r line; do echo "$line"; done < <(git log --oneline)',
    'for f in *.ts; do node x.js "$f"; done < /dev/null',
    "find src -name '*.ts' | xargs -P 4 npx eslint",
    "printf 'a\\n' | xargs -d '\\n' npx prettier --check",
    "exec 3< docs/a.md; read -r x <&3",
    "npm test < /dev/null",
    "psql mydb < dump.sql",
    "{ npm run build; npm test; } < /dev/null",
  ])("does not affect other commands: %s", (command) => {
    expect(verdict(command, "bypassPermissions")).toBe("allow");
  });

  it.each([
    "echo docs/*.md | xargs wc -l",
    "printf '%s\\n' docs/a.md docs/a.md | xargs cat",
    "printf '%s ' docs a | cat",
    "echo docs/a.md | xargs cat",
  ])("is allowed where all of it may be read: %s", (command) => {
    expect(verdict(command, "default")).toBe("allow");
  });
});

describe("words that programs read differently", () => {
  it.each([
    "xxd docs/a.md -p",
    "xxd -c 16 docs/a.md -b",
    "uniq docs/a.md -c",
    "od -w 16 docs/a.md",
    "git diff -U 3",
    "ps -ef -o args",
    "ps -eo args -f",
    "ps -efo args",
    "rg K -g ''",
    "rg K --glob=",
    "rg K -g '#x' docs",
    "rg K -g ' '",
    "rg K --iglob ''",
    `awk '{ while (1) break /"/ ; print "id" | "sh" ; /"/ }' docs/a.md`,
    `awk '{ next /"/ ; print > "y" ; /"/ }' docs/a.md`,
    "git config fetch.bundleURI",
  ])("are asked about: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each([
    "xxd -c 16 -g 1 docs/a.md",
    "xxd docs/a.md",
    "sort docs/a.md | uniq -c",
    "uniq -f 1 docs/a.md",
    "od -w16 docs/a.md",
    "git diff -U5",
    "ps -ef",
    "ps -eo pid,args",
    "rg K -g '*.ts' docs",
    "rg K -g '!*.md' docs",
    "awk 'NR == 2 { print; exit }' docs/a.md",
    "awk '/x/ { next } { print $1 / 2 }' docs/a.md",
  ])("are allowed where the reading is certain: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});

describe("a line that another shell or charset reads differently", () => {
  it.each([
    'export LC_ALL=zh_CN.GBK\necho "あ\\"; touch m #"',
    "LANG=ja_JP.SJIS grep x docs/a.md",
    "LC_CTYPE=zh_HK sort docs/a.md",
    "cat conf/app.ym##l",
    "cat .en##v",
    "cat docs/*~docs/a.md",
    "cat *~README.md",
    "cat <<'E\nF'\nx\nE\nF\ntouch m",
    'cat <<"E\nF"\nx\nE\nF\ntouch m',
    "git config user.name Foo",
    "git config --global user.email x@y",
    "git config get user.name Foo",
    "echo user.name x | xargs git config",
    "docker history --no-trunc app",
  ])("is asked about: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each([
    "LC_ALL=C sort docs/a.md",
    "LC_ALL=en_US.UTF-8 sort docs/a.md",
    "LANG=C.utf8 ls",
    "git show HEAD~1 --stat",
    "cat docs/a.md # why",
    "git config user.name",
    "git config get user.name",
    "git config --get --global user.email",
    "docker history app",
    "cat <<'E F'\nx\nE F",
  ])("is allowed where all read it alike: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});
