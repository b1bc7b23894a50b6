/** Whether a program is called by its bare name, or by a path in a folder that only root can write to. */
export function isSystemPath(path: string): boolean {
  return !path.includes("/") || /^\/(?:usr\/)?bin\/[^/]+$/.test(path);
}
