export type Example = readonly [commandLine: string, about: string];

/** The first steps, for `hookline --help`. */
export const ROOT_EXAMPLES: readonly Example[] = [
  ["hookline install && hookline up", "install the hooks, start the daemon"],
  ["hookline sessions --needs-me", "list sessions that wait for you"],
  ['hookline search "cart total"', "search what sessions did and learned"],
];

/** Shown by `hookline COMMAND --help`. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  install: [
    ["hookline install", "record every session"],
    ["hookline install --approve --guard", "also answer requests and check calls"],
    ["hookline install --scope project --dry-run", "preview for this project only"],
  ],
  uninstall: [["hookline uninstall", "remove the hooks; recorded data stays"]],
  up: [
    ["hookline up", "start the daemon"],
    ["hookline up --restart", "restart it, for example after a config change"],
  ],
  down: [["hookline down", "stop the daemon"]],
  open: [
    ["hookline open", "open the web UI"],
    ["hookline open --print", "print a login link"],
  ],
  status: [
    ["hookline status", "daemon, hooks, spool and memory"],
    ["hookline status --line", "one line for tmux or a shell prompt"],
  ],
  doctor: [
    ["hookline doctor", "check everything"],
    ["hookline doctor --fix", "check, and apply safe repairs"],
  ],
  sessions: [
    ["hookline sessions --needs-me", "only sessions that wait for you"],
    ["hookline sessions --state busy,parked --watch", "follow running sessions"],
  ],
  session: [
    ["hookline session 1a2b3c4d", "show one session"],
    ["hookline session 1a2b3c4d --jump", "go to its terminal"],
  ],
  top: [
    ["hookline top", "watch and answer sessions"],
    ["hookline top --exit-when needs-me", "wait until a session needs you"],
  ],
  away: [
    ["hookline away", "what happened since your last check"],
    ["hookline away --since 8h", "the last 8 hours"],
  ],
  notify: [["hookline notify --after 60", "notify after a minute of waiting"]],
  usage: [
    ["hookline usage", "the last 30 days"],
    ["hookline usage --days 7 --project acme-shop", "one project, one week"],
  ],
  tail: [
    ["hookline tail -f", "follow all events"],
    ["hookline tail -n 50 --session 1a2b", "the last 50 events of a session"],
  ],
  search: [
    ['hookline search "rounding error"', "search this project"],
    ["hookline search --file src/cart.ts --since 7d", "recent work on a file"],
    ["hookline search login --all --failed", "failures in all projects"],
  ],
  timeline: [["hookline timeline 4711 --before 5", "what led to item 4711"]],
  observations: [["hookline observations 4711 4712", "show two items in full"]],
  context: [
    ["hookline context", "what a new session here would get"],
    ["hookline context --explain", "what sessions got, and why"],
    ["hookline context --off", "stop injecting in this project"],
  ],
  pin: [
    ["hookline pin 4711", "always rank this item first"],
    ["hookline pin 4711 --off", "unpin it"],
  ],
  edit: [
    ['hookline edit 4711 --title "Use pnpm"', "change the title"],
    ["hookline edit 4711 --undo", "revert all edits"],
  ],
  forget: [
    ["hookline forget --match s3cret --dry-run", "preview"],
    ["hookline forget --before 90d --yes", "delete everything older than 90 days"],
  ],
  mcp: [["hookline install --mcp", "register the server; the agent runs it"]],
  run: [
    ['hookline run "fix the failing test"', "start a session here"],
    ['hookline run --resume 1a2b3c4d "go on"', "continue a session"],
  ],
  attach: [["hookline attach 1a2b3c4d", "follow and steer a driven session"]],
  answer: [
    ["hookline answer", "list waiting requests"],
    ["hookline answer 2c16ed44 y", "allow once"],
    ["hookline answer 2c16ed44 deny use pnpm", "deny with a reason"],
  ],
  policy: [
    ["hookline policy show", "list the active rules"],
    ["hookline policy test --replay --since 7d", "test them on past calls"],
  ],
  recipes: [
    ["hookline recipes list", "list ready-made rules"],
    ["hookline recipes add protect-paths --set paths=.env", "add one"],
  ],
  trust: [
    ["hookline trust", "review this project, then approve"],
    ["hookline trust --revoke", "revoke the approval"],
  ],
  config: [
    ["hookline config", "show all values"],
    ["hookline config memory.digestTokens 600", "set a value"],
  ],
  pause: [
    ["hookline pause 1h", "pause recording for an hour"],
    ["hookline pause --project", "pause this project until --end"],
    ["hookline pause --end", "resume recording"],
  ],
  import: [
    ["hookline import", "import existing transcripts"],
    ["hookline import --memory memory.jsonl", "import exported memory"],
  ],
  export: [["hookline export > memory.jsonl", "save all memory"]],
  rebuild: [["hookline rebuild", "rebuild the database from the log"]],
  daemon: [["hookline daemon --foreground", "run in this terminal"]],
  completions: [
    ["source <(hookline completions bash)", "in ~/.bashrc"],
    ["source <(hookline completions zsh)", "in ~/.zshrc"],
    ["hookline completions fish | source", "in config.fish"],
  ],
  help: [["hookline help search", "options and examples of search"]],
};
