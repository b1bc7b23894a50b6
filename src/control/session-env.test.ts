import { expect, it } from "vitest";
import { buildSessionEnv } from "./session-env.ts";

const env = {
  PATH: "/bin",
  HOME: "/home/ann",
  SSH_AUTH_SOCK: "/tmp/agent",
  ANTHROPIC_API_KEY: "sk-own",
  CLAUDE_CODE_SESSION_ID: "outer",
  CLAUDE_CODE_MESSAGING_TOKEN: "secret",
  NODE_OPTIONS: "--require evil",
  LD_PRELOAD: "evil.so",
};

it("passes on what a session needs, and nothing of the session we run in", () => {
  const sessionEnv = buildSessionEnv({ env, home: { dir: "/home/ann/.hookline" } });
  expect(sessionEnv).toEqual({
    PATH: "/bin",
    HOME: "/home/ann",
    SSH_AUTH_SOCK: "/tmp/agent",
    ANTHROPIC_API_KEY: "sk-own",
    HOOKLINE_HOME: "/home/ann/.hookline",
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1",
    CLAUDE_AGENT_SDK_CLIENT_APP: "hookline",
  });
});

it("uses only the credentials of a caller, instead of our own", () => {
  const credentials = { CLAUDE_CODE_OAUTH_TOKEN: "theirs", LD_PRELOAD: "theirs.so", PATH: "/theirs" };
  const sessionEnv = buildSessionEnv({ env, home: null, credentials });
  expect(sessionEnv).toMatchObject({ CLAUDE_CODE_OAUTH_TOKEN: "theirs", PATH: "/bin" });
  expect(sessionEnv).not.toHaveProperty("ANTHROPIC_API_KEY");
  expect(sessionEnv).not.toHaveProperty("LD_PRELOAD");
});
