/**
 * Token formats of well-known providers: a literal prefix and what must follow it. Prefixes, alphabets and
 * lengths are the providers' published ones, cross-checked with the gitleaks and secretlint rule sets
 * (docs/decisions/0003-secret-rules.md); lengths are lower bounds, because providers lengthen their tokens.
 *
 * The scanner calls a rule only where the prefix stands, so a rule costs nothing on ordinary text. To stay
 * linear on hostile text, a body may be unbounded only in its last part (see `secrets.ts`).
 */

export interface TokenRule {
  readonly kind: string;
  readonly prefix: string;
  /** Sticky; must match directly after the prefix. */
  readonly body: RegExp;
  /** Short prefixes that also end ordinary words ("task-", "SK") need a non-word character before them. */
  readonly bounded?: boolean;
}

const rule = (kind: string, prefix: string, body: RegExp): TokenRule => ({ kind, prefix, body });
const bounded = (kind: string, prefix: string, body: RegExp): TokenRule => ({
  kind,
  prefix,
  body,
  bounded: true,
});

const ALNUM_20 = /[A-Za-z0-9]{20,}/y;
const ALNUM_30 = /[A-Za-z0-9]{30,}/y;
const WORD_16 = /[\w-]{16,}/y;
const WORD_20 = /[\w-]{20,}/y;
const WORD_40 = /[\w-]{40,}/y;
const HEX_32 = /[A-Fa-f0-9]{32,}/y;
const BASE64_32 = /[A-Za-z0-9+/]{32,}={0,3}/y;
const AWS_ID = /[A-Z0-9]{16}(?![A-Za-z0-9])/y;
/** A PEM body line by line, also with escaped line ends. */
const KEY_BODY =
  /[A-Za-z0-9+/=]{20,}(?:(?:\\{1,8}[nr]|\s){1,4}[A-Za-z0-9+/=]{16,})*(?:(?:\\{1,8}[nr]|\s){1,4}[A-Za-z0-9+/]{1,64}={1,2})?/y;

