import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../../home.ts";
import type { Login } from "../driving.ts";
import { asObject, type Json, nonEmpty } from "../read-json.ts";
import { configDir, stateFile } from "./config-dir.ts";

const CLOUDS: readonly (readonly [variable: string, name: string])[] = [
  ["CLAUDE_CODE_USE_BEDROCK", "Amazon Bedrock"],
  ["CLAUDE_CODE_USE_VERTEX", "Google Vertex AI"],
  ["CLAUDE_CODE_USE_FOUNDRY", "Microsoft Foundry"],
];

/**
 * The credentials Claude Code would use, in its order of precedence. Read by us because `claude auth status`
 * writes into the user's folder and cannot tell a gateway's token from a subscription's. Only the presence of
 * secrets is read.
 */
export function findLogin(env: Env, userHome: string): Login {
  const userEnv = { ...env, HOME: userHome };
  const settings = readObject(join(configDir(userEnv), "settings.json"));
  const settingsEnv = asObject(settings["env"]);
  const sourceOf = (key: string): string | null =>
    nonEmpty(settingsEnv, key) !== undefined ? "your Claude settings" : env[key] ? "the environment" : null;

  for (const [variable, name] of CLOUDS) {
    const value = nonEmpty(settingsEnv, variable) ?? env[variable];
    if (value && !/^(0|false|no|off)$/i.test(value))
      return { type: "cloud", billingText: `Billed through ${name} (${variable} is set).` };
  }
  for (const [variable, noun] of [
    ["ANTHROPIC_AUTH_TOKEN", "token"],
    ["ANTHROPIC_API_KEY", "API key"],
  ] as const) {
    const source = sourceOf(variable);
    if (source === null) continue;
    const from = source === "the environment" ? "" : `, from ${source}`;
    return { type: "api_key", billingText: `Billed to the ${noun} in ${variable}${from}.` };
  }
  if (nonEmpty(settings, "apiKeyHelper") !== undefined)
    return {
      type: "helper",
      billingText: "Billed to the API key from apiKeyHelper in your Claude settings.",
    };
  if (sourceOf("CLAUDE_CODE_OAUTH_TOKEN") !== null)
    return { type: "subscription", billingText: "Uses the claude.ai login in CLAUDE_CODE_OAUTH_TOKEN." };
  const state = readObject(stateFile(userEnv));
  if (nonEmpty(state, "primaryApiKey") !== undefined)
    return { type: "api_key", billingText: "Billed to the API key from Claude Code's login." };
  if (existsSync(join(configDir(userEnv), ".credentials.json")) || "oauthAccount" in state)
    return { type: "subscription", billingText: "Uses Claude Code's claude.ai login." };
  return { type: "none", billingText: "" };
}

function readObject(path: string): Json {
  try {
    return asObject(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return {};
  }
}
