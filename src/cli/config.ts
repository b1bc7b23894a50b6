import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { Config, loadConfig } from "../config.ts";
import { resolveHome } from "../home.ts";
import { writeConfig } from "../write-config.ts";
import { print, printJson } from "./output.ts";

export const configCommand = defineCommand({
  meta: { name: "config", description: "Show the configuration, or set a key" },
  args: {
    key: { type: "positional", required: false, description: "show (default), or a key" },
    value: { type: "positional", required: false, description: "Its new value, as JSON or plain text" },
    sources: { type: "boolean", description: "Say where each value came from" },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: ({ args }) => {
    const home = resolveHome();
    if (args.key !== undefined && args.key !== "show" && args.value !== undefined) {
      if (!(args.key in Config.shape)) throw new AppError("usage", `there is no key "${args.key}"`);
      writeConfig(home, { [args.key]: parseValue(args.value) });
    }
    const { config, sources } = loadConfig(home);
    const shown = Object.entries(config).filter(
      ([key]) => args.key === undefined || args.key === "show" || key === args.key,
    );
    if (args.key !== undefined && shown.length === 0)
      throw new AppError("usage", `there is no key "${args.key}"`);
    if (args.json) {
      printJson(
        Object.fromEntries(
          shown.map(([key, value]) => [key, args.sources ? { value, source: sources[key] } : value]),
        ),
      );
    } else {
      for (const [key, value] of shown)
        print(`${key} = ${JSON.stringify(value)}${args.sources ? `  (${sources[key]})` : ""}`);
    }
  },
});

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
