import { useEffect, useState } from "react";
import { get } from "../api/client.ts";
import { blobHashOf } from "./call-hunks.ts";

export type BlobValue =
  | { readonly type: "complete"; readonly value: unknown }
  | { readonly type: "loading"; readonly value: unknown }
  /** Only the beginning is available. */
  | { readonly type: "truncated"; readonly value: unknown };

const cache = new Map<string, Promise<unknown>>();
const MAX_CACHED = 200;

/** Content under a hash never changes, so it is fetched once. */
export function readBlob(hash: string): Promise<unknown> {
  const cached = cache.get(hash);
  if (cached !== undefined) return cached;
  const request = get<unknown>(`/api/blobs/${hash}`);
  cache.set(hash, request);
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
  request.catch(() => cache.delete(hash));
  return request;
}

/** Fetches the complete value if the event has only a preview. */
export function useBlobValue(preview: unknown, isEnabled: boolean): BlobValue {
  const hash = blobHashOf(preview);
  const [complete, setComplete] = useState<{ hash: string; value: unknown } | "failed" | null>(null);
  useEffect(() => {
    if (hash === null || !isEnabled) return;
    let isMounted = true;
    readBlob(hash).then(
      (value) => isMounted && setComplete({ hash, value }),
      () => isMounted && setComplete("failed"),
    );
    return () => {
      isMounted = false;
    };
  }, [hash, isEnabled]);
  if (hash === null) return { type: "complete", value: preview };
  if (complete === "failed") return { type: "truncated", value: preview };
  return complete?.hash === hash
    ? { type: "complete", value: complete.value }
    : { type: "loading", value: preview };
}
