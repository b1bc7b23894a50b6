import { describe, expect, it } from "vitest";
import { isCredentialName, pickCredentials, withoutLogins } from "./caller-credentials.ts";

describe("the credentials a session gets from an environment", () => {
  it("are the variables needed to reach and pay for the model", () => {
    const env = {
      ANTHROPIC_API_KEY: "sk-test",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
      CLAUDE_CODE_USE_BEDROCK: "1",
      AWS_REGION: "eu-central-1",
      ANTHROPIC_AUTH_TOKEN: "",
      HOME: "/home/dev",
      PATH: "/usr/bin",
      GITHUB_TOKEN: "x",
    };
    expect(pickCredentials(env)).toEqual({
      ANTHROPIC_API_KEY: "sk-test",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
      CLAUDE_CODE_USE_BEDROCK: "1",
      AWS_REGION: "eu-central-1",
    });
  });

  it.each([
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "PATH",
    "BASH_ENV",
    "AWS_CONFIG_FILE",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_USE_",
    "claude_code_use_bedrock",
    "__proto__",
  ])("never include %s", (name) => {
    expect(isCredentialName(name)).toBe(false);
  });
});

it("hides the daemon's credentials from rule commands", () => {
  const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_FOUNDRY_API_KEY: "k", CLAUDE_CODE_OAUTH_TOKEN: "t" };
  expect(withoutLogins({ ...env, PATH: "/bin", AWS_PROFILE: "dev" })).toEqual({
    PATH: "/bin",
    AWS_PROFILE: "dev",
  });
});
