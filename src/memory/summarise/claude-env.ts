import { join } from "node:path";
import type { Env } from "../../home.ts";

/** What Claude Code needs for the user's login, network and language; nothing of a surrounding session. */
const KEPT_NAMES = [
  /^(PATH|HOME|USER|LOGNAME|USERNAME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|LANG|LC_[A-Z]+|TZ)$/,
  /^(https?_proxy|no_proxy|all_proxy|HTTPS?_PROXY|NO_PROXY|ALL_PROXY)$/,
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|CLAUDE_CODE_CLIENT_(CERT|KEY|KEY_PASSPHRASE))$/,
  /^ANTHROPIC_(API_KEY|AUTH_TOKEN|BASE_URL|CUSTOM_HEADERS|(AWS|BEDROCK|VERTEX|FOUNDRY)_\w+)$/,
  /^CLAUDE_(CONFIG_DIR|CODE_OAUTH_TOKEN|CODE_USE_\w+|CODE_SKIP_\w+_AUTH)$/,
  /^(AWS|GOOGLE|GCLOUD|CLOUD_ML|CLOUDSDK|AZURE|XDG|DBUS)_\w+$/,
];

/** Keeps requests small, and the process from leaving anything behind. */
const FIXED_ENV = {
  // Without it a second request asks for a session title: 4 KB.
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_DISABLE_ATTACHMENTS: "1",
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  CLAUDE_CODE_DISABLE_CLAUDE_MDS: "1",
  CLAUDE_CODE_DISABLE_THINKING: "1",
  DISABLE_AUTOUPDATER: "1",
  // No request repeats, so writing to the cache would only cost.
  DISABLE_PROMPT_CACHING: "1",
};

/**
 * The environment of one call. With an API key Claude Code runs in bare mode and in its own folder, and does
 * not touch the user's; bare mode has no login, so a login needs the user's folder.
 */
export function claudeEnv(env: Env, scratch: string, limits: { retries: number; tokens: number }): Env {
  const kept = Object.entries(env).filter(([name]) => KEPT_NAMES.some((pattern) => pattern.test(name)));
  const hasKey = (env["ANTHROPIC_API_KEY"] ?? "") !== "";
  return {
    ...Object.fromEntries(kept),
    ...FIXED_ENV,
    ...(hasKey && { CLAUDE_CODE_SIMPLE: "1", CLAUDE_CONFIG_DIR: join(scratch, "config") }),
    TMPDIR: scratch,
    CLAUDE_CODE_MAX_RETRIES: String(limits.retries),
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(limits.tokens),
    CLAUDE_AGENT_SDK_CLIENT_APP: "hookline",
  };
}
