import { createFileTable, createPlaceTable, type FileTable, type SamplePath } from "./file-table.ts";
import { partsOf } from "./later-files.ts";
import { withoutBraces } from "./path-glob.ts";
import { CLOUD, CREDENTIALS, ENVIRONMENT, HISTORIES, KEYS, TOOLS } from "./secret-names.ts";
import { IN_HOME, ON_THE_MACHINE } from "./secret-places.ts";
import { isCode, isNamedSecret, isText, NAMED_SAMPLES } from "./secret-words.ts";

const SECRET = "a file for secrets";

const ALL = [ENVIRONMENT, ...KEYS, ...CREDENTIALS, ...CLOUD, ...TOOLS, HISTORIES].join(" ").split(" ");
const NAMES: FileTable = createFileTable([[ALL.filter((each) => !each.includes("/")).join(" "), SECRET]]);
const PLACES: FileTable = createFileTable([[ALL.filter((each) => each.includes("/")).join(" "), SECRET]]);

const HOME: FileTable = createFileTable([[IN_HOME, SECRET]]);
const placeOf = createPlaceTable(ON_THE_MACHINE.map((glob) => [glob, SECRET]));

/** Copies of `.env` as desktops name them: `.env copy`, `.env (1)`. */
const COPIED_ENV = /^\.env[^\w.-]/;
/** Keys of clouds and services, as people name them when they download one. */
const DOWNLOADED =
  /^(?:.*[-_.])?(?:(?:gcp|gcloud|google(?:[-_]?cloud)?|gce|gcs|gke|firebase|bigquery|vertex|aws|azure|sa)[-_.]?(?:key|keys|cred|creds|credential|credentials|auth|secret|token)|(?:api|access|auth|secret|private|deploy|bot)[-_]?(?:key|keys|token|tokens))(?:[-_.].*)?\.(?:json|txt|ya?ml|csv|ini)$/;

/** Folders that hold secrets as files of any name, at any depth. */
const HOLDS_SECRETS = /^(?:secrets|credentials|creds|private[-_]keys?|ssh[-_]keys?|passwords)$/;
const HOLDS_PACKAGES = /^(?:packages|modules|crates|plugins|features|extensions)$/;
/** In a package that has such a name, they are those of the package. */
const OF_A_PACKAGE =
  /^(?:package(?:-lock)?\.json|[jt]sconfig.*\.json|project\.json|(?:turbo|nx|deno|biome)\.jsonc?|cargo\.toml|go\.(?:mod|sum)|pyproject\.toml|setup\.cfg|requirements.*\.txt|dockerfile.*|makefile|build|readme.*|license.*|notice|changelog.*|owners|codeowners|(?:kustomization|chart)\.ya?ml|\.sops\.ya?ml|\.(?:git|npm|docker|eslint|prettier)(?:ignore|keep|rc)(?:\..*)?|pom\.xml)$/;

/** Names like those above that are meant to be seen, and source code that is called alike. */
const SAMPLE =
  /[._-](?:(?:example|sample|template)[^/]*|(?:tmpl|tpl|dist|defaults?|schema)(?:[._-].*)?)$|\.(?:md|mdx|rst|adoc|[cm]?[jt]sx?|py|pyi|go|rs|rb|java|kt|kts|cs|php|c|h|cc|cpp|hpp|m|swift|scala|clj|exs?|erl|hs|ml|lua|pl|r|jl|vue|svelte|astro|zig|dart|nim|elm|fsx?|vb|groovy|gradle|sol|html?|css|scss|sass|less|hbs|ejs|pug|twig|erb|haml|liquid|mustache|po|pot|strings|ipynb|feature|thrift|avsc|rego|bicep|nix|cue|jsonnet|libsonnet|snap|pub|enc|lock|tf|sql|proto|graphql|svg|png|jpe?g|gif|webp|ico|pdf|csproj)$|^(?:example|sample|template)\b|(?:sealed|external)[-_]?secrets?\b/;
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
  if (isPlace(path, parts, home)) return true;
  if (isText(parts) || isMadeUp(parts)) return false;
  const folders = parts.slice(0, -1);
  return (
    NAMES.find(parts) !== null ||
    COPIED_ENV.test(name) ||
    DOWNLOADED.test(name) ||
    isNamedSecret(parts, isHiddenIn(path, home)) ||
    (folders.some((folder, n) => HOLDS_SECRETS.test(folder) && !HOLDS_PACKAGES.test(folders[n - 1] ?? "")) &&
      !folders.some(isCode) &&
      !OF_A_PACKAGE.test(name))
  );
}

/** Data of tests and documents. Keys and environments there are often real ones. */
function isMadeUp(parts: readonly string[]): boolean {
  const name = parts.at(-1) ?? "";
  return (
    /^[^.].*\.(?:json|ya?ml|txt|conf|ini|toml|xml|csv)$/.test(name) &&
    parts.slice(0, -1).some((folder) => OF_TESTS.test(folder)) &&
    !parts.slice(0, -1).some((folder) => folder.startsWith("."))
  );
}

const OF_TESTS =
  /^(?:tests?|__tests__|specs?|e2e|fixtures|testdata|__fixtures__|__mocks__|mocks|docs?|documentation)$/;

/** In a program's own folder of the home. Projects that agents check out there are none. */
function isHiddenIn(path: string, home: string): boolean {
  return path.startsWith(`${home}/.`) && !/\/(?:worktrees|workspaces|repos|src)\//.test(path);
}

/** By the folders it lies in, whatever it is called. */
function isPlace(path: string, parts: readonly string[], home: string): boolean {
  if (PLACES.find(parts) !== null) return true;
  if (placeOf(path) !== null) return true;
  return path.startsWith(`${home}/`) && HOME.findAtStart(partsOf(path.slice(home.length + 1))) !== null;
}

export const SECRET_SAMPLES: readonly SamplePath[] = [
  ...NAMES.samples,
  ...PLACES.samples,
  ...NAMED_SAMPLES.map((name) => ({ names: [name], isFolder: false })),
];
/** Those of a home, below it. */
export const SECRET_HOME_SAMPLES: readonly SamplePath[] = HOME.samples;
/** Those of the machine that are single files. */
export const SECRET_PATHS: readonly string[] = ON_THE_MACHINE.flatMap(withoutBraces)
  .map((path) => path.replace(/\*$/, ""))
  .filter((path) => !/\*|\/$/.test(path));
