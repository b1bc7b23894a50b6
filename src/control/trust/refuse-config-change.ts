import { asObject, nonEmpty } from "../../agents/read-json.ts";

/** One entry of the SDK's `hooks.ConfigChange`. */
export interface ConfigChangeHook {
  hooks: ((input: unknown) => Promise<{ decision?: "block"; reason?: string }>)[];
}

/** What a project brings. The user's own settings may change while a session runs. */
const OF_PROJECT = new Set(["project_settings", "local_settings", "skills"]);

/**
 * Claude Code takes up changed settings while it runs. Those of a project were approved as they were when the session
 * began, so a change of them is refused until the next one.
 */
export function refuseConfigChange(onRefused: (file: string | null) => void): ConfigChangeHook {
  return {
    hooks: [
      (input) => {
        const { source, ...change } = asObject(input);
        if (!OF_PROJECT.has(String(source))) return Promise.resolve({});
        onRefused(nonEmpty(change, "file_path") ?? null);
        return Promise.resolve({
          decision: "block",
          reason: "The project's settings were not approved like this.",
        });
      },
    ],
  };
}
