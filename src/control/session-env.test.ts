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

it("keeps what a session needs, and nothing of the one we run in", () => {
  const kept = buildSessionEnv({ env, home: { dir: "/home/ann/.hookline" } });
  expect(kept).toEqual({
    PATH: "/bin",
    HOME: "/home/ann",
    SSH_AUTH_SOCK: "/tmp/agent",
    ANTHROPIC_API_KEY: "sk-own",
    HOOKLINE_HOME: "/home/ann/.hookline",
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1",
    CLAUDE_AGENT_SDK_CLIENT_APP: "hookline",
  });
});

it("takes a caller's credentials instead of our own, and nothing else of his", () => {
  const credentials = { CLAUDE_CODE_OAUTH_TOKEN: "theirs", LD_PRELOAD: "theirs.so", PATH: "/theirs" };
  const lent = buildSessionEnv({ env, home: null, credentials });
  expect(lent).toMatchObject({ CLAUDE_CODE_OAUTH_TOKEN: "theirs", PATH: "/bin" });
  expect(lent).not.toHaveProperty("ANTHROPIC_API_KEY");
  expect(lent).not.toHaveProperty("LD_PRELOAD");
});
