import { describe, expect, it } from "vitest";
import { claudeEnv } from "./claude-env.ts";

const LIMITS = { retries: 1, tokens: 4_096 };

describe("claudeEnv", () => {
  it("keeps the user's login and network, and nothing of a surrounding session", () => {
    const kept = {
      HOME: "/home/dev",
      PATH: "/usr/bin",
      HTTPS_PROXY: "http://proxy:3128",
      NODE_EXTRA_CA_CERTS: "/etc/ca.pem",
      CLAUDE_CONFIG_DIR: "/home/dev/.claude-work",
      CLAUDE_CODE_OAUTH_TOKEN: "token",
      CLAUDE_CODE_USE_BEDROCK: "1",
      AWS_PROFILE: "dev",
    };
    const dropped = {
      CLAUDECODE: "1",
      CLAUDE_CODE_ENTRYPOINT: "cli",
      CLAUDE_CODE_SESSION_ID: "x",
      ANTHROPIC_MODEL: "claude-opus-5-5",
      ANTHROPIC_LOG: "debug",
      TMUX: "/tmp/tmux",
      NODE_OPTIONS: "--inspect",
      HOOKLINE_HOME: "/home/dev/.hookline",
      GITHUB_TOKEN: "ghp",
    };
    const env = claudeEnv({ ...kept, ...dropped }, "/tmp/scratch", LIMITS);
    expect(env).toMatchObject(kept);
    for (const name of Object.keys(dropped)) expect(env).not.toHaveProperty(name);
    expect(env).not.toHaveProperty("CLAUDE_CODE_SIMPLE");
  });

  it("uses its own folder with an API key", () => {
    const env = claudeEnv(
      { ANTHROPIC_API_KEY: "sk", CLAUDE_CONFIG_DIR: "/home/dev/.claude" },
      "/tmp/scratch",
      LIMITS,
    );
    expect(env).toMatchObject({ CLAUDE_CODE_SIMPLE: "1", CLAUDE_CONFIG_DIR: "/tmp/scratch/config" });
  });
});
