import { createFileTable, type FileTable, type SamplePath } from "./file-table.ts";
import { partsOf } from "./later-files.ts";
import { matchesPath, withoutBraces } from "./path-glob.ts";

/** Files that hold secrets, wherever they lie. In lower case, as all names here are compared. */
const SECRET = "a file for secrets";

const ENVIRONMENT =
  ".env .env.* .env-* .env_* .env~ *.env .dev.vars .dev.vars.* .envs/** .secrets/** .secret/** .credentials/**";

const KEYS = [
  "id_{rsa,dsa,ecdsa,ed25519,xmss}* ssh_host_*_key *.key *.pem *.p8 *.p12 *.pfx *.pkcs12 *.ppk *.jks *.keystore *.bks *.kdbx *.kdb *.agekey",
  "*private*.asc *secret*.asc *-sec.asc *private*.gpg *secret*.gpg secring.* *.keychain *.keychain-db *.ovpn *.tokens *.token",
  ".ssh/** .gnupg/** .password-store/** .pki/** .putty/** .age/** sops/age/** wireguard/*.conf",
];

const CREDENTIALS = [
  ".credentials .credentials.* *.credentials credentials.{json,yml,yaml,toml,ini,xml,csv,db,txt,properties} *{-,_,.}credentials.{json,yml,yaml,csv}",
  "{secret,secrets}.{json,yml,yaml,toml,ini,env,txt,properties,xml} *{-,_,.}{secret,secrets}.{json,yml,yaml} {secret,secrets}.*.{json,yml,yaml} .secret .secrets .secrets.* *.secret *.secrets",
  ".password .passwords *.password *.passwd passwords.* .htpasswd htpasswd *.htpasswd",
  "service-account*.json service_account*.json serviceaccount*.json *{-,_}sa.json *{-,_}service-account*.json *firebase-adminsdk*.json client_secret* client-secret*.json keyfile.json",
  "application_default_credentials.json storagestate*.json rootkey.csv accesskeys*.csv utc--* .renviron token.json token.txt .token .tokens",
  ".netrc _netrc .authinfo* .pgpass pgpass.conf .my.cnf .mylogin.cnf .pypirc .git-credentials* git/credentials .dockercfg .dockerconfigjson *.dockerconfigjson",
  ".vault-token .vault_token {.vault,vault}{-,_}{pass,password}* {vault,*.vault}.{yml,yaml} .ansible_vault* .s3cfg .s3curl .boto .passwd-s3fs {rclone,.rclone}.conf",
  "rsyncd.secrets .rsync*pass* .erlang.cookie .rhosts .smbcredentials .msmtprc .fetchmailrc .mbsyncrc .offlineimaprc .ftpconfig sftp-config.json .vscode/sftp.json sitemanager.xml",
];

const CLOUD = [
  ".aws/** .azure/** .oci/** .aliyun/** .bluemix/** .tsh/** .snowflake/** .databrickscfg .snowsql/config .terraform.d/** .terraformrc terraform.rc *.tfrc.json",
  "gcloud/{credentials.db,access_tokens.db,application_default_credentials.json} gcloud/legacy_credentials/** .config/{gcloud,gh,glab-cli,hub,op,doctl,hcloud,heroku,stripe,ngrok,rclone,sops,age,linode-cli,anthropic,openai,solana}/**",
  "gh/hosts.yml hub/hosts.yml .kube/** kubeconfig* *.kubeconfig *{-,_}kubeconfig* k3s.yaml talosconfig .docker/config.json containers/auth.json helm/registry/config.json",
  "*.tfvars *.tfvars.json *.tfstate *.tfstate.* *.tfplan .pulumi/credentials.json .pulumi/stacks/**",
  ".fly/config.yml .netlify/config.json .railway/config.json .wrangler/config/** .sentryclirc .clasprc.json .kaggle/** kaggle.json .huggingface/** huggingface/token .twilio-cli/** .ngrok2/** .mc/config.json .influxdbv2/**",
];

const TOOLS = [
  ".cargo/credentials* .gem/credentials* .m2/settings*.xml .ivy2/.credentials .sbt/.credentials .composer/auth.json composer/auth.json .gradle/gradle.properties",
  ".claude/.credentials* .codex/auth.json .gemini/{oauth_creds,google_accounts}.json .qwen/oauth_creds.json opencode/auth.json .anthropic/** .openai/** github-copilot/{hosts,apps}.json",
  "cookies.sqlite* key3.db key4.db login?data cookies.binarycookies playwright/.auth/** keyrings/** .bash_history .zsh_history .sh_history .fish_history fish_history .{psql,mysql,python,node_repl,sqlite,rediscli,irb}_history",
];

/** In a home: folders that hold more than names can say. */
const IN_HOME = createFileTable([
  [".npmrc .yarnrc.yml .local/share/keyrings/** library/keychains/**", SECRET],
  [
    ".mozilla/** .thunderbird/** .config/{google-chrome,google-chrome-beta,chromium,bravesoftware,microsoft-edge,vivaldi,opera,bitwarden?cli,1password}/**",
    SECRET,
  ],
  [
    "library/application?support/{google/chrome,firefox,chromium,bravesoftware,microsoft?edge,1password,bitwarden}/** library/cookies/** snap/{firefox,chromium}/** .var/app/org.mozilla.firefox/**",
    SECRET,
  ],
]);

