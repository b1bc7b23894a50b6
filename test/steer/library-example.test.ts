import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { claudeBinary, claudeEnv, createScratch, type Scratch } from "../support/claude.ts";
import { openFakeApi } from "../support/fake-api.ts";
import { PATIENCE_MS } from "../support/patience.ts";

let scratch: Scratch | undefined;
afterEach(() => scratch?.cleanup());

const root = join(import.meta.dirname, "../..");
const example = /```js\n(import \{ ClaudeManager \}[\s\S]*?)```/.exec(
  readFileSync(join(root, "docs/cli.md"), "utf8"),
)![1]!;

it("runs the documented program to its end, with answer, outcome and cost", async () => {
  scratch = await createScratch();
  const api = await openFakeApi([{ text: "It sells anvils." }]);
  scratch.onCleanup(() => api.close());
  // The package as a user has it; it exports the source, which is not under node_modules.
  const packed = join(scratch.project, "node_modules/hookline");
  mkdirSync(packed, { recursive: true });
  symlinkSync(join(root, "src/control/claude-manager.ts"), join(packed, "control.ts"));
  const manifest = { name: "hookline", type: "module", exports: { "./control": "./control.ts" } };
  writeFileSync(join(packed, "package.json"), JSON.stringify(manifest));
  const file = await scratch.write("example.mjs", example);
  const bin = join(scratch.root, "bin");
  mkdirSync(bin);
  symlinkSync(claudeBinary, join(bin, "claude"));
  const env = claudeEnv(scratch, { api });
  const stdout = await new Promise<string>((resolve, reject) => {
    execFile(
      process.execPath,
      [file],
      { cwd: scratch!.project, env: { ...env, PATH: `${bin}:${env["PATH"]}` }, timeout: PATIENCE_MS },
      (error, out, err) => (error === null ? resolve(out) : reject(new Error(`${error.message}\n${err}`))),
    );
  });
  expect(stdout).toMatch(/^It sells anvils\.\nend_turn, \$0\.\d+\n$/);
});
