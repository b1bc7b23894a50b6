import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compiledExports } from "../../scripts/bundle.ts";

const root = join(import.meta.dirname, "../..");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Record<string, Record<string, string>>;
};
const dir = mkdtempSync(join(tmpdir(), "hookline-exports-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("what other programs import", () => {
  it("is available in a linked clone, without a build", () => {
    mkdirSync(join(dir, "node_modules"));
    symlinkSync(root, join(dir, "node_modules/hookline"));
    const program = `
      import { ClaudeManager } from "hookline/control";
      import { LifecycleEvent, LifecycleSessionMonitor } from "hookline/monitor";
      console.log(typeof ClaudeManager, typeof LifecycleSessionMonitor, typeof LifecycleEvent.parse);
    `;
    writeFileSync(join(dir, "program.mjs"), program);
    const out = execFileSync(process.execPath, [join(dir, "program.mjs")], { cwd: dir, encoding: "utf8" });
    expect(out).toBe("function function function\n");
  });

  it("is the compiled form in the package", () => {
    expect(Object.keys(exports).sort()).toEqual(["./control", "./monitor"]);
    for (const path of Object.values(exports).flatMap((entry) => Object.values(entry)))
      expect(existsSync(join(root, path))).toBe(true);
    expect(compiledExports(exports)["./monitor"]).toEqual({
      types: "./dist/monitor/lifecycle-session-monitor.d.ts",
      default: "./dist/monitor/lifecycle-session-monitor.js",
    });
  });
});
