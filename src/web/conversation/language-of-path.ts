export const EXTENSIONS = {
  bash: "bash sh zsh",
  c: "c h",
  cpp: "cc cpp cxx hh hpp",
  css: "css scss less",
  go: "go",
  java: "java",
  json: "json jsonc",
  kotlin: "kt kts",
  markdown: "md mdx",
  php: "php",
  python: "py pyi",
  ruby: "rb",
  rust: "rs",
  sql: "sql",
  swift: "swift",
  typescript: "ts tsx mts cts js jsx mjs cjs",
  xml: "html htm xml svg vue svelte",
  yaml: "yaml yml",
} as const;

export type Language = keyof typeof EXTENSIONS;

const LANGUAGES = new Map(
  Object.entries(EXTENSIONS).flatMap(([language, names]) =>
    names.split(" ").map((name) => [name, language as Language] as const),
  ),
);

/** The language of a file by its extension; null if it is not highlighted. */
export function languageOfPath(path: string): Language | null {
  return LANGUAGES.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "") ?? null;
}
