import { z } from "zod";
import type { Config } from "../../config.ts";
import { INJECTION_KINDS, InjectionKind } from "../memory-contract.ts";

/** `context-off.json`: what the user has switched injection off for. */
export const ContextSwitches = z.object({
  /** Folders, including everything in them. */
  projects: z.array(z.string()).default([]),
  sessions: z.array(z.string()).default([]),
  kinds: z.array(InjectionKind).default([]),
});
export type ContextSwitches = z.infer<typeof ContextSwitches>;

export interface InjectionRules {
  readonly memory: Pick<Config["memory"], "inject">;
  readonly switches: ContextSwitches;
  /** Whether `memory.off` names the folder. */
  readonly isOff: (folder: string) => boolean;
  /** Whether the folder is recorded now. */
  readonly isRecorded: (folder: string) => boolean;
}

export interface InjectionTarget {
  readonly kind: InjectionKind;
  readonly project: string | null;
  /** Null for a digest that any session may read. */
  readonly sessionId: string | null;
}

export type InjectionCheck = { readonly type: "yes" } | { readonly type: "no"; readonly why: string };

/** Whether a session may get an injection, and if not, which rule forbids it. */
export function checkInjection(
  { memory, switches, isOff, isRecorded }: InjectionRules,
  { kind, project, sessionId }: InjectionTarget,
): InjectionCheck {
  if (project === null) return no("the session has no project");
  if (!memory.inject[kind]) return no(`memory.inject.${kind} is false`);
  if (isOff(project)) return no("memory.off names the project");
  if (!isRecorded(project)) return no("the project is not recorded now");
  if (switches.kinds.includes(kind)) return no(`${kind} is switched off`);
  if (switches.projects.some((folder) => isWithin(project, folder))) return no("the project is switched off");
  if (sessionId !== null && switches.sessions.includes(sessionId)) return no("the session is switched off");
  return { type: "yes" };
}

export type Switch =
  | { readonly project: string }
  | { readonly session: string }
  | { readonly kind: InjectionKind };

/** Switches one target on or off, without duplicates. Switching a project on also covers its subfolders. */
export function changeSwitches(
  switches: ContextSwitches,
  target: Switch,
  state: "on" | "off",
): ContextSwitches {
  const update = <T>(list: readonly T[], value: T, isCovered: (entry: T) => boolean): T[] => [
    ...list.filter((entry) => entry !== value && !(state === "on" && isCovered(entry))),
    ...(state === "off" ? [value] : []),
  ];
  if ("project" in target) {
    const projects = update(switches.projects, target.project, (entry) => isWithin(entry, target.project));
    return { ...switches, projects };
  }
  if ("session" in target)
    return { ...switches, sessions: update(switches.sessions, target.session, () => false) };
  return { ...switches, kinds: update(switches.kinds, target.kind, () => false) };
}

/** Parses the file, undefined if missing. An unreadable one turns everything off: the user wanted silence. */
export function parseSwitches(text: string | undefined): ContextSwitches {
  if (text === undefined) return ContextSwitches.parse({});
  try {
    return ContextSwitches.parse(JSON.parse(text));
  } catch {
    return ContextSwitches.parse({ kinds: [...INJECTION_KINDS] });
  }
}

export function formatSwitches(switches: ContextSwitches): string {
  return `${JSON.stringify(switches, null, 2)}\n`;
}

function isWithin(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(outer.endsWith("/") ? outer : `${outer}/`);
}

function no(why: string): InjectionCheck {
  return { type: "no", why };
}
