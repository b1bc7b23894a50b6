import { extname } from "node:path";

/** What concepts are extracted from. */
export interface ConceptSource {
  readonly files: readonly string[];
  /** Texts to search: titles, commands, messages. The first ones weigh most. */
  readonly texts: readonly string[];
  /** Names that the work itself defines or changes. */
  readonly names: readonly string[];
  /** Text that may contain error codes. */
  readonly errors: string;
  /** Implied by the kind of call. */
  readonly known?: readonly string[];
}

const MAX_CONCEPTS = 8;
const MAX_TEXT_CHARS = 2_000;

/** What an item is about, in lower case: rare and exact terms first, then languages, tools, domains. */
export function conceptsOf(source: ConceptSource): string[] {
  const found = new Set<string>();
  const add = (concept: string | undefined): void => {
    if (concept !== undefined && concept.length <= 40) found.add(concept.toLowerCase());
  };
  for (const code of errorCodes(source.errors)) add(code);
  for (const concept of source.known ?? []) add(concept);
  for (const file of source.files.slice(0, 10)) add(languageOf(file));
  const topics = new Set<string>();
  for (const text of source.texts)
    for (const topic of topicsOf(text.slice(0, MAX_TEXT_CHARS))) topics.add(topic);
  const names = source.names.filter(isDistinctive);
  // Reserve room for a name or two even where there are many topics.
  const topicSlots = MAX_CONCEPTS - found.size - Math.min(3, names.length);
  for (const topic of [...topics].slice(0, Math.max(0, topicSlots))) add(topic);
  for (const name of names) if (found.size < MAX_CONCEPTS) add(name);
  for (const topic of topics) if (found.size < MAX_CONCEPTS) add(topic);
  return [...found].slice(0, MAX_CONCEPTS);
}

const CODE =
  /\b(?:TS\d{4,5}|E\d{4}|ERR_[A-Z][A-Z_]{2,40}|E(?:ACCES|NOENT|ADDRINUSE|CONNREFUSED|CONNRESET|EXIST|PERM|ISDIR|NOTDIR|NOTEMPTY|MFILE|TIMEDOUT|RESOLVE|PIPE|NOSPC|BUSY)|SQLITE_[A-Z]{3,20}|SIG(?:SEGV|KILL|TERM|ABRT)|[A-Z][A-Za-z]{2,30}(?:Error|Exception))\b/g;

function errorCodes(text: string): string[] {
  return text === ""
    ? []
    : [...new Set(text.slice(0, 4_000).match(CODE) ?? [])].filter((code) => code !== "Error").slice(0, 4);
}

/** Short common names are not distinctive; compound ones are. */
function isDistinctive(name: string): boolean {
  return name.length >= 4 && name.length <= 40;
}

function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return FILE_NAMES.get(name) ?? EXTENSIONS.get(extname(name).toLowerCase());
}

function topicsOf(text: string): string[] {
  const topics: string[] = [];
  for (const word of text.match(WORD) ?? []) {
    const topic = TOPICS.get(word) ?? TOPICS.get(word.toLowerCase());
    if (topic !== undefined) topics.push(topic);
  }
  if (HANGUL.test(text))
    for (const [keyword, topic] of KOREAN) if (text.includes(keyword)) topics.push(topic);
  return topics;
}

const WORD = /[A-Za-z][A-Za-z0-9+#]{1,30}/g;
const HANGUL = /[가-힣]/;

function topicTable(rows: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(rows).flatMap(([topic, words]) =>
      words.split(" ").map((word): [string, string] => [word, topic]),
    ),
  );
}

