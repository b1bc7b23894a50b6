import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "./commands.ts";

const BIN = join(import.meta.dirname, "../../bin/hookline");
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "hookline-completions-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const run = (...args: string[]): string =>
  execFileSync(BIN, ["completions", ...args], {
    encoding: "utf8",
    env: { ...process.env, HOME: home, HOOKLINE_HOME: join(home, ".hookline") },
  });

describe("the bash script", () => {
  /** The completions that bash offers for the last word of a line. */
  const complete = (...words: string[]): string[] => {
    const script = `${run("bash")}
COMP_WORDS=(hookline ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}
_hookline; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
  };

  it("completes commands, flags and shells", () => {
    expect(complete("se")).toEqual(["sessions", "session", "search"]);
    expect(complete("install", "--no")).toEqual(["--no-guard", "--no-fail-closed", "--no-approve"]);
    expect(complete("completions", "")).toEqual(["bash", "zsh", "fish"]);
    expect(complete("help", "use")).toEqual([""]);
    expect(complete("help", "usa")).toEqual(["usage"]);
  });
});

it.each(["bash", "zsh", "fish"])("contains every command for %s, quoted safely", (shell) => {
  const script = run(shell);
  for (const name of Object.keys(COMMANDS)) expect(script).toMatch(new RegExp(`\\b${name}\\b`));
  if (shell === "zsh") expect(script).toContain(`'session:Show a session: state, requests, turns, cost'`);
});

it("offers no sessions without a daemon, and does not fail", () => {
  expect(run("sessions").trim()).toBe("");
});

it("rejects an unknown shell", () => {
  expect(() => run("powershell")).toThrow(/unknown shell "powershell"/);
});
