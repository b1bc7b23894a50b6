/**
 * What an engine's error means for whoever asked.
 * - busy: another process holds it; the same may succeed a moment later.
 * - full: there is no room, or the disk fails; the same may succeed once there is.
 * - corrupt: it cannot be read, and has to be made again.
 * - refused: this row breaks a rule of the tables; others go in.
 */
export type StoreTrouble = "busy" | "full" | "corrupt" | "refused" | "other";

/** An error of the engine. Its message is the engine's, and quotes nothing that was stored. */
export class StoreError extends Error {
  readonly kind: StoreTrouble;

  constructor(kind: StoreTrouble, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreError";
    this.kind = kind;
  }
}

/** Undefined for what is no error of a store. */
export function storeTrouble(error: unknown): StoreTrouble | undefined {
  return error instanceof StoreError ? error.kind : undefined;
}
