import { createFileTable, createPathTable, type FileTable, type SamplePath } from "./file-table.ts";
import { expandBraces } from "./path-glob.ts";
import { pathParts } from "./runs-later-files.ts";
import { SECRET_HOME_FOLDERS, SECRET_SYSTEM_PATHS } from "./secret-folders.ts";
import {
  CLOUD_FILES,
  CREDENTIAL_FILES,
  ENV_FILES,
  HISTORY_FILES,
  KEY_FILES,
  TOOL_SECRETS,
} from "./secret-names.ts";
import {
  isCodeFolder,
  isSecretByName,
  isTranslationOrTemplate,
  SECRET_NAME_SAMPLES,
} from "./secret-words.ts";

const SECRET = "a secrets file";

const PATTERNS = [
  ENV_FILES,
  ...KEY_FILES,
  ...CREDENTIAL_FILES,
  ...CLOUD_FILES,
  ...TOOL_SECRETS,
  HISTORY_FILES,
]
  .join(" ")
  .split(" ");
const NAME_TABLE: FileTable = createFileTable([
  [PATTERNS.filter((pattern) => !pattern.includes("/")).join(" "), SECRET],
]);
const PATH_TABLE: FileTable = createFileTable([
  [PATTERNS.filter((pattern) => pattern.includes("/")).join(" "), SECRET],
]);

const HOME_TABLE: FileTable = createFileTable([[SECRET_HOME_FOLDERS, SECRET]]);
const findSystemPath = createPathTable(SECRET_SYSTEM_PATHS.map((glob) => [glob, SECRET]));

/** Copies of `.env` as desktops name them: `.env copy`, `.env (1)`. */
const COPIED_ENV = /^\.env[^\w.-]/;
/** Keys of clouds and services, under their usual download names. */
const DOWNLOADED_KEY =
  /^(?:.*[-_.])?(?:(?:gcp|gcloud|google(?:[-_]?cloud)?|gce|gcs|gke|firebase|bigquery|vertex|aws|azure|sa)[-_.]?(?:key|keys|cred|creds|credential|credentials|auth|secret|token)|(?:api|access|auth|secret|private|deploy|bot)[-_]?(?:key|keys|token|tokens))(?:[-_.].*)?\.(?:json|txt|ya?ml|csv|ini)$/;

/** Folders whose files are secrets under any name, at any depth. */
const SECRET_FOLDER = /^(?:secrets|credentials|creds|private[-_]keys?|ssh[-_]keys?|passwords)$/;
const PACKAGES_FOLDER = /^(?:packages|modules|crates|plugins|features|extensions)$/;
/** In a package with such a name, these files belong to the package. */
const PACKAGE_FILE =
  /^(?:package(?:-lock)?\.json|[jt]sconfig.*\.json|project\.json|(?:turbo|nx|deno|biome)\.jsonc?|cargo\.toml|go\.(?:mod|sum)|pyproject\.toml|setup\.cfg|requirements.*\.txt|dockerfile.*|makefile|build|readme.*|license.*|notice|changelog.*|owners|codeowners|(?:kustomization|chart)\.ya?ml|\.sops\.ya?ml|\.(?:git|npm|docker|eslint|prettier)(?:ignore|keep|rc)(?:\..*)?|pom\.xml)$/;

/** Names like those above that are public, and source code with similar names. */
const SAMPLE =
  /[._-](?:(?:example|sample|template)[^/]*|(?:tmpl|tpl|dist|defaults?|schema)(?:[._-].*)?)$|\.(?:md|mdx|rst|adoc|[cm]?[jt]sx?|py|pyi|go|rs|rb|java|kt|kts|cs|php|c|h|cc|cpp|hpp|m|swift|scala|clj|exs?|erl|hs|ml|lua|pl|r|jl|vue|svelte|astro|zig|dart|nim|elm|fsx?|vb|groovy|gradle|sol|html?|css|scss|sass|less|hbs|ejs|pug|twig|erb|haml|liquid|mustache|po|pot|strings|ipynb|feature|thrift|avsc|rego|bicep|nix|cue|jsonnet|libsonnet|snap|pub|enc|lock|tf|sql|proto|graphql|svg|png|jpe?g|gif|webp|ico|pdf|csproj)$|^(?:example|sample|template)\b|(?:sealed|external)[-_]?secrets?\b/;
