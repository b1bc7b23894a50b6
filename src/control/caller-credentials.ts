/**
 * Variables of a caller's environment that a session may use: those needed to reach the model and pay for it.
 * Listed by name, never by pattern alone: any other variable can make a process run other code.
 */
const CREDENTIAL_NAMES: ReadonlySet<string> = new Set([
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_CUSTOM_HEADERS",
  "ANTHROPIC_MODEL",
  "ANTHROPIC_SMALL_FAST_MODEL",
  "ANTHROPIC_DEFAULT_OPUS_MODEL",
  "ANTHROPIC_DEFAULT_SONNET_MODEL",
  "ANTHROPIC_DEFAULT_HAIKU_MODEL",
  "ANTHROPIC_BEDROCK_BASE_URL",
  "ANTHROPIC_VERTEX_BASE_URL",
  "ANTHROPIC_VERTEX_PROJECT_ID",
  "ANTHROPIC_FOUNDRY_API_KEY",
  "ANTHROPIC_FOUNDRY_AUTH_TOKEN",
  "ANTHROPIC_FOUNDRY_BASE_URL",
  "ANTHROPIC_FOUNDRY_RESOURCE",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
  "CLAUDE_CODE_SKIP_FOUNDRY_AUTH",
  "CLAUDE_CODE_SKIP_VERTEX_AUTH",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AWS_PROFILE",
  "AWS_REGION",
  "AWS_DEFAULT_REGION",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "GOOGLE_CLOUD_PROJECT",
  "GCLOUD_PROJECT",
  "CLOUD_ML_REGION",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "NODE_EXTRA_CA_CERTS",
]);
const CREDENTIAL_PATTERN = /^(?:CLAUDE_CODE_USE_[A-Z0-9]+|VERTEX_REGION_[A-Z0-9_]+)$/;

export function isCredentialName(name: string): boolean {
  return CREDENTIAL_NAMES.has(name) || CREDENTIAL_PATTERN.test(name);
}

const LOGIN_PATTERN =
  /^(?:ANTHROPIC_(?:\w+_)?(?:API_KEY|AUTH_TOKEN)|CLAUDE_CODE_OAUTH_TOKEN|AWS_BEARER_TOKEN_BEDROCK)$/;

/** For commands of rules: they must not see the keys that the daemon holds for its sessions. */
export function withoutLogins<E extends Readonly<Record<string, string | undefined>>>(env: E): E {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !LOGIN_PATTERN.test(name))) as E;
}

/** Selects the variables that a session may use. */
export function pickCredentials(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(env).filter(
    (entry): entry is [string, string] => isCredentialName(entry[0]) && (entry[1] ?? "") !== "",
  );
  return Object.fromEntries(entries);
}
