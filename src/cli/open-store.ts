import type { Home } from "../home.ts";
import type { Store } from "../store/store.ts";

/** The store for read-only commands, with or without a daemon. */
export async function openStore(home: Pick<Home, "db">): Promise<Store> {
  // Lazy: most commands ask the daemon.
  const { openSqliteStore } = await import("../store/sqlite/sqlite-store.ts");
  return openSqliteStore(home.db, { readOnly: true });
}
