/** What a tool does, by its name: it runs its input, passes it on to people, or searches for it. */
export type ToolAction = "runs" | "talks" | "searches" | "unknown";

export function actionOfTool(toolName: string): ToolAction {
  const verb = toolName.split("__").at(-1) ?? toolName;
  if (isTypingTool(toolName)) return "talks";
  if (/search|find|lookup|web/i.test(verb)) return SURELY_RUNS.test(verb) ? "runs" : "searches";
  if (RUNS.test(verb) || TERMINAL_TOOL.test(toolName)) return "runs";
  return TALKS.test(verb) || FOR_PEOPLE.test(toolName) ? "talks" : "unknown";
}

/** Whether it passes what it runs to a shell. */
export function runsShell(toolName: string): boolean {
  return SHELL_TOOL.test(toolName);
}

/** Whether it types into a browser page or an app. */
export function isTypingTool(toolName: string): boolean {
  const verb = toolName.split("__").at(-1) ?? toolName;
  return TYPES.test(verb) && PAGE_TOOL.test(toolName) && !TERMINAL_TOOL.test(toolName);
}

const RUNS =
  /run|exec|eval|shell|term(?!s)|command|bash|spawn|script|repl(?!y|ac|ic)|type|keys|stdin|send_?input|invoke|launch|process|console|notebook|jupyter|sandbox|ssh|tmux|python|code_?interp|powershell|query|sql/i;
/** It runs its input even if it also searches. */
const SURELY_RUNS = /exec|shell|(?:^|[_-])run(?:[_-]|$)|eval|command|bash|spawn|repl(?!y|ac|ic)/i;
const TERMINAL_TOOL =
  /(?:^|[^a-z])(?:term|terminal|shell|ssh|tmux|bash|exec|repl|jupyter|sandbox|console|pty|tty|wezterm|kitty|iterm2?|zellij|alacritty|ghostty|konsole|warp|xterm|byobu|expect|powershell|cmd)(?![a-z])/i;
const SHELL_TOOL =
  /(?:^|[^a-z])(?:term|terminal|shell|ssh|tmux|bash|zsh|console|pty|tty|wezterm|kitty|iterm2?|zellij|command|cmd)(?![a-z])/i;
const TALKS =
  /send|post|message|comment|chat|mail|note|issue|ticket|page|document|reply|memory|remember|recall|(?<![a-z])(?:push|put|save|commit|store)|upload|translate|summar|say|speak|notify|search|think|write|edit|create|update|append|insert|review|log|annotate/i;

/** Servers for lists, notes and messages. */
const FOR_PEOPLE =
  /(?:^|[^a-z])(?:todo\w*|task\w*|memory|linear|jira|notion|slack|trello|asana|clickup|discord|teams|testrail|langfuse|confluence|calendar|reminders?|notes)(?![a-z])/i;

/** Text typed into a browser page or an app is just text, whatever it contains. */
const TYPES = /type|fill|press|keys|input|append|set_?value|sequentially|insert_?text|paste|keyboard/i;
const PAGE_TOOL =
  /browser|playwright|puppeteer|chrom(?:e|ium)|firefox|webkit|safari|selenium|webdriver|cypress|page|(?:^|[^a-z])(?:web|form|field|element|locator|dom|cdp|devtools|stagehand|appium|mobile|simulator|android|ios)(?:[^a-z]|$)/i;
