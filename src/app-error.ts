/** A broken invariant or a misuse that a person must hear about. `code` is stable; tests pin it. */
export class AppError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "AppError";
    this.code = code;
  }
}
