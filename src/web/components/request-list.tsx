import { type ReactNode, useCallback, useRef } from "react";
import { type AttentionRequest, groupEqual, isRegistryKey } from "../api/requests.ts";
import { useFrozenOrder } from "./frozen-order.ts";
import { wouldShiftUnderPointer } from "./pointer.ts";
import { RequestCard } from "./request-card.tsx";

/** How long the slot of an ended request stays after the pointer has left or stopped. */
const SLOT_MS = 3_000;
/** A pointer at rest for this long is not about to click: empty slots are removed. */
const REST_MS = 3_000;

/**
 * Requests, each with its own text and answers. While the user points at the list or has the focus in it,
 * nothing moves up: ended requests leave an empty slot, and new ones are appended.
 */
export function RequestList({
  requests,
  isOnOwnPage = false,
  empty,
}: {
  readonly requests: readonly AttentionRequest[];
  readonly isOnOwnPage?: boolean;
  /** Shown when there are none. */
  readonly empty?: ReactNode;
}) {
  const shown = groupEqual(requests);
  const latest = useRef(new Map<string, AttentionRequest>());
  for (const request of shown) latest.current.set(request.key, request);
  const find = useCallback((key: string) => latest.current.get(key), []);
  const replacementFor = (removed: string, added: readonly string[]): string | undefined => {
    const sessionId = isRegistryKey(removed) ? find(removed)?.sessionId : undefined;
    return added.find((key) => find(key)?.sessionId === sessionId);
  };
  const list = useFrozenOrder(shown, {
    keyOf,
    find,
    appendsNew: true,
    replacementFor,
    lingerMs: SLOT_MS,
    restMs: REST_MS,
  });
  const listed = new Set(shown.map(keyOf));
  const rendered = new Set(list.items.map(keyOf));
  for (const key of latest.current.keys()) if (!rendered.has(key)) latest.current.delete(key);
  return (
    <div className="requests" {...list.handlers}>
      {list.items.length === 0 && empty}
      {list.items.map((request) => (
        <RequestCard
          key={request.key}
          request={request}
          hasEnded={!listed.has(request.key)}
          isFrozen={list.isFrozen}
          isOnOwnPage={isOnOwnPage}
          onAnswered={(element) => {
            // Without a card below, no button can move under the pointer.
            const isLast = list.items.at(-1)?.key === request.key;
            if (isLast || !wouldShiftUnderPointer(element)) list.drop(request.key);
          }}
        />
      ))}
    </div>
  );
}

function keyOf({ key }: AttentionRequest): string {
  return key;
}
