/**
 * Secrets with names that people choose: `github_token`, `prod-creds.json`, `db password.txt`. Recognized by the words
 * in the name of a data file, in a folder for data.
 */

/** With any other extension a name is that of code, a document or an image. */
const DATA_EXTENSION =
  /^(?:json|jsonc|json5|ya?ml|toml|ini|txt|csv|tsv|env|conf|cfg|cnf|config|properties|xml|plist|db|sqlite3?|dat|bin|b64|base64|bak|old|orig|save|backup)$/;
/** Many of these hold no secret: design tokens, translations, lists of keys. */
const STRUCTURED_EXTENSION = /^(?:json|jsonc|json5|ya?ml|toml|xml|csv|plist|config)$/;

/** Words that are enough by themselves. */
const SUFFICIENT_WORD = /^(?:creds?|credentials?|apikeys?|privkey|passphrases?|passwords?|passwd|pwd)$/;
/** Words that need another one before or after them. */
const NOUN = /^(?:keys?|tokens?|secrets?|keyfile|auth|cookies?|login)$/;
/** The owner of the key or token. */
const OWNER =
  /^(?:access|account|actions|admin|adc|age|anthropic|api|app|auth|aws|azure|bearer|bigquery|bitbucket|bot|ca|claude|client|cloud|cloudflare|cosign|datadog|db|deploy|deployment|dev|discord|docker|ecdsa|ed25519|encryption|firebase|gcloud|gce|gcp|gcs|gemini|gh|ghp|git|gitea|github|gitlab|gke|google|gpg|heroku|hf|host|huggingface|id|jenkins|jwt|kms|kube|license|linear|live|login|mailgun|master|minisign|mongodb?|mysql|netlify|notion|npm|oauth2?|openai|pat|paypal|personal|pg|pgp|postgres|private|priv|prod|production|publish|push|pypi|redis|refresh|registry|release|root|rsa|sa|sendgrid|sentry|server|service|session|sign|signing|slack|snyk|sonar|ssh|ssl|staging|stripe|supabase|telegram|tls|twilio|twitter|user|vault|vercel|vertex|webhook)$/;
/** Words that make it public. */
const PUBLIC_WORD =
  /^(?:public|pub|example|sample|template|schema|policy|policies|rules|reset|forgot|change|map|usage)$/;

/** Folders of code, tests, documents and translations: a name there describes the code. */
const CODE_FOLDER =
  /^(?:src|lib|libs|app|pkg|internal|cmd|include|test|tests|__tests__|spec|specs|e2e|fixtures|testdata|__fixtures__|__mocks__|mocks|examples?|samples|docs?|documentation|components|pages|views|routes|templates|stories|themes?|styles?|design|design-tokens|i18n|l10n|locales?|lang|langs|languages|translations|messages|node_modules|vendor|site-packages|migrations|models|controllers|schemas?|openapi|proto|crates)$/;
const TRANSLATION_FOLDER = /^(?:i18n|l10n|locales?|lang|langs|languages|translations|messages)$/;
/** A name without an extension is a folder there. */
const CONTAINS_FOLDERS =
  /^(?:packages|modules|plugins|apps|services|features|domains|crates|components|examples|charts|projects|workspaces|libraries|extensions|integrations|providers|resources)$/;

export function isCodeFolder(folder: string): boolean {
  return CODE_FOLDER.test(folder);
}

/** A program's translations, and templates of a cluster's files, that are named like secrets. */
export function isTranslationOrTemplate(parts: readonly string[]): boolean {
  const name = parts.at(-1) ?? "";
  const folders = parts.slice(0, -1);
  if (/\.(?:json|ya?ml)$/.test(name) && folders.some((folder) => TRANSLATION_FOLDER.test(folder)))
    return true;
  return folders.includes("templates") && /(?:^|[-_.])secrets?(?:[-_.].*)?\.ya?ml$/.test(name);
}

/** Whether a name is that of a secret, by its words. `parts` are in lower case. */
export function isSecretByName(parts: readonly string[], inHidden: boolean): boolean {
  const name = parts.at(-1) ?? "";
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 ? name.slice(dot + 1) : "";
  if (extension !== "" && !DATA_EXTENSION.test(extension)) return false;
  const folders = parts.slice(0, -1);
  if (!inHidden) {
    if (folders.some((folder) => CODE_FOLDER.test(folder))) return false;
    if (extension === "" && CONTAINS_FOLDERS.test(folders.at(-1) ?? "")) return false;
  }
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const isHidden = name.startsWith(".") || inHidden;
  // A bare word of a command may be a branch, a resource or a subcommand: those have no underscores.
  if (extension === "" && !isHidden && !/^[a-z\d]+(?:_[a-z\d]+)+$/.test(stem)) return false;
  const words = stem.split(/[-_.\s()]+/).filter((word) => word !== "");
  if (words.some((word) => PUBLIC_WORD.test(word))) return false;
  if (extension === "" && !isHidden) return isBareSecret(words);
  if (words.length === 1 && /^(?:history|sessions?)$/.test(words[0]!))
    return inHidden && /^(?:|txt|db|sqlite3?)$/.test(extension);
  return namesSecret(words, extension, isHidden);
}

/** A script's name: `get_token`. */
const SCRIPT_VERB =
  /^(?:check|create|decode|fetch|gen|generate|get|issue|make|mint|new|next|parse|print|read|refresh|revoke|rotate|set|show|test|update|validate|verify)$/;

/** `github_token`, `aws_credentials`, `deploy_ed25519`. */
function isBareSecret(words: readonly string[]): boolean {
  const last = words.at(-1)!;
  if (/^(?:rsa|dsa|ecdsa|ed25519|creds|credentials|passphrase)$/.test(last)) return true;
  if (last === "token") return !SCRIPT_VERB.test(words[0]!);
  return /^(?:key|secret|password|passwd)$/.test(last) && words.slice(0, -1).some((word) => OWNER.test(word));
}

function namesSecret(words: readonly string[], extension: string, isHidden: boolean): boolean {
  const [singleWord = ""] = words;
  const isStructured = STRUCTURED_EXTENSION.test(extension);
  if (words.length === 1) {
    if (/^(?:passwords?|passwd|pwd)$/.test(singleWord)) return extension !== "" || isHidden;
    if (singleWord === "auth") return extension === "json" || isHidden;
    if (NOUN.test(singleWord))
      return isHidden || (/^tokens?$/.test(singleWord) && !isStructured && extension !== "");
    return (
      SUFFICIENT_WORD.test(singleWord) ||
      /^(?:[a-z]+)(?:token|apikey|secretkey|privatekey|accesskey|deploykey)$/.test(singleWord)
    );
  }
  if (words.some((word) => /^(?:creds?|credentials?|apikeys?|privkey|passphrase)$/.test(word))) return true;
  if (words.some((word) => SUFFICIENT_WORD.test(word)))
    return !isStructured || extension === "csv" || isHidden;
  const noun = words.find((word) => NOUN.test(word));
  if (noun === undefined) return false;
  if (words.some((word) => word !== noun && OWNER.test(word))) return noun !== "login" || isHidden;
  return /^tokens?$/.test(noun) && !isStructured;
}

/** One name of each kind, to compare with a glob. */
export const SECRET_NAME_SAMPLES: readonly string[] =
  "creds.json prod-credentials.yml aws_credentials password.txt passwords.json db_password github_token npm-token.txt token api_key deploy_key private-key.txt client-secret auth.json oauth-tokens.json".split(
    " ",
  );
