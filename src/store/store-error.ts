/**
 * What an engine error means to the caller.
 * - busy: another process holds a lock; a retry may succeed soon.
 * - full: no disk space, or a disk error; a retry may succeed once that is fixed.
 * - corrupt: unreadable; the store must be rebuilt.
 * - refused: this row violates a constraint; others can still be stored.
 */
export type StoreErrorKind = "busy" | "full" | "corrupt" | "refused" | "other";

/** An engine error. Its message comes from the engine and contains no stored content. */
export class StoreError extends Error {
  readonly kind: StoreErrorKind;

  constructor(kind: StoreErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreError";
    this.kind = kind;
  }
}

/** Undefined if it is not a store error. */
export function storeErrorKind(error: unknown): StoreErrorKind | undefined {
  return error instanceof StoreError ? error.kind : undefined;
}
