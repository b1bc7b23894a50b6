import { posix } from "node:path";
import { isInside, type Locations, pathsOf } from "./locations.ts";
import { isKnown, type ShellCommand, type ShellWord } from "./shell/shell-reading.ts";

interface Link {
  readonly path: string;
  readonly target: string;
}

/**
 * Links that a script creates count as existing: what it writes into one, it writes to the link's target. Returns the
 * locations as each of its commands sees them.
 */
export function withScriptLinks(
  locations: Locations,
  commands: readonly ShellCommand[],
): (command: ShellCommand) => Locations {
  const linkCommands = commands.filter(makesLinks);
  const links = linkCommands.flatMap((command) => linksOf(command, locations));
  if (links.length === 0) return () => locations;
  const { world } = locations;
  const realPath = (path: string): string => {
    const link = links.find((created) => isInside(path, created.path));
    return world.realPath(
      link === undefined ? path : posix.normalize(link.target + path.slice(link.path.length)),
    );
  };
  const linked = { ...locations, world: { ...world, realPath } };
  return (command) => (linkCommands.includes(command) ? locations : linked);
}

function makesLinks({ name, args }: ShellCommand): boolean {
  const has = (pattern: RegExp): boolean => args.some((word) => pattern.test(word.text));
  if (/^(?:ln|link|gln)$/.test(name)) return true;
  if (name === "cp" || name === "gcp") return has(/^-[a-zA-Z]*[sl]|^--(?:link|symbolic-link)$/);
  return name === "mount" && has(/^(?:--r?bind|-B|-R|.*\bbind\b.*)$/);
}

function linksOf(command: ShellCommand, locations: Locations): readonly Link[] {
  const words = command.args.filter((word) => !/^-./.test(word.text) && isKnown(word));
  const optionIndex = command.args.findIndex((word) => /^(?:-t|--target-directory)$/.test(word.text));
  const folder = optionIndex >= 0 ? command.args[optionIndex + 1] : undefined;
  const name = folder ?? (words.length > 1 ? words.at(-1) : undefined);
  const targets = words.filter((word) => word !== name);
  const cwds = command.cwds.filter((cwd) => !cwd.includes("\u0000"));
  const absolute = (word: ShellWord): string | undefined => pathsOf(word.text, locations, cwds)[0];
  return targets.flatMap((target) => {
    const targetPath = absolute(target);
    const base = posix.basename(target.text);
    const written = name === undefined ? cwds.map((cwd) => `${cwd}/${base}`) : [absolute(name) ?? ""];
    if (targetPath === undefined) return [];
    return written
      .filter((path) => path !== "" && path !== "/")
      .flatMap((path) => {
        // A link's target is relative to the link's own folder.
        const from = target.text.startsWith("/") ? targetPath : posix.join(posix.dirname(path), target.text);
        return [...new Set([targetPath, from])].flatMap((resolved) => [
          { path: `${path}/${base}`, target: resolved },
          { path, target: resolved },
        ]);
      });
  });
}
