import { overwrites } from "./dangerous-devices.ts";
import { ask, deny, type Finding, gravest } from "./finding.ts";
import { foldersNamed } from "./given-folders.ts";
import { pathsOf } from "./places.ts";
import { literalWord, type ShellWord } from "./shell/shell-reading.ts";
import type { Subject } from "./subject.ts";
import { type Field, fieldsOf, type ToolWords, toolWords } from "./tool-fields.ts";
import { isPathKey, isTextField, namedPaths, removesByName } from "./tools.ts";
import { isMachineFolder, reachOf } from "./wide-targets.ts";

/** What a tool would destroy for good, by what it is called and the paths that it is given: as a command would. */
export function dangerByTool(subject: Subject): Finding | null {
  const { kind, request, input, places } = subject;
  const { toolName } = request;
  if (kind === "edit")
    return gravest(
      namedPaths(request, input).flatMap(({ path }) =>
        pathsOf(path, places).map((each) => overwrites(each, path, toolName)),
      ),
    );
  if (kind !== "other") return null;
  const fields = fieldsOf(input);
  const words = toolWords(toolName, fields);
  const use: ToolUse = { subject, words, fields, cwds: foldersNamed(subject.guessed.folders, places) };
  return gravest([powerOf(use), ...devicesOf(use), ...wideOf(use)]);
}

interface ToolUse {
  readonly subject: Subject;
  readonly words: ToolWords;
  readonly fields: readonly Field[];
  readonly cwds: readonly string[];
}

const TELLS =
  /\b(?:get|list|info|status|show|describe|stat|read|find|search|check|scan|usage|health|view|smart|test|is|can)\b/;

const OF_THE_MACHINE =
  /\b(?:system|os|computer|machine|power|desktop|pc|linux|mac ?os|windows|localhost|this host)\b/;
const TAKES_DOWN =
  /\b(?:shut ?down|power ?off|reboot|halt|hibernate|suspend|(?:restart|stop|sleep) (?:computer|machine|system|host|pc)|(?:system|os|computer|machine|pc) restart)\b/;
/** With one of these something else is meant: an instance, a container, a lamp. */
const OTHER_KEY =
  /id$|instance|vm|container|server|node|cluster|device|service|^name$|host|app|process|pod|db|robot|unit/i;

function powerOf({ words, fields, subject }: ToolUse): Finding | null {
  const isMeant = OF_THE_MACHINE.test(words.all) && TAKES_DOWN.test(words.all) && !TELLS.test(words.acts);
  return isMeant && !fields.some(({ key }) => OTHER_KEY.test(key))
    ? deny("power", `${subject.request.toolName} takes the machine down.`)
    : null;
}

const SOURCE_KEY = /^(?:source|src|from|input|if|in|image|old\w*)$|^(?:source|src|from)_/i;
const TARGET_KEY =
  /^(?:dest\w*|dst|to|of|new\w*|target\w*|output|out|link)$|^(?:dest|destination|target|new)_/i;
const WRITES =
  /\b(?:write|save|copy|cp|dd|format|mkfs|wipe|erase|flash|burn|partition|restore|overwrite|append|edit|create|put|store|download|export|shred|zero|clone|move|mv|patch|update|truncate|delete|remove)/;
const DISK = /^\/dev\/(?:[shv]d[a-z]|xvd|nvme\d|mmcblk|r?disk\d|mapper\/|md\d|dm-|zd\d|k?mem$|port$)/;

