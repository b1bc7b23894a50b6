import { StoreError } from "../store-error.ts";
import { sqliteErrorKind } from "./database.ts";

/** Converts an engine error to a `StoreError`; returns other errors unchanged. */
export function toStoreError(error: unknown): unknown {
  if (typeof (error as { errcode?: unknown } | null)?.errcode !== "number") return error;
  return new StoreError(sqliteErrorKind(error), (error as Error).message, { cause: error });
}

export function throwStoreError(error: unknown): never {
  throw toStoreError(error);
}

/** Wraps a reader so that its methods fail with a `StoreError`. */
export function withStoreErrors<Reader extends object>(reader: Reader): Reader {
  const wrapped = Object.entries(reader).map(([name, method]) => [
    name,
    typeof method === "function" ? wrap(method as Method) : method,
  ]);
  return Object.fromEntries(wrapped) as Reader;
}

type Method = (...args: unknown[]) => unknown;

function wrap(method: Method): Method {
  return (...args) => {
    try {
      const result = method(...args);
      if (result instanceof Promise) return result.catch(throwStoreError);
      return isAsyncIterable(result) ? withStoreErrorsOn(result) : result;
    } catch (error) {
      throw toStoreError(error);
    }
  };
}

async function* withStoreErrorsOn<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    throw toStoreError(error);
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
