import { describe, expect, it } from "vitest";
import { classifyCommand } from "./classify-command.ts";
import { splitCommand } from "./split-command.ts";

const words = (line: string) => splitCommand(line).map((command) => command.words);

describe("splitCommand", () => {
  it("splits at operators, strips quotes and separates redirections", () => {
    const line = `echo "a b" 'c;d' e\\ f > out.txt 2>&1 && ls -l | wc`;
    expect(splitCommand(line)).toEqual([
      {
        words: ["echo", "a b", "c;d", "e f"],
        writes: ["out.txt"],
        operator: "",
        source: `echo "a b" 'c;d' e\\ f > out.txt 2>&1`,
      },
      { words: ["ls", "-l"], writes: [], operator: "&&", source: "ls -l" },
      { words: ["wc"], writes: [], operator: "|", source: "wc" },
    ]);
  });

  it.each([
    ["a; b", ["", ";"]],
    ["a\nb", ["", ";"]],
    ["a || b |& c & d", ["", "||", "|", "&"]],
    ["a | (b; c)", ["", "|", ";"]],
  ])("reports the operator before each command: %j", (line, operators) => {
    expect(splitCommand(line).map(({ operator }) => operator)).toEqual(operators);
  });

  it("keeps here-documents out of the words", () => {
    expect(words("cat > a.sh <<'EOF'\nrm -rf /; it's\nEOF\nls")).toEqual([["cat"], ["ls"]]);
    expect(words(`git commit -m "$(cat <<'EOF'\na "b" (c\nEOF\n)" && ls`).at(-1)).toEqual(["ls"]);
  });

  it.each(["", "'", '"', "$(", "a $( b <<X", "`", "\\", "> ", "<<", "a <<EOF", "#", ";;;&&||"])(
    "accepts malformed input: %j",
    (line) => {
      expect(() => splitCommand(line)).not.toThrow();
    },
  );
});

describe("classifyCommand", () => {
  it.each([
    ["npm test", "test"],
    ["npm run test:unit -- cart", "test"],
    ["CI=1 npx vitest run src/cart.test.ts", "test"],
    ["timeout 60 python3 -m pytest -q", "test"],
    ["go test ./...", "test"],
    ["cargo nextest run", "test"],
    ["node --test test/", "test"],
    ["make -j4 check", "test"],
    ["uv run pytest", "test"],
    ["npm run build", "other"],
    ["npm install zod", "other"],
    ["git add . && git commit -m x", "commit"],
    ["git -C sub commit -m x", "commit"],
    ["git merge main", "change"],
    ["mv a.ts b.ts", "change"],
    ["sed -i s/a/b/ x.ts", "change"],
    ["echo hi > x.txt", "change"],
    ["ls -la && cat README.md", "look"],
    ["git log --oneline | head", "look"],
    ["cd src && grep -rn total . | sort", "look"],
    ["ls > /dev/null", "look"],
    ["find . -name x | xargs grep -l total", "look"],
    ["ls && node app.js", "other"],
    ["echo hello", "other"],
  ])("%s: %s", (line, kind) => {
    expect(classifyCommand(line, "/p").kind).toBe(kind);
  });

  it.each([
    ["cat src/a.ts b.md", ["/p/src/a.ts", "/p/b.md"], []],
    ["head -n 20 src/a.ts", ["/p/src/a.ts"], []],
    ["sed -n '1,20p' src/a.ts", ["/p/src/a.ts"], []],
    ["cp a.ts b.ts", ["/p/a.ts"], ["/p/b.ts"]],
    ["echo x >> notes/log.txt", [], ["/p/notes/log.txt"]],
    ["git add src/a.ts /abs/b.ts", [], ["/p/src/a.ts", "/abs/b.ts"]],
    ["cd /q && cat a.ts", ["/q/a.ts"], []],
    ["sed -i 's/a/b/' a.ts", [], ["/p/a.ts"]],
  ])("finds the files of %s", (line, reads, modifies) => {
    expect(classifyCommand(line, "/p")).toMatchObject({ reads, modifies });
  });

  it.each([
    "cat *.ts",
    "cat $FILE",
    "cat ~/a.ts",
    "cat $(ls)",
    "git add .",
    "git add -A",
    "cd src && cat a.ts",
    "rm -rf dist",
  ])("finds no file where it is ambiguous: %s", (line) => {
    expect(classifyCommand(line, "/p")).toMatchObject({ reads: [], modifies: [] });
  });
});
