import { isAbsolute, join, relative, resolve } from "node:path";
import { asObject, list, nonEmpty } from "../../agents/read-json.ts";
import { commandsIn } from "./describe-settings.ts";
import { parseJsonFile } from "./parse-json.ts";
import type { ProjectFile } from "./read-project-file.ts";

const MAX_WORDS = 2_000;

/**
 * Files of the project that its settings' commands name by path: a hook's script, a server's program. What
 * those load in turn is not followed.
 */
export function namedPrograms(root: string, parts: readonly ProjectFile[]): string[] {
  const found = new Set<string>();
  for (const part of parts) {
    const folder = join(root, part.file, "..");
    const bases = new Set([root, folder.replace(/\/\.claude(\/.*)?$/, ""), folder]);
    for (const { words, base } of commandWords(part)) {
      const baseFolders = base === null ? bases : [...bases].map((dir) => resolve(dir, base));
      for (const word of words.slice(0, MAX_WORDS)) {
        const path = word.replace(/^\$\{?CLAUDE_PROJECT_DIR\}?\/?/, `${root}/`);
        for (const baseFolder of baseFolders) {
          const file = relative(root, isAbsolute(path) ? path : resolve(baseFolder, path));
          if (file !== "" && !file.startsWith("..") && !isAbsolute(file)) found.add(file);
        }
      }
    }
  }
  return [...found].sort();
}

interface CommandWords {
  readonly words: readonly string[];
  /** The folder that the command runs in, if it specifies one. */
  readonly base: string | null;
}

function commandWords({ file, text }: ProjectFile): CommandWords[] {
  if (text === null) return [];
  if (file.endsWith(".md")) {
    // In front matter: skills and agents may add hooks and servers.
    const commands = [...text.matchAll(/^[\s-]*["']?command["']?\s*:(.+)$/gm)].map((match) => match[1]!);
    return commands.map((command) => ({ words: split(command), base: null }));
  }
  if (!file.endsWith(".json")) return [];
  const parsed = parseJsonFile(text);
  if (parsed.type === "problem") return [];
  const servers = Object.values(asObject(parsed.value["mcpServers"])).map((value) => {
    const server = asObject(value);
    const words = [server["command"], ...list(server, "args")].filter((word) => typeof word === "string");
    return { words: [...words, ...words.flatMap(split)], base: nonEmpty(server, "cwd") ?? null };
  });
  return [...servers, ...commandsIn(parsed.value).map((command) => ({ words: split(command), base: null }))];
}

/** With quotes removed (`"$DIR"/run.sh`), and with quotes as word boundaries (`sh -c "./run.sh"`). */
function split(command: string): string[] {
  const readings = [command.replace(/["'\\]/g, ""), command];
  const words = readings.flatMap((text) => text.split(/[\s"'`;|&()<>=]+/));
  return [...new Set(words)].filter((word) => word !== "" && word.length < 1_000);
}
