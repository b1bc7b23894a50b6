// Plain JavaScript: a TypeScript entry would load the compiler before the cache can spare it.
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
// Half of the start is compiling: done once, beside the package. Where that cannot be written, nothing is kept.
enableCompileCache(join(root, "node_modules/.cache/hookline"));

const source = join(root, "src/cli/main.ts");
const { runCli } = await import(existsSync(source) ? source : join(root, "dist/cli/main.js"));
process.exitCode = await runCli(process.argv.slice(2));
