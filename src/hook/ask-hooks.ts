import type { HookedAgent } from "../agents/installer.ts";
import {
  type AskHookOptions,
  askCommand,
  askKind,
  permissionCommand,
  type ReactHookOptions,
  reactCommand,
} from "./ask-command.ts";
import { guardCommand } from "./guard-command.ts";

export interface AskHook {
  readonly event: string;
  readonly kind: string;
  readonly command: string;
  readonly matcher?: string;
  /** How long the command itself may take, if more than a moment. */
  readonly seconds?: number;
  /** Also records the event, replacing the record hook. */
  readonly recordsEvent?: true;
}

/** The ask hooks, in the order in which they are installed. */
export function createAskHooks(
  agent: HookedAgent,
  { prompt, file, guard, permission, react }: AskHookOptions,
): AskHook[] {
  const { installer } = agent;
  const { events } = agent.answers;
  const hooks: AskHook[] = [];
  const add = (ask: keyof AskHookOptions, hook: Omit<AskHook, "kind">): void =>
    void hooks.push({ ...hook, kind: askKind(ask) });
  if (prompt) add("prompt", { event: events.prompt, command: askCommand("prompt") });
  if (file)
    add("file", { event: events.call, command: askCommand("file"), matcher: installer.fileToolMatcher });
  if (guard) add("guard", { event: events.call, command: guardCommand(agent, guard) });
  if (permission) {
    const { seconds } = permission;
    const command = permissionCommand(agent, seconds);
    add("permission", { event: events.permission, command, seconds, recordsEvent: true });
  }
  for (const hook of mergeReactHooks(react))
    add("react", { ...hook, command: reactCommand(agent, hook.event, hook.seconds) });
  return hooks;
}

/**
 * Whether this version writes such a hook for some configuration. A project's settings are shared by people
 * with different configurations.
 */
export function isCurrentAskHook(agent: HookedAgent, hook: Omit<AskHook, "seconds">): boolean {
  const seconds = Number(/ --max-time ([\d.]+) /.exec(hook.command)?.[1]);
  const reactHook = { event: hook.event, seconds, ...(hook.matcher && { matcher: hook.matcher }) };
  const possible: AskHookOptions[] = [true, false].map((failClosed) => ({
    prompt: true,
    file: true,
    guard: { failClosed },
    permission: { seconds },
    react: [reactHook],
  }));
  return possible
    .flatMap((options) => createAskHooks(agent, options))
    .some(
      ({ event, kind, command, matcher }) =>
        event === hook.event && kind === hook.kind && matcher === hook.matcher && command === hook.command,
    );
}

/** Claude Code runs equal commands once if several matchers fit, so those of one event are made equal. */
function mergeReactHooks(react: readonly ReactHookOptions[]): ReactHookOptions[] {
  return [...Map.groupBy(react, ({ event }) => event)].flatMap(([event, hooks]) => {
    const seconds = Math.max(...hooks.map((hook) => hook.seconds));
    const matchers = new Set(hooks.map(({ matcher }) => (matcher === "*" ? "" : (matcher ?? ""))));
    if (matchers.has("")) return [{ event, seconds }];
    return [...matchers].map((matcher) => ({ event, seconds, matcher }));
  });
}
