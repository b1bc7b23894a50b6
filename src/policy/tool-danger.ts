import { baseFoldersOfInput } from "./base-folders.ts";
import { judgeOverwrite } from "./dangerous-devices.ts";
import { ask, deny, type Finding, mostSevere } from "./finding.ts";
import type { InspectedRequest } from "./inspect-request.ts";
import { pathsOf } from "./locations.ts";
import { literalWord, type ShellWord } from "./shell/shell-reading.ts";
import { type Field, fieldsOf, type ToolWords, toolWords } from "./tool-fields.ts";
import { isPathKey, isRemoverTool, isTextField, namedPaths } from "./tools.ts";
import { isMachineFolder, reachOf } from "./wide-targets.ts";

/** What a tool would destroy for good, by its name and its paths: as a command would. */
export function judgeToolDanger(subject: InspectedRequest): Finding | null {
  const { kind, request, input, locations } = subject;
  const { toolName } = request;
  if (kind === "edit")
    return mostSevere(
      namedPaths(request, input).flatMap(({ path }) =>
        pathsOf(path, locations).map((resolved) => judgeOverwrite(resolved, path, toolName)),
      ),
    );
  if (kind !== "other") return null;
  const fields = fieldsOf(input);
  const words = toolWords(toolName, fields);
  const use: ToolUse = {
    subject,
    words,
    fields,
    cwds: baseFoldersOfInput(subject.guessed.folders, locations),
  };
  return mostSevere([judgeToolPower(use), ...judgeToolDevices(use), ...judgeWidePaths(use)]);
}

interface ToolUse {
  readonly subject: InspectedRequest;
  readonly words: ToolWords;
  readonly fields: readonly Field[];
  readonly cwds: readonly string[];
}

const READ_ONLY_WORD =
  /\b(?:get|list|info|status|show|describe|stat|read|find|search|check|scan|usage|health|view|smart|test|is|can)\b/;

const MACHINE_WORD =
  /\b(?:system|os|computer|machine|power|desktop|pc|linux|mac ?os|windows|localhost|this host)\b/;
const TAKES_DOWN =
  /\b(?:shut ?down|power ?off|reboot|halt|hibernate|suspend|(?:restart|stop|sleep) (?:computer|machine|system|host|pc)|(?:system|os|computer|machine|pc) restart)\b/;
/** With one of these keys the target is something else: an instance, a container, a lamp. */
const OTHER_KEY =
  /id$|instance|vm|container|server|node|cluster|device|service|^name$|host|app|process|pod|db|robot|unit/i;

function judgeToolPower({ words, fields, subject }: ToolUse): Finding | null {
  const targetsMachine =
    MACHINE_WORD.test(words.all) && TAKES_DOWN.test(words.all) && !READ_ONLY_WORD.test(words.action);
  return targetsMachine && !fields.some(({ key }) => OTHER_KEY.test(key))
    ? deny("power", `${subject.request.toolName} would shut down or restart the machine.`)
    : null;
}

const SOURCE_KEY = /^(?:source|src|from|input|if|in|image|old\w*)$|^(?:source|src|from)_/i;
const TARGET_KEY =
  /^(?:dest\w*|dst|to|of|new\w*|target\w*|output|out|link)$|^(?:dest|destination|target|new)_/i;
const WRITES =
  /\b(?:write|save|copy|cp|dd|format|mkfs|wipe|erase|flash|burn|partition|restore|overwrite|append|edit|create|put|store|download|export|shred|zero|clone|move|mv|patch|update|truncate|delete|remove)/;
const DISK = /^\/dev\/(?:[shv]d[a-z]|xvd|nvme\d|mmcblk|r?disk\d|mapper\/|md\d|dm-|zd\d|k?mem$|port$)/;

