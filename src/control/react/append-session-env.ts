import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { basename, dirname, isAbsolute, normalize } from "node:path";
import { quoteWord } from "../../shell/quote-word.ts";

/**
 * Appends variables to the file that Claude Code reads before it runs a shell. Returns null, or why it
 * failed: the path comes with a request, so only a file of ours in a folder of ours with that name is
 * written.
 */
export function appendSessionEnv(file: string, set: Readonly<Record<string, string>>): string | null {
  const folder = dirname(file);
  if (!isAbsolute(file) || normalize(file) !== file || file.includes("\0") || !file.endsWith(".sh"))
    return "that is not the path of an environment file";
  if (basename(dirname(folder)) !== "session-env")
    return "the environment file does not lie in a session-env folder";
  const folderStats = lstatSync(folder, { throwIfNoEntry: false });
  if (folderStats === undefined || !folderStats.isDirectory() || folderStats.uid !== process.getuid?.())
    return "the folder of the environment file is not ours";
  let descriptor: number;
  try {
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
    descriptor = openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    return `the environment file cannot be written: ${(error as NodeJS.ErrnoException).code}`;
  }
  try {
    const { uid, nlink } = fstatSync(descriptor);
    if (!fstatSync(descriptor).isFile() || uid !== process.getuid?.() || nlink !== 1)
      return "the environment file is not ours";
    const existing = readFileSync(descriptor, "utf8");
    const lines = Object.entries(set).map(
      ([name, value]) => `export ${name}=${quoteWord(value.replaceAll("\0", ""))}\n`,
    );
    const newLines = lines.filter((line) => !existing.includes(line)).join("");
    if (newLines !== "")
      writeSync(descriptor, existing === "" || existing.endsWith("\n") ? newLines : `\n${newLines}`);
    return null;
  } finally {
    closeSync(descriptor);
  }
}
