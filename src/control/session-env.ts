import type { Env, Home } from "../home.ts";
import { pickCredentials } from "./caller-credentials.ts";

/**
 * Variables of our environment that a session gets: what its tools need of the user's machine, login and
 * language. Nothing of a session that we may run in, and nothing that makes a process load other code.
 */
const ALLOWED_PATTERNS = [
  /^(PATH|HOME|USER|LOGNAME|USERNAME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|SHELL|TERM|COLORTERM|TMPDIR|TEMP|TMP)$/,
  /^(LANG|LANGUAGE|LC_[A-Z]+|TZ)$/,
  /^(https?_proxy|no_proxy|all_proxy|HTTPS?_PROXY|NO_PROXY|ALL_PROXY)$/,
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|CLAUDE_CODE_CLIENT_(CERT|KEY|KEY_PASSPHRASE))$/,
  /^ANTHROPIC_\w+$/,
  /^CLAUDE_(CONFIG_DIR|CODE_OAUTH_TOKEN|CODE_USE_\w+|CODE_SKIP_\w+_AUTH|CODE_MAX_\w+|CODE_DISABLE_\w+)$/,
  /^(DISABLE_AUTOUPDATER|DISABLE_TELEMETRY|DISABLE_ERROR_REPORTING|MAX_THINKING_TOKENS|BASH_\w+_TIMEOUT_MS)$/,
  /^(AWS|GOOGLE|GCLOUD|CLOUD_ML|CLOUDSDK|AZURE|XDG|DBUS|VERTEX_REGION)_\w+$/,
  /^(SSH_AUTH_SOCK|GPG_TTY|DISPLAY|WAYLAND_DISPLAY|EDITOR|VISUAL|PAGER)$/,
  /^(JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|RUSTUP_HOME|NVM_DIR|PYENV_ROOT|VIRTUAL_ENV|CONDA_PREFIX|PNPM_HOME|BUN_INSTALL)$/,
];

const LOGIN_TOKENS = ["CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN"];

export interface SessionEnvOptions {
  readonly env: Env;
  readonly home: Pick<Home, "dir"> | null;
  /** Of the caller; they take precedence over ours. */
  readonly credentials?: Readonly<Record<string, string>> | undefined;
}

export function buildSessionEnv({ env, home, credentials = {} }: SessionEnvOptions): Env {
  const callerCredentials = pickCredentials(credentials);
  // A caller who brings a key pays with it: our own login must not be used instead.
  const dropOwnLogin =
    LOGIN_TOKENS.some((name) => name in callerCredentials) || "ANTHROPIC_API_KEY" in callerCredentials;
  const passedThrough = Object.entries(env).filter(
    ([name]) =>
      ALLOWED_PATTERNS.some((pattern) => pattern.test(name)) &&
      !(dropOwnLogin && (name === "ANTHROPIC_API_KEY" || LOGIN_TOKENS.includes(name))),
  );
  return {
    ...Object.fromEntries(passedThrough),
    ...callerCredentials,
    ...(home !== null && { HOOKLINE_HOME: home.dir }),
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1",
    CLAUDE_AGENT_SDK_CLIENT_APP: "hookline",
  };
}