/** Disks and other devices that it writes to. */
function judgeToolDevices({ words, fields, cwds, subject }: ToolUse): readonly (Finding | null)[] {
  const writes = WRITES.test(words.action);
  if (!writes && READ_ONLY_WORD.test(words.action)) return [];
  const { request, locations, guessed } = subject;
  const targets = fields.flatMap(({ key, value }) =>
    typeof value === "string" && !SOURCE_KEY.test(key) && isPathText(key, value)
      ? [{ path: value, isFile: writes && (isPathKey(key) || TARGET_KEY.test(key)) }]
      : [],
  );
  const patched = guessed.patched.map((path) => ({ path, isFile: true }));
  return [...targets, ...patched].flatMap(({ path, isFile }) => {
    if (!/^\/(?:dev|proc|sys)\//.test(path) && !cwds.some((cwd) => /^\/(?:dev|proc|sys)(?:\/|$)/.test(cwd)))
      return [];
    return pathsOf(path, locations, cwds)
      .filter((resolved) => isFile || DISK.test(resolved))
      .map((resolved) => judgeOverwrite(resolved, path, request.toolName));
  });
}

const REMOVES =
  /\b(?:delete|del|remove|unlink|rmdir|rmtree|trash|wipe|purge|rm|rmrf|rimraf|erase|empty|clear|clean|cleanup|prune|destroy|nuke|truncate|shred|absent)\b/;
const MOVES = /\b(?:move|mv|rename|relocate)\b/;
const CHANGES = /\b(?:chown|chmod|chgrp|chattr|permissions?|owner(?:ship)?|acl|attributes?)\b/;
const SYNCS = /\b(?:r?sync|mirror|replicate)\b/;
const SYNC_REMOVES = /delete|remove|purge|mirror|clean|prune|extraneous/i;
const LINKS = /\b(?:sym ?link|junction|ln|(?:create|make|add) link|link (?:file|folder|dir|path))/;
/** Their paths are not on this machine's disk. */
const REMOTE_STORAGE =
  /\b(?:cache|cdn|cloudflare|routes?|redis|kv|s3|gcs|buckets?|blobs?|dns|http|api|urls?|web|redirects?|cookies?|github|gitlab|notes?|labels?|tags?|comments?|dropbox|drive|docker|containers?|kube\w*|k8s)\b/;
/** Keys of the folder that a tool works in: it is the target only if there is no other. */
const CONTEXT_KEY =
  /^(?:root|cwd|wd|pwd|chdir|base|prefix|parent|repo|repository|project|workspace|home)$|(?:root|base|work(?:ing)?|current|start|project|repo|workspace)_?(?:path|dir|directory|folder)$/i;

/** A home or the entire machine that it removes, moves or changes. */
function judgeWidePaths(use: ToolUse): readonly (Finding | null)[] {
  const { words, fields, subject } = use;
  const { action, all } = words;
  if (REMOTE_STORAGE.test(all)) return [];
  const texts = fields.filter((field): field is TextField => typeof field.value === "string");
  const hasOnlyContext = texts.every(({ key }) => CONTEXT_KEY.test(key));
  const paths = texts.filter(
    ({ key, value }) => isPathText(key, value) && (hasOnlyContext || !CONTEXT_KEY.test(key)),
  );
  const sources = paths.filter(({ key }) => !TARGET_KEY.test(key) || /^targets?$/i.test(key));
  const isRecursive = fields.some(({ key, value }) => /recurs|deep|^r$/i.test(key) && value !== false);
  const deletesExtraneous = fields.some(({ key, value }) => SYNC_REMOVES.test(key) && value === true);
  const found: (Finding | null)[] = [];
  if (SYNCS.test(action) && (deletesExtraneous || /\bmirror\b/.test(action)))
    found.push(
      ...judgeReach(
        use,
        paths.filter(({ key }) => TARGET_KEY.test(key)),
        "remove-root",
        "empty",
      ),
    );
  else if (REMOVES.test(action) || isRemoverTool(subject.request.toolName))
    found.push(...judgeReach(use, paths, "remove-root", "delete"));
  if (MOVES.test(action)) found.push(...judgeReach(use, sources, "move-root", "move"));
  if (CHANGES.test(action) && !READ_ONLY_WORD.test(action))
    found.push(...paths.map((field) => judgeModeChange(use, field, isRecursive)));
  if (LINKS.test(action)) found.push(...paths.map((field) => judgeLink(use, field)));
  return found;
}

const FOLDER_KEY = /^(?:dirs?|directory|directories|folders?)$/i;

type TextField = Field & { readonly value: string };

function isPathText(key: string, value: string): boolean {
  if (isTextField(key) || !/^[^\s\0][^\0\n]{0,1000}$/.test(value)) return false;
  return (
    isPathKey(key) || CONTEXT_KEY.test(key) || FOLDER_KEY.test(key) || /^(?:~|\.{0,2}\/|\.\.?$)/.test(value)
  );
}

function judgeReach(
  { subject, cwds }: ToolUse,
  fields: readonly TextField[],
  rule: string,
  action: string,
): readonly (Finding | null)[] {
  const actor = subject.request.toolName;
  return fields.map(({ value }) => {
    switch (reachOf(wordOf(value), subject.locations, cwds)) {
      case "wide":
        return deny(rule, `${actor} would ${action} ${value}. Always blocked.`);
      case "system":
        return ask("remove-wide", `${actor} would ${action} ${value}, which is shared beyond this project.`);
      case "workspace":
        return ask("remove-workspace", `${actor} would ${action} the whole workspace.`);
      default:
        return null;
    }
  });
}

function judgeModeChange(
  { subject, cwds }: ToolUse,
  { value }: TextField,
  isRecursive: boolean,
): Finding | null {
  const { locations, request } = subject;
  const word = wordOf(value);
  if (reachOf(word, locations, cwds) !== "wide") return null;
  return isRecursive || isMachineFolder(word, locations, cwds)
    ? deny("change-root", `${request.toolName} would change all of ${value}. Always blocked.`)
    : ask("change-root", `${request.toolName} would change ${value}, a folder above this project.`);
}

function judgeLink({ subject, cwds }: ToolUse, { value }: TextField): Finding | null {
  return /^[~/]/.test(value) && reachOf(wordOf(value), subject.locations, cwds) === "wide"
    ? ask("link-wide", `${subject.request.toolName} would link ${value} to a folder elsewhere.`)
    : null;
}

function wordOf(text: string): ShellWord {
  return { ...literalWord(text), isGlob: /[*?[]/.test(text) };
}
