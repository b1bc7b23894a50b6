import { AppError } from "../../app-error.ts";

export function embedderFailed(why: string): AppError {
  return new AppError("embedder_failed", `the embedder failed: ${why}`);
}

export function embedderUnavailable(why: string): AppError {
  return new AppError("embedder_unavailable", why);
}

export function embedderClosed(): AppError {
  return new AppError("embedder_closed", "the embedder was closed");
}
