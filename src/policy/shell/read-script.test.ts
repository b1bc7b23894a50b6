import { describe, expect, it } from "vitest";
import { TooLongToJudge } from "../work.ts";
import { readScript } from "./read-script.ts";
import { UNKNOWN } from "./shell-reading.ts";

const location = { home: "/home/u", cwd: "/home/u/p" };

/** Each command as its words, with `…` for unknown text. */
function commands(text: string): readonly string[] {
  return readScript(text, location).commands.map((command) =>
    [command.name, ...command.args.map((word) => word.text)].join(" ").replaceAll(UNKNOWN, "…").trim(),
  );
}

describe("reading a script", () => {
  it.each([
    ["a 'b c' \"d\" e\\ f", ["a b c d e f"]],
    ["a; b && c || d | e & f", ["a", "b", "c", "d", "e", "f"]],
    ["a $(b `c`) <(d)", ["c", "b …", "d", "a … /dev/fd/63"]],
    ["sudo -u x env A=1 timeout 5 a b", ["a b"]],
    ["sh -c 'a; bash -c \"b c\"'", ["a", "b c"]],
    ["echo a b | xargs -n1 c", ["echo a b", "c a b"]],
    ["x | xargs c", ["x", "c …"]],
    ["find d -name x -exec a {} b \\;", ["find d -name x -exec a {} b ;", "a d/* d/x b"]],
    ["bash <<EOF\na b\nEOF", ["a b", "bash"]],
    ["cat <<EOF\na b\nEOF", ["cat"]],
    ["a ~ $HOME ~/x \"~\" '$HOME'", ["a /home/u /home/u /home/u/x ~ $HOME"]],
    ['a $X "$X y"', ["a … … y"]],
    ["d=x; a $d", ["", "a x"]],
    ["a $d; d=x", ["a x …", "a x", "a …", ""]],
    ["for f in x y; do a $f; done", ["a x y", "a x", "a y"]],
    ["a {b,c{1..3}}", ["a b c1 c2 c3"]],
    ["a $'b\\tc'", ["a b\tc"]],
    ["alias x='a b'; x c", ["alias x=a b", "a b", "a b c"]],
    ["f() { a; }; f", ["a", "f"]],
    ["[[ -f x ]] && ((1)) && a", ["[[", "a"]],
    ["case x in y) a;; *) b;; esac", ["a", "b"]],
    ["trap 'a b' EXIT", ["trap a b EXIT", "a b"]],
    ["a 2>&1 >x <y", ["a"]],
    ["", []],
    ["# only words", []],
  ])("lists every command that may run: %j", (text, expected) => {
    expect(commands(text)).toEqual(expected);
  });

  it("knows where a command runs", () => {
    const cwds = (text: string): readonly string[] => readScript(text, location).commands.at(-1)!.cwds;
    expect(cwds("cd x && a")).toEqual(["/home/u/p/x"]);
    expect(cwds("(cd x); a")).toEqual(["/home/u/p"]);
    expect(cwds("cd; a")).toEqual(["/home/u"]);
    expect(cwds("cd $X; a")).toEqual([UNKNOWN]);
    expect(new Set(cwds("if b; then cd /; fi; a"))).toEqual(new Set(["/home/u/p", "/"]));
  });

  it("reports what it cannot parse", () => {
    expect(readScript("if", location).problems).not.toEqual([]);
    expect(readScript("a\u0000b", location).problems).not.toEqual([]);
    expect(readScript(`${"sh -c '".repeat(1)}a'`, location).problems).toEqual([]);
  });

  it.each([
    ["characters", "x".repeat(70_000)],
    ["words", `cat ${"a ".repeat(5_000)}`],
    ["nesting", "$(".repeat(5_000)],
    ["nesting that is closed", `${"(".repeat(300)}ls${")".repeat(300)}`],
    ["wrappers", `${"sudo ".repeat(30)}ls`],
    [
      "texts written into one file",
      `${Array.from({ length: 20 }, (_, n) => `echo ${n} > x`).join(";")}; sh x`,
    ],
    ["lines for xargs", `printf '${"a\\n".repeat(300)}' | xargs -I{} rm {}`],
  ])("gives up on too many %s instead of skipping some", (_what, text) => {
    expect(() => readScript(text, location)).toThrow(TooLongToJudge);
  });

  it("treats a long brace sequence as a glob, and expands a short one", () => {
    expect(commands("cat .e{A..z}v")[0]).toContain(".env");
    expect(commands("cat id_{1..99999}")).toEqual(["cat id_*"]);
  });

  it("gives up on variables that contain each other", () => {
    const doubled = Array.from({ length: 60 }, (_, n) => `a${n + 1}=$a${n}$a${n}`).join(";");
    expect(() => commands(`a0=xy;${doubled};cat $a3 $a60`)).toThrow(TooLongToJudge);
  });

  it("recognizes code that the text does not show", () => {
    const hiddenCodeOf = (text: string): unknown => readScript(text, location).commands.at(-1)!.hiddenCode;
    expect(hiddenCodeOf("a | sh")).toBe("stdin");
    expect(hiddenCodeOf("$X")).toBe("argument");
    expect(hiddenCodeOf("bash <(a)")).toBe("argument");
    expect(hiddenCodeOf("bash x.sh")).toBeNull();
  });

  it("recognizes a fork bomb", () => {
    expect(readScript(":(){ :|:& };:", location).forkBomb).toBe(":");
    expect(readScript("f() { f; }; f", location).forkBomb).toBeNull();
  });
});
