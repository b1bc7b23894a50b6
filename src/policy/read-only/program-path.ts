/** Whether a program is named by itself, or by a folder that only the machine's owner fills. */
export function isSystemPath(path: string): boolean {
  return !path.includes("/") || /^\/(?:usr\/)?bin\/[^/]+$/.test(path);
}
