import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { type Home, resolveHome } from "../home.ts";
import {
  type ContextSwitch,
  ContextSwitches,
  DigestPreview,
  InjectionKind,
  InjectionsAnswer,
  SessionDetail,
} from "../serve/contract.ts";
import { askMemory } from "./ask-memory.ts";
import { injectionsText, previewText, switchesText } from "./context-text.ts";
import { currentProject, toCountParam, toOneOf, toProject, toQuery } from "./memory-args.ts";
import { note, print, printJson, printMemory } from "./output.ts";
import { paintFor } from "./paint.ts";
import { refuseUnused } from "./read-args.ts";
import { refuseUnknownProject } from "./refuse-unknown-project.ts";
import { terminalWidth } from "./terminal-width.ts";

export const contextCommand = defineCommand({
  meta: { name: "context", description: "Show what memory is injected into sessions, and why" },
  args: {
    explain: { type: "boolean", description: "List past injections with the reason for each item" },
    project: {
      type: "string",
      description: "Project path or suffix (default: the current folder's)",
    },
    session: { type: "string", description: "Session id or prefix" },
    kind: { type: "string", description: `${InjectionKind.options.join(", ")} (default startup)` },
    limit: { type: "string", description: "With --explain: maximum results (default 20)" },
    off: {
      type: "boolean",
      description: "Stop injecting: this project, or --project, --session, --kind",
    },
    on: { type: "boolean", description: "Start injecting again" },
    all: {
      type: "boolean",
      description: "With --explain, --off, --on: all projects",
    },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const kind = toOneOf("kind", args.kind, InjectionKind.options);
    const { session } = args;
    const namedProject = toProject(args.project);
    const options = { width: terminalWidth(), now: Date.now(), paint: paintFor(process.stdout) };
    const isAll = args.all || session !== undefined;
    if (!args.explain) refuseUnused({ limit: args.limit }, (flag) => `${flag} works only with --explain.`);
    if (args.off || args.on) {
      if (args.explain) throw new AppError("usage", "--explain cannot be combined with --off or --on.");
      if (args.off && args.on) throw new AppError("usage", "--off and --on contradict each other.");
      const targetFlags = [args.project, session, kind, args.all || undefined].filter(
        (flag) => flag !== undefined,
      );
      if (targetFlags.length > 1)
        throw new AppError("usage", "choose one of --project, --session, --kind and --all.");
      const targets: SwitchTarget[] = args.all
        ? InjectionKind.options.map((option) => ({ kind: option }))
        : [await toSwitchTarget(home, { kind, session, project: namedProject })];
      const switches = await switchTargets(home, targets, args.on ?? false);
      if (args.json) printJson(switches);
      else print(switchesText(switches));
      return;
    }
    if (args.explain) {
      const project = namedProject ?? (isAll ? undefined : currentProject());
      const query = toQuery({
        session,
        project,
        limit: toCountParam("limit", args.limit, { min: 1, max: 100 }),
      });
      const { injections } = await askMemory(home, InjectionsAnswer, `/api/context?${query}`);
      const shown =
        kind === undefined ? injections : injections.filter((injection) => injection.kind === kind);
      if (injections.length === 0) {
        if (session !== undefined) await refuseUnknownSession(home, session);
        await refuseUnknownProject(home, namedProject);
      }
      if (args.json) printJson(shown);
      else if (shown.length === 0) note("Nothing injected yet.");
      else printMemory(injectionsText(shown, options));
      return;
    }
    if (session !== undefined)
      throw new AppError("usage", "--session works only with --explain, --off or --on.");
    const preview = await previewOf(home, namedProject ?? currentProject(), kind ?? "startup");
    if (preview.items.length === 0) await refuseUnknownProject(home, namedProject);
    if (args.json) printJson(preview);
    else printMemory(previewText(preview, options));
  },
});

type SwitchTarget = { kind: InjectionKind } | { session: string } | { project: string };

/** Defaults to this folder's project; a name is resolved, because only a full path can be switched. */
async function toSwitchTarget(
  home: Home,
  {
    kind,
    session,
    project,
  }: { kind?: InjectionKind | undefined; session?: string | undefined; project?: string | undefined },
): Promise<SwitchTarget> {
  if (kind !== undefined) return { kind };
  if (session !== undefined) return { session };
  if (project === undefined) return { project: currentProject() };
  if (project.startsWith("/")) return { project };
  return {
    project: (await askMemory(home, DigestPreview, `/api/context/preview?${toQuery({ project })}`)).project,
  };
}

async function switchTargets(
  home: Home,
  targets: readonly SwitchTarget[],
  on: boolean,
): Promise<ContextSwitches> {
  let switches: ContextSwitches = { projects: [], sessions: [], kinds: [] };
  for (const target of targets) {
    const body: ContextSwitch = { on, ...target };
    switches = await askMemory(home, ContextSwitches, "/api/context/switch", { method: "POST", body });
  }
  return switches;
}

/** A session without injections is fine; an id that no session has is a mistake. */
async function refuseUnknownSession(home: Home, session: string): Promise<void> {
  await askMemory(home, SessionDetail, `/api/sessions/${encodeURIComponent(session)}`);
}

/** An unknown project gets an empty preview, which is a valid answer. */
async function previewOf(home: Home, project: string, kind: InjectionKind): Promise<DigestPreview> {
  try {
    return await askMemory(home, DigestPreview, `/api/context/preview?${toQuery({ project, kind })}`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "project_unknown") throw error;
    return { project, kind, text: "", tokens: 0, items: [], off: null };
  }
}
