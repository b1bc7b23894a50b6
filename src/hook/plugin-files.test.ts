import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { pluginFiles } from "./plugin-files.ts";

it("plugin/ contains the generated files, with the package's version", async () => {
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  const files = Object.entries(pluginFiles(claude, version));
  expect(files).toHaveLength(3);
  for (const [path, text] of files) await expect(text).toMatchFileSnapshot(`../../plugin/${path}`);
});
