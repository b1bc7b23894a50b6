/** Programs of which only some subcommands look, and only on this machine. All texts are known here. */

interface Tool {
  /** Words of the subcommands that look, joined by blanks. */
  readonly looks?: RegExp;
  /** Options that change nothing about that; any other is asked about. */
  readonly options?: RegExp;
  /** What tells its version or its help, alone. */
  readonly tells?: RegExp;
}

const TELLS = /^(?:--version|-V|--help)$/;
const LISTING =
  /^(?:-a|-g|-l|-q|-s|--all|--global|--json|--long|--depth(?:=\d+)?|--parseable|--prod|--dev|--silent)$/;
const only = (names: string, tool: Tool): readonly (readonly [string, Tool])[] =>
  names.split(" ").map((name) => [name, tool] as const);

const TOOLS: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  [
    "npm",
    {
      tells: /^(?:--version|-v|version|--help|help|run|run-script|-l)$/,
      looks: /^(?:ls|list|la|ll|root|prefix|explain|why|config (?:get|list|ls)|pkg get)(?: |$)/,
      options: LISTING,
    },
  ],
  ["pnpm", { tells: /^(?:--version|-v|--help)$/, looks: /^(?:ls|list|root|why)(?: |$)/, options: LISTING }],
  ["yarn", { tells: /^(?:--version|-v|--help)$/, looks: /^(?:list|why)(?: |$)/, options: LISTING }],
  ...only("pip pip3", {
    looks: /^(?:list|show|freeze|check)(?: |$)/,
    options: /^(?:-l|--local|--user|--format(?:=\w+)?|-f|--files|--exclude-editable|--not-required)$/,
  }),
  [
    "go",
    {
      tells: /^(?:version|help)$/,
      looks: /^(?:list|env|version|doc|help)(?: |$)/,
      options: /^(?:-m|-json|-f|-deps|-test|-e|-all|-src|-short|-u)$/,
    },
  ],
  ["cargo", { tells: /^(?:--version|-V|version|--list|--help)$/ }],
  ["rustup", { tells: /^(?:--version|-V|show|--help)$/, looks: /^(?:toolchain|target|component) list$/ }],
  ["gem", { looks: /^(?:list|env)(?: |$)/, options: /^(?:--local|-l)$/ }],
  [
    "docker",
    {
      tells: /^(?:--version|-v|version|info|--help)$/,
      looks:
        /^(?:ps|images|logs|top|history|port|(?:container|image|network|volume|context) ls|stats --no-stream|compose (?:ps|ls|logs|images|top|version))(?: |$)/,
      options:
        /^(?:-[aqsnt]+|--all|--quiet|--no-trunc|--tail(?:=\w+)?|--since(?:=.*)?|--timestamps|--filter(?:=.*)?|--format(?:=.*)?|--no-stream|--no-color)$/,
    },
  ],
  [
    "hookline",
    {
      tells: /^(?:--version|--help|status|limits)$/,
      looks: /^(?:search|sessions|session|timeline|observations|show)(?: |$)/,
      options: /^--?[\w-]+(?:=.*)?$/,
    },
  ],
  ["crontab", { tells: /^-l$/ }],
  ["dpkg", { looks: /^-[lsLS](?: |$)/, options: /^-[lsLS]$/ }],
  ["tsc", { tells: /^(?:--version|-v|--showConfig|--help)$/ }],
  ...only("node deno bun ruby perl php gcc g++ clang make cmake docker-compose", {
    tells: /^(?:--version|-v|--help)$/,
  }),
  ...only("java javac", { tells: /^(?:-version|--version|--help)$/ }),
  ...only("claude code", { tells: /^(?:--version|-v|--help|-h)$/ }),
  ...only(
    "npx python python2 python3 rustc uv poetry pipenv pytest ruff mypy black eslint prettier biome vitest jest mvn gradle terraform aws gcloud gh brew helm kubectl podman swift kotlin dotnet ffmpeg bundle rails composer",
    {},
  ),
]);

export const TOOL_NAMES: readonly string[] = [...TOOLS.keys()];

/** `node --version`, `npm ls --depth=0`, `docker ps -a`. */
export function isReadOnlyTool(name: string, texts: readonly string[]): boolean {
  const tool = TOOLS.get(name);
  if (tool === undefined) return false;
  const [first = ""] = texts;
  if (texts.length === 1 && (tool.tells ?? TELLS).test(first)) return true;
  return (
    tool.looks?.test(texts.join(" ")) === true &&
    texts.every((text) => !/^-./.test(text) || tool.options?.test(text) === true)
  );
}
