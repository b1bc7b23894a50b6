/** The host names by which local programs reach us: any other comes from a page (DNS rebinding). */
export function isOurHost(host: string | undefined, port: number | null): boolean {
  return port !== null && [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`].includes(host ?? "");
}