/** Disks and the like that it writes to. */
function devicesOf({ words, fields, cwds, subject }: ToolUse): readonly (Finding | null)[] {
  const writes = WRITES.test(words.acts);
  if (!writes && TELLS.test(words.acts)) return [];
  const { request, places, guessed } = subject;
  const given = fields.flatMap(({ key, value }) =>
    typeof value === "string" && !SOURCE_KEY.test(key) && isPathText(key, value)
      ? [{ path: value, isFile: writes && (isPathKey(key) || TARGET_KEY.test(key)) }]
      : [],
  );
  const patched = guessed.patched.map((path) => ({ path, isFile: true }));
  return [...given, ...patched].flatMap(({ path, isFile }) => {
    if (!/^\/(?:dev|proc|sys)\//.test(path) && !cwds.some((cwd) => /^\/(?:dev|proc|sys)(?:\/|$)/.test(cwd)))
      return [];
    return pathsOf(path, places, cwds)
      .filter((each) => isFile || DISK.test(each))
      .map((each) => overwrites(each, path, request.toolName));
  });
}

const REMOVES =
  /\b(?:delete|del|remove|unlink|rmdir|rmtree|trash|wipe|purge|rm|rmrf|rimraf|erase|empty|clear|clean|cleanup|prune|destroy|nuke|truncate|shred|absent)\b/;
const MOVES = /\b(?:move|mv|rename|relocate)\b/;
const CHANGES = /\b(?:chown|chmod|chgrp|chattr|permissions?|owner(?:ship)?|acl|attributes?)\b/;
const SYNCS = /\b(?:r?sync|mirror|replicate)\b/;
const SYNC_REMOVES = /delete|remove|purge|mirror|clean|prune|extraneous/i;
const LINKS = /\b(?:sym ?link|junction|ln|(?:create|make|add) link|link (?:file|folder|dir|path))/;
/** A path of theirs is none of a disk. */
const ELSEWHERE =
  /\b(?:cache|cdn|cloudflare|routes?|redis|kv|s3|gcs|buckets?|blobs?|dns|http|api|urls?|web|redirects?|cookies?|github|gitlab|notes?|labels?|tags?|comments?|dropbox|drive|docker|containers?|kube\w*|k8s)\b/;
/** Keys of the folder that a tool works in: it means them only where it is given nothing else. */
const CONTEXT_KEY =
  /^(?:root|cwd|wd|pwd|chdir|base|prefix|parent|repo|repository|project|workspace|home)$|(?:root|base|work(?:ing)?|current|start|project|repo|workspace)_?(?:path|dir|directory|folder)$/i;

/** All of a home or of the machine that it removes, moves away or changes. */
function wideOf(use: ToolUse): readonly (Finding | null)[] {
  const { words, fields, subject } = use;
  const { acts, all } = words;
  if (ELSEWHERE.test(all)) return [];
  const texts = fields.filter((field): field is TextField => typeof field.value === "string");
  const isAlone = texts.every(({ key }) => CONTEXT_KEY.test(key));
  const paths = texts.filter(
    ({ key, value }) => isPathText(key, value) && (isAlone || !CONTEXT_KEY.test(key)),
  );
  const sources = paths.filter(({ key }) => !TARGET_KEY.test(key) || /^targets?$/i.test(key));
  const isDeep = fields.some(({ key, value }) => /recurs|deep|^r$/i.test(key) && value !== false);
  const emptied = fields.some(({ key, value }) => SYNC_REMOVES.test(key) && value === true);
  const found: (Finding | null)[] = [];
  if (SYNCS.test(acts) && (emptied || /\bmirror\b/.test(acts)))
    found.push(
      ...judged(
        use,
        paths.filter(({ key }) => TARGET_KEY.test(key)),
        "remove-root",
        "empties",
      ),
    );
  else if (REMOVES.test(acts) || removesByName(subject.request.toolName))
    found.push(...judged(use, paths, "remove-root", "removes"));
  if (MOVES.test(acts)) found.push(...judged(use, sources, "move-root", "moves away"));
  if (CHANGES.test(acts) && !TELLS.test(acts)) found.push(...paths.map((each) => changed(use, each, isDeep)));
  if (LINKS.test(acts)) found.push(...paths.map((each) => linked(use, each)));
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

function judged(
  { subject, cwds }: ToolUse,
  fields: readonly TextField[],
  rule: string,
  does: string,
): readonly (Finding | null)[] {
  const who = subject.request.toolName;
  return fields.map(({ value }) => {
    switch (reachOf(wordOf(value), subject.places, cwds)) {
      case "wide":
        return deny(rule, `${who} ${does} ${value}, which is never done from here.`);
      case "system":
        return ask("remove-wide", `${who} ${does} ${value}, which belongs to more than this work.`);
      case "workspace":
        return ask("remove-workspace", `${who} ${does} the whole workspace.`);
      default:
        return null;
    }
  });
}

function changed({ subject, cwds }: ToolUse, { value }: TextField, isDeep: boolean): Finding | null {
  const { places, request } = subject;
  const word = wordOf(value);
  if (reachOf(word, places, cwds) !== "wide") return null;
  return isDeep || isMachineFolder(word, places, cwds)
    ? deny("change-root", `${request.toolName} changes all of ${value}, which is never done from here.`)
    : ask("change-root", `${request.toolName} changes ${value}, a folder above this work.`);
}

function linked({ subject, cwds }: ToolUse, { value }: TextField): Finding | null {
  return /^[~/]/.test(value) && reachOf(wordOf(value), subject.places, cwds) === "wide"
    ? ask("link-wide", `${subject.request.toolName} makes ${value} look like a folder elsewhere.`)
    : null;
}

function wordOf(text: string): ShellWord {
  return { ...literalWord(text), isGlob: /[*?[]/.test(text) };
}