const EXTENSIONS = topicTable({
  typescript: ".ts .tsx .mts .cts",
  javascript: ".js .jsx .mjs .cjs",
  python: ".py .pyi",
  notebook: ".ipynb",
  rust: ".rs",
  go: ".go",
  java: ".java",
  kotlin: ".kt .kts",
  ruby: ".rb",
  php: ".php",
  swift: ".swift",
  csharp: ".cs",
  c: ".c .h",
  cpp: ".cc .cpp .cxx .hpp",
  shell: ".sh .bash .zsh",
  sql: ".sql",
  css: ".css .scss .less",
  html: ".html .htm",
  vue: ".vue",
  svelte: ".svelte",
  markdown: ".md .mdx",
  yaml: ".yml .yaml",
  terraform: ".tf",
  graphql: ".graphql .gql",
  protobuf: ".proto",
});

const FILE_NAMES: ReadonlyMap<string, string> = new Map([
  ["Dockerfile", "docker"],
  ["docker-compose.yml", "docker"],
  ["Makefile", "make"],
  ["package.json", "npm"],
  ["package-lock.json", "npm"],
  ["tsconfig.json", "typescript"],
  ["Cargo.toml", "rust"],
  ["go.mod", "go"],
  ["pyproject.toml", "python"],
  ["requirements.txt", "python"],
]);

const TOPICS = topicTable({
  typescript: "typescript tsc tsx",
  javascript: "javascript nodejs",
  python: "python python3 pip pytest django flask fastapi",
  rust: "rust cargo rustc clippy",
  go: "golang gofmt",
  java: "java maven mvn gradle spring",
  auth: "auth authentication authorization login logout oauth jwt token password passwords sso saml",
  security: "security vulnerability xss csrf injection sanitize encrypt encryption secret secrets cve",
  database:
    "database databases sql sqlite postgres postgresql mysql mongodb redis migration migrations schema prisma",
  api: "api apis endpoint endpoints rest graphql grpc http https route routes webhook",
  test: "test tests testing vitest jest mocha pytest coverage fixture fixtures e2e playwright cypress",
  lint: "eslint biome prettier lint linter ruff flake8",
  build: "build webpack vite rollup esbuild bundle bundler compile compiler",
  ci: "ci pipeline workflow workflows actions jenkins",
  docker: "docker dockerfile container containers compose",
  kubernetes: "kubernetes kubectl helm k8s",
  deploy: "deploy deployment release rollout",
  git: "git commit rebase merge branch",
  github: "github gh",
  npm: "npm pnpm yarn package dependency dependencies",
  performance:
    "performance slow latency speed optimize optimise benchmark cache caching memory leak throughput",
  concurrency: "concurrency race deadlock lock mutex thread threads async parallel",
  network: "network socket tcp dns proxy timeout websocket",
  config: "config configuration settings env environment",
  logging: "logs logging logger telemetry metrics tracing",
  docs: "docs documentation readme changelog",
  ui: "ui css layout component components button modal react vue svelte angular frontend tailwind",
  payment: "payment payments checkout invoice billing stripe cart price prices currency",
  search: "search index query ranking fts embedding embeddings vector vectors",
  i18n: "i18n locale locales translation translations unicode encoding",
  date: "timezone date dates datetime utc",
  error: "error errors exception exceptions crash",
  refactor: "refactor refactoring rename cleanup",
  types: "types typing generics interface",
});

const KOREAN: readonly (readonly [string, string])[] = [
  ["테스트", "test"],
  ["인증", "auth"],
  ["로그인", "auth"],
  ["보안", "security"],
  ["데이터베이스", "database"],
  ["쿼리", "database"],
  ["마이그레이션", "database"],
  ["성능", "performance"],
  ["캐시", "performance"],
  ["배포", "deploy"],
  ["빌드", "build"],
  ["설정", "config"],
  ["결제", "payment"],
  ["장바구니", "payment"],
  ["검색", "search"],
  ["문서", "docs"],
  ["화면", "ui"],
  ["오류", "error"],
  ["에러", "error"],
  ["네트워크", "network"],
  ["리팩터", "refactor"],
  ["리팩토", "refactor"],
  ["커밋", "git"],
  ["타입", "types"],
];
