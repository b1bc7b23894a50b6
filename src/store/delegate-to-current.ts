/**
 * A reader that resolves the current database on each call, so that a caller that queries several times never
 * holds one that a rebuild has closed.
 */
export function delegateToCurrent<Rows extends object>(use: <T>(work: (rows: Rows) => T) => T): Rows {
  return new Proxy<Rows>({} as Rows, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        use((rows) => (rows[name as keyof Rows] as (...args: unknown[]) => unknown)(...args)),
  });
}
