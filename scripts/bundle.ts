import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";

/**
 * Puts what our modules use of other packages beside them, module by module, so that a user installs no package but
 * ours: they carry much that we never load (zod alone 8 MB). Folders and file names of our own modules stay, since
 * some are started by their path. Gives the packages that were taken in.
 */
export async function bundle(dist: string, target: string, external: readonly string[]): Promise<string[]> {
  const input = ENTRIES.map((entry) => join(dist, entry));
  const build = await rolldown({
    input,
    platform: "node",
    external: (id) => id.startsWith("node:") || external.includes(id),
    logLevel: "warn",
  });
  const { output } = await build.write({
    dir: target,
    format: "esm",
    preserveModules: true,
    preserveModulesRoot: dist,
    // npm leaves out every folder of this name.
    entryFileNames: ({ name }) => `${name.replaceAll("node_modules", "vendor")}.js`,
    chunkFileNames: "vendor/[name]-[hash].js",
  });
  await build.close();
  copyTypes(dist, target);
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  return [...new Set(modules.flatMap(packageOf))].sort();
}

/** What other programs import. */
const EXPORTED = ["monitor/lifecycle-session-monitor.js", "control/claude-manager.js"];

type Exports = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A clone exports its source; the package exports what was compiled from it. */
export function compiledExports(exports: Exports): Exports {
  const compiled = (path: string, to: string): string =>
    path.replace(/^\.\/src\//, "./dist/").replace(/\.ts$/, to);
  return Object.fromEntries(
    Object.entries(exports).map(([name, { types, default: main }]) => [
      name,
      { types: compiled(types!, ".d.ts"), default: compiled(main!, ".js") },
    ]),
  );
}

/** What is started: by the launcher, as a thread, as a process, or imported. */
const ENTRIES = [
  "cli/main.js",
  "memory/search/index-worker.js",
  "control/judge-worker.js",
  "memory/embed/embed-child.js",
  ...EXPORTED,
];

/** The licences of what was taken in, in one file. */
export function writeLicences(packages: readonly string[], root: string, file: string): void {
  const texts = packages.map((name) => {
    const folder = join(root, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    const found = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry));
    const text = found === undefined ? "" : readFileSync(join(folder, found), "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  writeFileSync(file, texts.join(`\n${"-".repeat(79)}\n\n`));
}

interface Manifest {
  readonly version: string;
  readonly license: string;
}

function packageOf(moduleId: string): string[] {
  const path = moduleId.split("/node_modules/").at(-1)!;
  if (path === moduleId) return [];
  return [
    path
      .split("/")
      .slice(0, path.startsWith("@") ? 2 : 1)
      .join("/"),
  ];
}

/** The types of what other programs import, and those that these name: a file for each of the others only takes room. */
function copyTypes(dist: string, target: string): void {
  const wanted = new Set(EXPORTED.map((entry) => entry.replace(/\.js$/, ".d.ts")));
  for (const path of wanted) {
    const text = readFileSync(join(dist, path), "utf8");
    for (const [, named] of text.matchAll(/(?:from |import\()"(\.[^"]+)\.ts"/g))
      wanted.add(`${join(dirname(path), named!)}.d.ts`);
    const to = join(target, path);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(dist, path), to);
  }
}
