/**
 * A reader of the store that asks the database of the moment with each call, however often a rebuild replaces it: who
 * asks several times in a row is never left with one that is closed.
 */
export function askCurrent<Rows extends object>(use: <T>(work: (rows: Rows) => T) => T): Rows {
  return new Proxy<Rows>({} as Rows, {
    get:
      (_, name) =>
      (...asked: unknown[]) =>
        use((rows) => (rows[name as keyof Rows] as (...given: unknown[]) => unknown)(...asked)),
  });
}