const KEY_FILE = /\.(?:pem|key|asc|gpg)$/;
/** In the name of a key, `example` is a domain. */
const PRIVATE_KEY_FILE = /\.(?:pem|key|p8|p12|pfx|jks|keystore|ppk|kdbx)$/;
/** Certificates, which are public. */
const CERTIFICATE =
  /(?:^|[-_.])(?:cert|certs|certificate|certificates|ca|cacert|cacerts|chain|fullchain|bundle|root|roots|rootca|intermediate|crt|csr|dhparams?|dh|crl|trusted)\d*(?:[-_.].*)?\.pem$/;

function isPublic(name: string): boolean {
  if (!KEY_FILE.test(name) || /priv|secret/.test(name)) return false;
  return /pub/.test(name) || (CERTIFICATE.test(name) && !/key/.test(name));
}

/** Files of ssh that are not secret: they configure it, or are public. */
const PUBLIC_IN_SSH = /^(?:known_hosts(?:\.old)?|authorized_keys2?|config|environment|rc|.*\.pub)$/;

/** No file system allows longer names. */
const MAX_NAME_LENGTH = 255;

/** `path` and `home` are in lower case. */
export function isSecretFile(path: string, home: string): boolean {
  const parts = pathParts(path);
  const name = parts.at(-1) ?? "";
  const inSsh = parts.at(-2) === ".ssh";
  if (inSsh && PUBLIC_IN_SSH.test(name)) return false;
  if (name.length > MAX_NAME_LENGTH || (SAMPLE.test(name) && !PRIVATE_KEY_FILE.test(name)) || isPublic(name))
    return isInSecretFolder(path, parts, home);
  if (isInSecretFolder(path, parts, home)) return true;
  if (isTranslationOrTemplate(parts) || isTestData(parts)) return false;
  const folders = parts.slice(0, -1);
  return (
    NAME_TABLE.find(parts) !== null ||
    COPIED_ENV.test(name) ||
    DOWNLOADED_KEY.test(name) ||
    isSecretByName(parts, isInProgramFolder(path, home)) ||
    (folders.some((folder, n) => SECRET_FOLDER.test(folder) && !PACKAGES_FOLDER.test(folders[n - 1] ?? "")) &&
      !folders.some(isCodeFolder) &&
      !PACKAGE_FILE.test(name))
  );
}

/** Test data and documentation. Keys and environments there are often real. */
function isTestData(parts: readonly string[]): boolean {
  const name = parts.at(-1) ?? "";
  return (
    /^[^.].*\.(?:json|ya?ml|txt|conf|ini|toml|xml|csv)$/.test(name) &&
    parts.slice(0, -1).some((folder) => TEST_FOLDER.test(folder)) &&
    !parts.slice(0, -1).some((folder) => folder.startsWith("."))
  );
}

const TEST_FOLDER =
  /^(?:tests?|__tests__|specs?|e2e|fixtures|testdata|__fixtures__|__mocks__|mocks|docs?|documentation)$/;

/** In a program's own folder of the home. Projects that agents check out there do not count. */
function isInProgramFolder(path: string, home: string): boolean {
  return path.startsWith(`${home}/.`) && !/\/(?:worktrees|workspaces|repos|src)\//.test(path);
}

/** By its folders, whatever its name. */
function isInSecretFolder(path: string, parts: readonly string[], home: string): boolean {
  if (PATH_TABLE.find(parts) !== null) return true;
  if (findSystemPath(path) !== null) return true;
  return (
    path.startsWith(`${home}/`) && HOME_TABLE.findFromStart(pathParts(path.slice(home.length + 1))) !== null
  );
}

export const SECRET_SAMPLES: readonly SamplePath[] = [
  ...NAME_TABLE.samples,
  ...PATH_TABLE.samples,
  ...SECRET_NAME_SAMPLES.map((name) => ({ names: [name], isFolder: false })),
];
/** Relative to a home. */
export const SECRET_HOME_SAMPLES: readonly SamplePath[] = HOME_TABLE.samples;
/** Single files of the machine. */
export const SECRET_PATHS: readonly string[] = SECRET_SYSTEM_PATHS.flatMap(expandBraces)
  .map((path) => path.replace(/\*$/, ""))
  .filter((path) => !/\*|\/$/.test(path));
