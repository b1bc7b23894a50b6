import { useEffect, useState } from "react";
import { get } from "../api/client.ts";
import { blobHashOf } from "./call-hunks.ts";

export type BlobValue =
  | { readonly type: "whole"; readonly value: unknown }
  | { readonly type: "asking"; readonly value: unknown }
  /** Only the beginning is available. */
  | { readonly type: "cut"; readonly value: unknown };

const cache = new Map<string, Promise<unknown>>();
const MAX_CACHED = 200;

/** Content under a hash never changes, so it is fetched once. */
export function readBlob(hash: string): Promise<unknown> {
  const known = cache.get(hash);
  if (known !== undefined) return known;
  const asked = get<unknown>(`/api/blobs/${hash}`);
  cache.set(hash, asked);
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
  asked.catch(() => cache.delete(hash));
  return asked;
}

/** A complete value, even if the event has only a preview of it. */
export function useBlobValue(preview: unknown, isWanted: boolean): BlobValue {
  const hash = blobHashOf(preview);
  const [whole, setWhole] = useState<{ hash: string; value: unknown } | "failed" | null>(null);
  useEffect(() => {
    if (hash === null || !isWanted) return;
    let isHere = true;
    readBlob(hash).then(
      (value) => isHere && setWhole({ hash, value }),
      () => isHere && setWhole("failed"),
    );
    return () => {
      isHere = false;
    };
  }, [hash, isWanted]);
  if (hash === null) return { type: "whole", value: preview };
  if (whole === "failed") return { type: "cut", value: preview };
  return whole?.hash === hash ? { type: "whole", value: whole.value } : { type: "asking", value: preview };
}
