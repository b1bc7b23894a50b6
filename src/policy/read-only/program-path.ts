/** Whether a program is given by bare name, or in a folder that only the machine's owner can write to. */
export function isSystemPath(path: string): boolean {
  return !path.includes("/") || /^\/(?:usr\/)?bin\/[^/]+$/.test(path);
}
