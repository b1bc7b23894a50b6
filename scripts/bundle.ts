import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Plugin, rolldown } from "rolldown";

/**
 * Bundles our modules and their dependencies into a few files: users install no package but ours (zod alone
 * has 8 MB, most of it never loaded), and a start does not open a thousand files. Files that are started by
 * path keep their path. Returns the bundled packages.
 */
export async function bundle(dist: string, target: string, external: readonly string[]): Promise<string[]> {
  const input = Object.fromEntries(
    ENTRIES.map((entry) => [entry.replace(/\.js$/, ""), join(dist, entry)] as const),
  );
  const build = await rolldown({
    input,
    platform: "node",
    external: (id) => id.startsWith("node:") || external.includes(id),
    logLevel: "warn",
    plugins: [keepModulePaths(dist)],
  });
  const { output } = await build.write({
    dir: target,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
  });
  await build.close();
  for (const { type, fileName } of output) if (type === "chunk") writeInAscii(join(target, fileName));
  copyTypes(dist, target);
  const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
  return [...new Set(modules.flatMap(packageOf))].sort();
}

/** Placeholder for the relative path from a chunk to `dist`, until the chunk's own path is known. */
const TO_DIST = "HOOKLINE_TO_DIST/";

/** Keeps `import.meta` paths of a module as they were before bundling. */
function keepModulePaths(dist: string): Plugin {
  return {
    name: "keep-places",
    transform(code, id) {
      if (!id.startsWith(`${dist}/`) || !code.includes("import.meta.")) return null;
      const path = relative(dist, id);
      return code
        .replaceAll("import.meta.url", `new URL("${TO_DIST}${path}", import.meta.url).href`)
        .replaceAll("import.meta.filename", `(import.meta.dirname + "/${TO_DIST}${path}")`)
        .replace(/import\.meta\.dirname(?! \+)/g, `(import.meta.dirname + "/${TO_DIST}${dirname(path)}")`);
    },
    renderChunk(code, { fileName }) {
      return code.replaceAll(TO_DIST, `./${"../".repeat(fileName.split("/").length - 1)}`);
    },
  };
}

/**
 * V8 keeps the source of what it runs, at two bytes per character if a single one is beyond Latin-1, as in
 * nearly all our files. Runs after the bundler, which would unescape again.
 */
function writeInAscii(path: string): void {
  const code = readFileSync(path, "utf8");
  const trouble = /String\.raw`[^`]*\P{ASCII}[^`]*`|(?<!\\)(?:\\\\)*\\\P{ASCII}/u.exec(code);
  if (trouble !== null) throw new Error(`in ${path} this would not be the same escaped: ${trouble[0]}`);
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  // One surrogate at a time: two adjacent escapes are read as one character again.
  writeFileSync(path, code.replace(/[\u0080-\uffff]/g, escaped));
}

/** What other programs import. */
const EXPORTED = ["monitor/lifecycle-session-monitor.js", "control/claude-manager.js"];

type Exports = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A clone exports its source, the package the compiled files. */
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

/** Entry points: started by the launcher, as a thread or as a process, or imported. */
const ENTRIES = [
  "cli/main.js",
  "memory/search/index-worker.js",
  "control/judge-worker.js",
  "memory/embed/embed-child.js",
  "doctor/quick-check.js",
  "store/sqlite/sqlite-item-changes.js",
  ...EXPORTED,
];

/** Writes the licences of the bundled packages into one file. */
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

/** Copies the exported types and those they reference; separate files for the others only take space. */
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
