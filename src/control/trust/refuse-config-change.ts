import { asObject, nonEmpty } from "../../agents/read-json.ts";

/** One entry of the SDK's `hooks.ConfigChange`. */
export interface ConfigChangeHook {
  hooks: ((input: unknown) => Promise<{ decision?: "block"; reason?: string }>)[];
}

/** Settings that come from a project. The user's own may change while a session runs. */
const PROJECT_SOURCES = new Set(["project_settings", "local_settings", "skills"]);

/**
 * Claude Code applies changed settings while it runs. A project's settings were approved as of the session's
 * start, so changes to them are refused until the next session.
 */
export function refuseConfigChange(onRefused: (file: string | null) => void): ConfigChangeHook {
  return {
    hooks: [
      (input) => {
        const { source, ...change } = asObject(input);
        if (!PROJECT_SOURCES.has(String(source))) return Promise.resolve({});
        onRefused(nonEmpty(change, "file_path") ?? null);
        return Promise.resolve({
          decision: "block",
          reason: "The project's settings were not approved like this.",
        });
      },
    ],
  };
}
