import { existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { installSteered } from "../control/install-hooks.ts";
import { resolveHome } from "../home.ts";
import type { InstallResult, Scope } from "../hook/install.ts";
import { writeWelcome } from "../memory/inject/welcome.ts";
import { agent } from "./agent.ts";
import { plural } from "./amounts.ts";
import { print, printJson } from "./output.ts";
import { type McpRegistration, registerMcp } from "./register-mcp.ts";
import { saveStreamPath } from "./start-daemon.ts";

const { program, settings } = agent.installer;
const userFolder = agent.driving.configDir({ HOME: "~" });
const projectFolder = `.${dirname(settings.file("project", {}, "/"))}`;

/** Shared with `uninstall`. */
export const scopeArgs = {
  scope: {
    type: "string",
    default: "user",
    description: `user (${userFolder}) or project (${projectFolder})`,
  },
  "dry-run": { type: "boolean", description: "Show what would change; write nothing" },
  json: { type: "boolean", description: "Print the result as JSON" },
} as const;

export const installCommand = defineCommand({
  meta: { name: "install", description: `Install hooks in ${agent.label}` },
  args: {
    ...scopeArgs,
    mcp: { type: "boolean", description: `Also register the MCP server with ${agent.label}` },
    guard: {
      type: "boolean",
      description: "Check each tool call in terminal sessions against the policy",
      negativeDescription: "Turn the guard off",
    },
    "fail-closed": {
      type: "boolean",
      description: "With --guard: deny tool calls while the daemon is down",
      negativeDescription: "Let them through, with a notice",
    },
    approve: {
      type: "boolean",
      description: "Answer terminal sessions' requests from the web UI and CLI, too",
      negativeDescription: "Answer them only in the terminal",
    },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const scope = toScope(args.scope);
    const dryRun = args["dry-run"] ?? false;
    const entry = realpathSync(process.argv[1]!);
    const { guard, approve, "fail-closed": failClosed } = args;
    const { result, config } = await installSteered({
      agent,
      home,
      env: process.env,
      scope,
      projectDir: process.cwd(),
      dryRun,
      launcher: { nodePath: process.execPath, entry },
      switches: { guard, failClosed, approve },
    });
    if (!dryRun) {
      saveStreamPath(home, process.env);
      const { memory, port } = config;
      if (memory.notice && !existsSync(home.db)) writeWelcome(home, port, agent.answers);
    }
    const mcp = args.mcp
      ? await registerMcp({ installer: agent.installer, dryRun, entry, wantedBy: result.settings })
      : null;
    const { on: approving, holdSeconds, headless } = config.approve;
    const steered = {
      guard: config.guard.on ? { failClosed: config.guard.failClosed } : null,
      approve: approving ? { holdSeconds } : null,
    };
    if (args.json) return printJson({ ...result, mcp, ...steered });
    print(
      [
        installText(result, { isApproving: approving }),
        ...(mcp === null ? [] : [mcpText(mcp, dryRun)]),
        ...(guard === undefined && failClosed === undefined && approve === undefined
          ? []
          : steeringText(steered, headless)),
      ].join("\n"),
    );
  },
});

/** What the policy checks, and where requests can be answered. */
function steeringText(
  {
    guard,
    approve,
  }: {
    readonly guard: { readonly failClosed: boolean } | null;
    readonly approve: { readonly holdSeconds: number } | null;
  },
  headless: boolean,
): string[] {
  const whileDown = guard?.failClosed ? "are denied" : "run unchecked, with one notice per session";
  return [
    guard === null
      ? "The guard is off."
      : `The guard is on: the policy checks every tool call. While the daemon is down, calls ${whileDown}.`,
    approve === null
      ? "Requests can be answered only in the terminal."
      : `Requests can be answered in the terminal, and for ${approve.holdSeconds} s also in the web UI, \`hookline top\` and \`hookline answer\`.
The terminal dialog of a background subagent appears up to 15 s later while a focused page or \`top\` shows its request. \`${program.headlessCommand}\` ${headless ? "waits for answers, too" : "does not wait for answers"}.`,
  ];
}

export function toScope(value: string): Scope {
  if (value === "user" || value === "project") return value;
  throw new AppError("usage", `--scope must be user or project, not "${value}".`);
}

function mcpText({ file, changed }: McpRegistration, dryRun: boolean): string {
  if (!changed) return `Hookline's MCP server is already registered in ${file}.`;
  return `${dryRun ? "Would register" : "Registered"} Hookline's MCP server in ${file}: search, timeline, get_observations, sessions, waiting.`;
}

interface HookPurpose {
  /** Whether requests can be answered outside the terminal; if not, their hook only checks the policy. */
  readonly isApproving: boolean;
}

function installText(result: InstallResult, purpose: HookPurpose): string {
  const { settings, scope, handlers, events, dryRun } = result;
  if (!result.changed)
    return `Nothing to change: the hooks are already installed in ${settings} (${scope} scope).`;
  const verb = dryRun ? "Would write" : "Wrote";
  const parts = [
    handlers.added && `${plural(handlers.added, "hook")} added`,
    handlers.updated && `${handlers.updated} updated`,
    handlers.removed && `${plural(handlers.removed, "old one")} removed`,
  ].filter(Boolean);
  const lines = [
    `${verb} ${settings} (${scope} scope${result.createdFile ? ", a new file" : ""}): ${parts.join(", ")}, for ${plural(events, "event")}.`,
    ...hookLines(result, purpose),
    `${dryRun ? "Events would be" : "Events are"} recorded to ${result.spool}.`,
  ];
  if (dryRun) return lines.join("\n");
  return [
    ...lines,
    "",
    "To verify:",
    `  ${program.headlessCommand} "say hi"     then   hookline tail     show the session's events`,
    `  /hooks                 in ${agent.label}: list the hooks`,
    `  hookline uninstall${scope === "project" ? " --scope project" : ""}     remove the hooks`,
  ].join("\n");
}

/** One line for each event that is not only recorded, and one line for all others. */
function hookLines({ hooks }: InstallResult, { isApproving }: HookPurpose): string[] {
  const texts = isApproving ? { ...HOOK_KIND_TEXTS, ...APPROVING_TEXTS } : HOOK_KIND_TEXTS;
  const isRecordOnly = ({ kinds }: InstallResult["hooks"][number]): boolean => kinds.join() === "record";
  const others = hooks.filter(isRecordOnly).map(({ event }) => event);
  return [
    ...hooks
      .filter((hook) => !isRecordOnly(hook))
      .map(({ event, kinds }) => `  - ${event}: ${kinds.map((kind) => texts[kind] ?? kind).join(", ")}`),
    `  - record only: ${others.join(", ")}`,
  ];
}

const HOOK_KIND_TEXTS: Readonly<Record<string, string>> = {
  "record-start": "record",
  "give-startup": "inject memory at startup",
  "give-resume": "at resume",
  "give-compact": "after a compaction",
  "ask-prompt": "inject memory for the prompt",
  "ask-file": "inject memory of the file",
  "ask-guard": "check with the policy",
  "ask-permission": "record, check with the policy",
  "ask-react": "run reactions",
};

const APPROVING_TEXTS: Readonly<Record<string, string>> = {
  "ask-permission": "record, let the request be answered from Hookline",
};