export const TOKEN_RULES: readonly TokenRule[] = [
  // AI providers
  rule("anthropic-key", "sk-ant-", /(?=[\w-]{0,60}\d)[\w-]{16,}/y),
  rule("openai-key", "sk-proj-", WORD_20),
  rule("openai-key", "sk-svcacct-", WORD_20),
  rule("openai-key", "sk-admin-", WORD_20),
  rule("openai-key", "sk-or-v1-", HEX_32),
  bounded("openai-key", "sk-", /(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{20,}/y),
  rule("groq-key", "gsk_", ALNUM_30),
  rule("xai-key", "xai-", /[A-Za-z0-9]{60,}/y),
  rule("perplexity-key", "pplx-", ALNUM_30),
  bounded("huggingface-token", "hf_", ALNUM_30),
  rule("huggingface-token", "api_org_", ALNUM_30),
  bounded("replicate-token", "r8_", ALNUM_30),
  rule("langsmith-key", "lsv2_", /(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10,}/y),

  // Clouds
  bounded("aws-access-key", "AKIA", AWS_ID),
  bounded("aws-access-key", "ASIA", AWS_ID),
  bounded("aws-access-key", "ABIA", AWS_ID),
  bounded("aws-access-key", "ACCA", AWS_ID),
  bounded("aws-bedrock-key", "ABSK", /[A-Za-z0-9+/]{100,}={0,2}/y),
  rule("aws-bedrock-key", "bedrock-api-key-", /[A-Za-z0-9+/=]{20,}/y),
  bounded("google-api-key", "AIza", /[\w-]{35,}/y),
  rule("google-oauth-token", "ya29.", /[\w-]{20,}/y),
  rule("google-client-secret", "GOCSPX-", WORD_20),
  rule("azure-client-secret", "8Q~", /[\w~.-]{31,}/y),
  rule("azure-client-secret", "7Q~", /[\w~.-]{31,}/y),
  bounded("alibaba-access-key", "LTAI", /[A-Za-z0-9]{16,24}(?![A-Za-z0-9])/y),
  rule("digitalocean-token", "dop_v1_", HEX_32),
  rule("digitalocean-token", "doo_v1_", HEX_32),
  rule("digitalocean-token", "dor_v1_", HEX_32),
  rule("cloudflare-token", "cfut_", WORD_40),
  rule("cloudflare-token", "cfat_", WORD_40),
  rule("cloudflare-token", "cfk_", WORD_40),
  bounded("cloudflare-token", "v1.0-", /[a-f0-9]{24}-[a-f0-9]{100,}/y),
  rule("heroku-key", "HRKU-", /[\w-]{36,}/y),
  rule("flyio-token", "fo1_", WORD_40),
  rule("flyio-token", "fm2_", /[A-Za-z0-9+/]{60,}={0,3}/y),
  rule("flyio-token", "fm1a_", /[A-Za-z0-9+/]{60,}={0,3}/y),
  rule("flyio-token", "fm1r_", /[A-Za-z0-9+/]{60,}={0,3}/y),
  rule("vercel-token", "vcp_", ALNUM_20),
  rule("vercel-token", "vck_", ALNUM_20),
  rule("supabase-key", "sbp_", HEX_32),
  rule("supabase-key", "sb_secret_", WORD_20),
  rule("databricks-token", "dapi", /[a-f0-9]{32}(?:-\d)?/y),
  rule("terraform-token", ".atlasv1.", /[\w=-]{60,}/y),
  rule("pulumi-token", "pul-", /[a-f0-9]{40}/y),
  rule("vault-token", "hvs.", /[\w-]{24,}/y),
  rule("vault-token", "hvb.", /[\w-]{90,}/y),
  rule("vault-token", "hvr.", /[\w-]{24,}/y),
  rule("doppler-token", "dp.pt.", ALNUM_30),
  rule("doppler-token", "dp.st.", /(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,}/y),
  rule("age-key", "AGE-SECRET-KEY-1", /[A-Z0-9]{50,}/y),
  rule("onepassword-token", "ops_eyJ", /[A-Za-z0-9+/]{60,}={0,3}/y),
  bounded(
    "onepassword-key",
    "A3-",
    /[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/y,
  ),
  rule("tailscale-key", "tskey-", /[a-z]{2,20}-\w{8,40}(?:-\w{16,})?/y),
  rule("openshift-token", "sha256~", /[\w-]{43,}/y),

  // Code hosts and registries
  rule("github-token", "ghp_", ALNUM_30),
  rule("github-token", "gho_", ALNUM_30),
  rule("github-token", "ghu_", ALNUM_30),
  rule("github-token", "ghs_", /[A-Za-z0-9]{30,}|\d{1,20}_[\w-]{20,}(?:\.[\w-]{1,4000}){0,2}/y),
  rule("github-token", "ghr_", ALNUM_30),
  rule("github-token", "github_pat_", /\w{22,}/y),
  rule("gitlab-token", "glpat-", /[\w-]{20,}(?:\.[0-9a-z]{9})?/y),
  rule("gitlab-token", "glptt-", WORD_20),
  rule("gitlab-token", "gldt-", WORD_20),
  rule("gitlab-token", "glrt-", /[\w-]{20,}(?:\.[0-9a-z]{9})?/y),
  rule("gitlab-token", "glft-", WORD_20),
  rule("gitlab-token", "glcbt-", WORD_20),
  rule("gitlab-token", "glimt-", WORD_20),
  rule("gitlab-token", "glffct-", WORD_20),
  rule("gitlab-token", "glsoat-", WORD_20),
  rule("gitlab-token", "gloas-", WORD_20),
  rule("gitlab-token", "glagent-", WORD_20),
  rule("gitlab-token", "GR1348941", WORD_20),
  rule("bitbucket-token", "ATBB", /[A-Za-z0-9]{24}[A-F0-9]{8}/y),
  rule("atlassian-token", "ATATT3x", /[\w=-]{60,}/y),
  rule("npm-token", "npm_", ALNUM_30),
  rule("pypi-token", "pypi-AgE", /[\w-]{40,}/y),
  rule("rubygems-token", "rubygems_", HEX_32),
  rule("clojars-token", "CLOJARS_", /[a-z0-9]{60}/y),
  rule("docker-token", "dckr_pat_", /[\w-]{20,}/y),
  rule("docker-token", "dckr_oat_", /[\w-]{20,}/y),
  bounded("artifactory-key", "AKCp", /[A-Za-z0-9]{60,}/y),
  bounded("artifactory-key", "cmVmd", /[A-Za-z0-9]{59,}/y),
  bounded("nuget-key", "oy2", /[a-z0-9]{43}(?![A-Za-z0-9])/y),
  rule("sourcegraph-token", "sgp_", /(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40}/y),

  // Payments
  rule("stripe-key", "sk_live_", WORD_16),
  rule("stripe-key", "sk_test_", WORD_16),
  rule("stripe-key", "rk_live_", WORD_16),
  rule("stripe-key", "rk_test_", WORD_16),
  rule("stripe-key", "whsec_", WORD_16),
  rule("square-token", "sq0atp-", WORD_20),
  rule("square-token", "sq0csp-", WORD_20),
  bounded("square-token", "EAAA", /[\w-]{50,}/y),
  rule("paypal-token", "access_token$production$", /[a-z0-9]{16}\$[a-f0-9]{32}/y),
  rule("shopify-token", "shpat_", HEX_32),
  rule("shopify-token", "shpca_", HEX_32),
  rule("shopify-token", "shppa_", HEX_32),
  rule("shopify-token", "shpss_", HEX_32),
  rule("shippo-token", "shippo_live_", HEX_32),
  rule("easypost-key", "EZAK", /[A-Za-z0-9]{54}/y),
  rule("flutterwave-key", "FLWSECK", /[_A-Z]{0,5}-[A-Za-z0-9]{12,}(?:-X)?/y),

  // Messaging and mail
  rule("slack-token", "xoxb-", /[A-Za-z0-9-]{16,}/y),
  rule("slack-token", "xoxp-", /[A-Za-z0-9-]{16,}/y),
  rule("slack-token", "xoxa-", /[A-Za-z0-9-]{16,}/y),
  rule("slack-token", "xoxr-", /[A-Za-z0-9-]{16,}/y),
  rule("slack-token", "xoxs-", /[A-Za-z0-9-]{16,}/y),
  rule("slack-token", "xoxo-", /[A-Za-z0-9-]{16,}/y),
  rule("slack-token", "xoxc-", /[A-Za-z0-9-]{16,}/y),
  rule("slack-token", "xoxd-", /[A-Za-z0-9%+/-]{16,}/y),
  rule("slack-token", "xoxe-", /[A-Za-z0-9-]{16,}/y),
  rule("slack-token", "xoxe.", /xox[bp]-[A-Za-z0-9-]{16,}/y),
  rule("slack-token", "xapp-", /\d-[A-Za-z0-9-]{16,}/y),
  rule("slack-webhook", "hooks.slack.com/", /(?:services|workflows|triggers)\/[A-Za-z0-9+/]{20,}/y),
  rule("discord-webhook", "/api/webhooks/", /\d{16,20}\/[\w-]{50,}/y),
  rule("teams-webhook", ".webhook.office.com/", /webhookb2\/[\w@-]{36,}\/[\w/-]{36,}/y),
  bounded("sendgrid-key", "SG.", /[\w-]{16,32}\.[\w-]{32,}/y),
  bounded("mailchimp-key", "md-", /[\w-]{22}(?![\w-])/y),
  rule("mailgun-key", "key-", /[a-f0-9]{32}(?![A-Za-z0-9])/y),
  rule("sendinblue-key", "xkeysib-", /[a-f0-9]{64}-[A-Za-z0-9]{16}/y),
  bounded("twilio-key", "SK", /[a-f0-9]{32}(?![A-Za-z0-9])/y),

  // Observability, work tools, the rest
  rule("grafana-token", "glc_", BASE64_32),
  rule("grafana-token", "glsa_", /[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}/y),
  rule("grafana-token", "eyJrIjoi", /[A-Za-z0-9]{60,}={0,3}/y),
  rule("sentry-token", "sntrys_", /[A-Za-z0-9+/=_]{40,}/y),
  rule("sentry-token", "sntryu_", HEX_32),
  rule("newrelic-key", "NRAK-", /[A-Z0-9]{27}/y),
  rule("dynatrace-token", "dt0c01.", /[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}/y),
  rule("linear-key", "lin_api_", ALNUM_30),
  rule("linear-key", "lin_oauth_", ALNUM_30),
  rule("notion-token", "ntn_", /\d{8,}[A-Za-z0-9]{30,}/y),
  rule("figma-token", "figd_", WORD_40),
  rule("airtable-token", "pat", /[A-Za-z0-9]{14}\.[a-f0-9]{64}/y),
  rule("postman-key", "PMAK-", /[a-f0-9]{24}-[a-f0-9]{34}/y),
  rule("planetscale-token", "pscale_tkn_", /[\w=.-]{32,}/y),
  rule("planetscale-token", "pscale_pw_", /[\w=.-]{32,}/y),
  rule("planetscale-token", "pscale_oauth_", /[\w=.-]{32,}/y),
  rule("prefect-token", "pnu_", ALNUM_30),
  rule("readme-token", "rdme_", /[a-z0-9]{60,}/y),
  rule("duffel-token", "duffel_live_", WORD_40),
  rule("infracost-key", "ico-", /[A-Za-z0-9]{32}(?![A-Za-z0-9])/y),
  rule("octopus-key", "API-", /[A-Z0-9]{26,}(?![A-Za-z0-9])/y),
  rule("telegram-token", ":AA", /[\w-]{33}(?![\w-])/y),

  // Password hashes
  rule("password-hash", "$2a$", /\d\d\$[./A-Za-z0-9]{53}/y),
  rule("password-hash", "$2b$", /\d\d\$[./A-Za-z0-9]{53}/y),
  rule("password-hash", "$2y$", /\d\d\$[./A-Za-z0-9]{53}/y),
  rule("password-hash", "$argon2id$", /[\w$=,+/-]{30,}/y),
  rule("password-hash", "$6$", /(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}/y),

  // Bodies of private keys whose BEGIN line was cut off: the fixed first bytes of each encoding
  rule("private-key", "b3BlbnNzaC1rZXktdjE", KEY_BODY),
  bounded("private-key", "MIIEpAIBAAK", KEY_BODY),
  bounded("private-key", "MIIEowIBAAK", KEY_BODY),
  bounded("private-key", "MIIEvQIBADANBgkq", KEY_BODY),
  bounded("private-key", "MIIEvgIBADANBgkq", KEY_BODY),
  bounded("private-key", "MIIJKQIBAAK", KEY_BODY),
  bounded("private-key", "MIIJKAIBAAK", KEY_BODY),
  bounded("private-key", "MIIJQgIBADANBgkq", KEY_BODY),
  bounded("private-key", "MHcCAQEEI", KEY_BODY),
  bounded("private-key", "MIGHAgEAMBMGByqG", KEY_BODY),
  bounded("private-key", "MC4CAQAwBQYDK2Vw", KEY_BODY),
];