const ON_THE_MACHINE: readonly string[] = [
  "/etc/{shadow,gshadow,shadow-,gshadow-,sudoers,krb5.keytab,security/opasswd}",
  "/etc/{sudoers.d,ssl/private,wireguard,openvpn,kubernetes,letsencrypt/live,letsencrypt/archive,rancher}/**",
  "/etc/ssh/ssh_host_*_key",
  "/proc/{*,*/task/*}/{environ,mem,auxv}",
  "/proc/kcore",
  "/dev/{mem,kmem}",
  "/{run,var/run}/{secrets,credentials}/**",
  "/{root,var/root,home/*,users/*}/{.ssh,.aws,.gnupg}/**",
  "/private/var/db/dslocal/**",
];

const ALL = [ENVIRONMENT, ...KEYS, ...CREDENTIALS, ...CLOUD, ...TOOLS].join(" ").split(" ");
const NAMES: FileTable = createFileTable([[ALL.filter((each) => !each.includes("/")).join(" "), SECRET]]);
const PLACES: FileTable = createFileTable([[ALL.filter((each) => each.includes("/")).join(" "), SECRET]]);

/** Keys of clouds and services, as people name them when they download one. */
const DOWNLOADED =
  /^(?:.*[-_.])?(?:(?:gcp|gcloud|google(?:[-_]?cloud)?|gce|gcs|gke|firebase|bigquery|vertex|aws|azure|sa)[-_.]?(?:key|keys|cred|creds|credential|credentials|auth|secret|token)|(?:api|access|auth|secret|private|deploy|bot)[-_]?(?:key|keys|token|tokens))(?:[-_.].*)?\.(?:json|txt|ya?ml|csv|ini)$/;

/** A folder named so holds secrets as files of any name; source code and templates in it do not. */
const IN_SECRETS = /\/secrets\/[^/]{1,255}$/;
const IN_TEMPLATES = /\/(?:templates|src|lib|test|tests|docs|components|pages|app|pkg|internal|cmd)\//;

/** Names like those above that are meant to be seen, and source code that is called alike. */
const SAMPLE =
  /[._-](?:(?:example|sample|template)[^/]*|(?:tmpl|tpl|dist|defaults?|schema)(?:[._-].*)?)$|\.(?:md|mdx|rst|adoc|[cm]?[jt]sx?|py|pyi|go|rs|rb|java|kt|kts|cs|php|c|h|cc|cpp|hpp|m|swift|scala|clj|exs?|erl|hs|ml|lua|pl|r|jl|vue|svelte|html?|css|scss|snap|pub|enc|lock|tf|sql|proto|graphql|svg|png)$|^(?:example|sample|template)\b|(?:sealed|external)[-_]?secrets?\b/;
const KEY_FILE = /\.(?:pem|key|asc|gpg)$/;
/** In the name of a key, `example` is a domain. */
const IS_KEY = /\.(?:pem|key|p8|p12|pfx|jks|keystore|ppk|kdbx)$/;
/** Certificates, which are for everybody. */
const CERTIFICATE =
  /(?:^|[-_.])(?:cert|certs|certificate|certificates|ca|cacert|cacerts|chain|fullchain|bundle|root|roots|rootca|intermediate|crt|csr|dhparams?|dh|crl|trusted)\d*(?:[-_.].*)?\.pem$/;

function isPublic(name: string): boolean {
  if (!KEY_FILE.test(name) || /priv|secret/.test(name)) return false;
  return /pub/.test(name) || (CERTIFICATE.test(name) && !/key/.test(name));
}

/** Of ssh, these are no secrets: they steer it, or are public. */
const OPEN_IN_SSH = /^(?:known_hosts(?:\.old)?|authorized_keys2?|config|environment|rc|.*\.pub)$/;

/** No file system has longer ones. */
const LONGEST_NAME = 255;

/** `path` and `home` are in lower case. */
export function isSecretFile(path: string, home: string): boolean {
  const parts = partsOf(path);
  const name = parts.at(-1) ?? "";
  const inSsh = parts.at(-2) === ".ssh";
  if (inSsh && OPEN_IN_SSH.test(name)) return false;
  if (name.length > LONGEST_NAME || (SAMPLE.test(name) && !IS_KEY.test(name)) || isPublic(name))
    return isPlace(path, parts, home);
  return (
    NAMES.find(parts) !== null ||
    DOWNLOADED.test(name) ||
    isPlace(path, parts, home) ||
    (IN_SECRETS.test(path) && !IN_TEMPLATES.test(path))
  );
}

/** By the folders it lies in, whatever it is called. */
function isPlace(path: string, parts: readonly string[], home: string): boolean {
  if (PLACES.find(parts) !== null) return true;
  if (ON_THE_MACHINE.some((glob) => matchesPath(glob, path))) return true;
  return path.startsWith(`${home}/`) && IN_HOME.findAtStart(partsOf(path.slice(home.length + 1))) !== null;
}

export const SECRET_SAMPLES: readonly SamplePath[] = [...NAMES.samples, ...PLACES.samples];
/** Those of a home, below it. */
export const SECRET_HOME_SAMPLES: readonly SamplePath[] = IN_HOME.samples;
/** Those of the machine that are single files. */
export const SECRET_PATHS: readonly string[] = ON_THE_MACHINE.flatMap(withoutBraces).filter(
  (path) => !path.includes("*"),
);
