// Plain JavaScript: a TypeScript entry would load the compiler before the compile cache is enabled.
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
// Compiling takes half of the start-up time. Nothing is cached if the package folder is not writable.
enableCompileCache(join(root, "node_modules/.cache/hookline"));

const source = join(root, "src/cli/main.ts");
const { runCli } = await import(existsSync(source) ? source : join(root, "dist/cli/main.js"));
process.exitCode = await runCli(process.argv.slice(2));
