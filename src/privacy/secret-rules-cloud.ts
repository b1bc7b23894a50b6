/** Token formats of clouds, databases and key stores. */
import {
  ALNUM,
  ALNUM_20,
  ALNUM_30,
  BASE64_60,
  bounded,
  exactly,
  HEX_32,
  mixed,
  random,
  rules,
  type TokenRule,
  UUID,
  WORD,
  WORD_20,
  WORD_40,
  withHead,
} from "./secret-rule.ts";

const AWS_ID = /[A-Z0-9]{16}(?![A-Za-z0-9])/y;
/** Azure puts a fixed mark near the end of its keys, after this many base64 characters. */
const AZURE_KEY_HEAD = "[A-Za-z0-9+/]{32,80}";

export const CLOUD_RULES: readonly TokenRule[] = [
  // Amazon, Google, Azure
  ...bounded("aws-access-key", "AKIA ASIA ABIA ACCA", AWS_ID),
  ...bounded("aws-bedrock-key", "ABSK", /[A-Za-z0-9+/]{100,}={0,2}/y),
  ...rules("aws-bedrock-key", "bedrock-api-key-", /[A-Za-z0-9+/=]{20,}/y),
  ...bounded("aws-session-token", "IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz", /[A-Za-z0-9+/]{80,}={0,3}/y),
  ...rules("amazon-token", "amzn.mws.", UUID),
  ...rules("amazon-token", "amzn1.oa2-cs.v1.", HEX_32),
  ...rules("amazon-token", "Atza| Atzr|", /[\w+/=-]{60,}/y),
  ...bounded("google-api-key", "AIza", /[\w-]{35,}/y),
  ...rules("google-oauth-token", "ya29.", /[\w-]{20,}/y),
  ...bounded("google-oauth-token", "1//0", mixed(WORD, 38)),
  ...bounded("oauth-code", "4/0A", mixed(WORD, 40)),
  ...rules("google-client-secret", "GOCSPX-", WORD_20),
  ...withHead("azure-client-secret", "[\\w~.-]{3}\\d", "Q~", /[\w~.-]{31,34}/y),
  ...withHead("azure-devops-token", "[A-Za-z0-9]{72,76}", "AZDO", /[A-Za-z0-9]{4}/y),
  ...withHead("azure-key", AZURE_KEY_HEAD, "+ASt +ABa +AMC", /[A-Za-z0-9+/]{5,10}={0,2}/y),
  ...withHead("azure-key", AZURE_KEY_HEAD, "ACDb AIoT AzFu AzSe AzCa +ACR", /[A-Za-z0-9+/]{4,10}={1,2}/y),
  ...withHead("azure-key", "[A-Za-z0-9]{50,54}", "JQQJ99", /[A-Za-z0-9]{20,}/y),

  // Other clouds
  ...bounded("alibaba-access-key", "LTAI", /[A-Za-z0-9]{16,24}(?![A-Za-z0-9])/y),
  ...bounded("tencent-secret-id", "AKID", exactly(ALNUM, 32)),
  ...rules("baidu-key", "bce-v3/ALTAK-", /[\w-]{16,40}\/[a-f0-9]{40}/y),
  ...bounded("yandex-key", "AQVN", mixed(WORD, 35)),
  ...bounded("yandex-token", "y0_ y1_", mixed(WORD, 50)),
  ...rules("akamai-token", "akab-", /[a-z0-9]{16}-[a-z0-9]{16}/y),
  ...rules("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", HEX_32),
  ...rules("cloudflare-token", "cfut_ cfat_ cfk_", WORD_40),
  ...bounded("cloudflare-token", "v1.0-", /[a-f0-9]{24}-[a-f0-9]{100,}/y),
  ...rules("heroku-key", "HRKU-", /[\w-]{36,}/y),
  ...rules("flyio-token", "fo1_", WORD_40),
  ...rules("flyio-token", "fm2_ fm1a_ fm1r_", BASE64_60),
  ...rules("vercel-token", "vcp_ vck_ vca_ vci_ vcr_", ALNUM_20),
  ...rules("vercel-token", "vercel_blob_rw_", /\w{20,}/y),
  ...bounded("netlify-token", "nfp_ nfo_ nfc_ nfu_ nfb_", random(ALNUM, 30)),
  ...bounded("render-key", "rnd_", random(ALNUM, 24)),
  ...rules("deno-token", "ddp_ ddo_", random(ALNUM, 30)),

  // Databases
  ...rules("supabase-key", "sbp_", /(?:oauth_)?[A-Fa-f0-9]{32,}/y),
  ...rules("supabase-key", "sb_secret_", WORD_20),
  ...rules("databricks-token", "dapi dose dkea", /[a-f0-9]{32}(?:-\d)?/y),
  ...rules("neon-key", "napi_", random("a-z0-9", 40)),
  ...bounded("xata-key", "xau_", random(ALNUM, 30)),
  ...rules("aiven-token", "AVNS_", mixed(WORD, 16)),
  ...rules("cockroach-key", "CCDB1_", /\w{22}_\w{40}/y),
  ...rules("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", /[\w=.-]{32,}/y),
  ...bounded("fauna-key", "fnA", mixed(WORD, 37)),
  ...rules("mongodb-secret", "mdb_sa_sk_", WORD_20),
  ...rules("elastic-key", "essu_", /[A-Za-z0-9+/]{40,}={0,2}/y),

  // Infrastructure and vaults
  ...withHead("terraform-token", "[A-Za-z0-9]{8,20}", ".atlasv1.", /[\w=-]{60,}/y),
  ...rules("pulumi-token", "pul-", /[a-f0-9]{40}/y),
  ...rules("vault-token", "hvs. hvr.", /[\w-]{24,}/y),
  ...rules("vault-token", "hvb. b.AAAAAQ", /[\w-]{90,}/y),
  ...rules("doppler-token", "dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.", ALNUM_30),
  ...rules("doppler-token", "dp.st.", /(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,}/y),
  ...rules("age-key", "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1", /[A-Z0-9]{50,}/y),
  ...rules("onepassword-token", "ops_eyJ", BASE64_60),
  ...bounded(
    "onepassword-key",
    "A3-",
    /[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/y,
  ),
  ...bounded("bitwarden-token", "0.", /[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}\.\w{20,40}:[\w+/=]{20,}/y),
  ...bounded("infisical-token", "st.", /[a-f0-9-]{24,36}\.[a-f0-9]{32,}(?:\.[a-f0-9]{32,})?/y),
  ...rules("tailscale-key", "tskey-", /[a-z]{2,20}-\w{8,40}(?:-\w{16,})?/y),
  ...rules("openshift-token", "sha256~", /[\w-]{43,}/y),
  ...bounded("rancher-token", "token-", /[a-z0-9]{5}:[a-z0-9]{54}/y),
  ...bounded("harness-token", "pat. sat.", /[\w-]{22}\.[a-f0-9]{24}\.[A-Za-z0-9]{20}/y),
  ...rules("dbt-token", "dbtc_ dbtu_ dbts_", random(WORD, 30)),
  ...rules("prefect-token", "pnu_ pnb_", ALNUM_30),
  ...rules("inngest-key", "signkey-prod- signkey-test- signkey-branch-", HEX_32),
  ...rules("trigger-key", "tr_prod_ tr_dev_ tr_stg_ tr_pat_", random(ALNUM, 20)),
  ...rules("unkey-key", "unkey_", random(ALNUM, 16)),

  // Wallets
  ...bounded("wallet-key", "xprv yprv zprv tprv", /[A-HJ-NP-Za-km-z1-9]{100,}/y),
  ...bounded("nostr-key", "nsec1", /[a-z0-9]{58}(?![a-z0-9])/y),

  // PASETO
  ...bounded("paseto", "v1.local. v2.local. v3.local. v4.local.", WORD_40),
  ...bounded("paseto", "v1.public. v2.public. v3.public. v4.public.", WORD_40),
];
