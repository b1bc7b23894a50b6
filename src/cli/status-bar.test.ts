import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { PATIENCE_MS } from "../../test/support/patience.ts";

const BIN = join(import.meta.dirname, "../../bin/hookline");
const dir = mkdtempSync(join(tmpdir(), "hookline-bar-"));
const fixture = readFileSync(
  join(import.meta.dirname, "../../test/fixtures/claude/statusline/2.1.325.json"),
  "utf8",
);
afterAll(() => rmSync(dir, { recursive: true }));

/** `stdin` null: it stays open without data. */
function bar(
  flag: string,
  stdin: string | null,
  home = dir,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const env = { HOME: home, HOOKLINE_HOME: home, PATH: process.env["PATH"] };
    const child = spawn(BIN, ["status", flag], { env });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk;
      });
    child.stdin.on("error", () => undefined);
    if (stdin !== null) child.stdin.end(stdin);
    child.on("close", (code) => resolve({ code, output }));
  });
}

describe("a status bar without a daemon", () => {
  it("is empty with --line", async () => {
    expect(await bar("--line", "")).toEqual({ code: 0, output: "" });
  });

  it("shows Claude Code's own session, and keeps limits that are still valid", async () => {
    const now = Math.floor(Date.now() / 1_000);
    const later = fixture.replace(/"resets_at": \d+/g, `"resets_at": ${now + 3_600}`);
    expect(await bar("--statusline", later)).toEqual({
      code: 0,
      output: "Sonnet 5.5 · ctx 0% · acme-shop | 5h 35% · 7d 12%\n",
    });
    expect(await bar("--statusline", '{"cwd":"/home/dev/web"}')).toEqual({
      code: 0,
      output: "web | 5h 35% · 7d 12%\n",
    });
  });

  it.each(["", "torn {", "null"])("prints no error for %j on stdin", async (stdin) => {
    const { code, output } = await bar("--statusline", stdin, join(dir, "none"));
    expect([code, output]).toEqual([0, ""]);
  });

  it("waits neither for a stdin that never ends nor for a daemon that never answers", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(join(dir, "sock"), resolve));
    const start = Date.now();
    expect(await bar("--statusline", null)).toMatchObject({ code: 0 });
    expect(await bar("--line", "")).toEqual({ code: 0, output: "" });
    expect(Date.now() - start).toBeLessThan(PATIENCE_MS);
    silent.close();
  });
});
