import { useEffect, useState } from "react";
import { get } from "../api/client.ts";
import { blobOf } from "./call-hunks.ts";

export type Whole =
  | { readonly type: "whole"; readonly value: unknown }
  | { readonly type: "asking"; readonly value: unknown }
  /** Only the beginning is there. */
  | { readonly type: "cut"; readonly value: unknown };

const kept = new Map<string, Promise<unknown>>();
const MOST_KEPT = 200;

/** What is kept under a hash never changes, so that it is asked for once. */
export function readBlob(hash: string): Promise<unknown> {
  const known = kept.get(hash);
  if (known !== undefined) return known;
  const asked = get<unknown>(`/api/blobs/${hash}`);
  kept.set(hash, asked);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  asked.catch(() => kept.delete(hash));
  return asked;
}

/** A value whole, also when the event has only a preview of it. */
export function useWhole(preview: unknown, isWanted: boolean): Whole {
  const hash = blobOf(preview);
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
