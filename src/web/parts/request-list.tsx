import { type ReactNode, useCallback, useRef } from "react";
import { groupEqual, isUnnamed, type NeedsYou } from "../api/requests.ts";
import { useFrozenOrder } from "./frozen-order.ts";
import { wouldSlide } from "./pointer.ts";
import { RequestCard } from "./request-card.tsx";

/** The place of a request that is over stays so long after the pointer has gone elsewhere, or rests. */
const PLACE_MS = 3_000;
/** A hand that has rested for so long is not about to press: the places it has left empty go, too. */
const REST_MS = 8_000;

/**
 * Requests, each with its own text and its own answers. While somebody points at the list or is in it, nothing of it
 * moves up: what is over leaves its place empty, and what is new comes at the end.
 */
export function RequestList({
  requests,
  isOnOwnPage = false,
  empty,
}: {
  readonly requests: readonly NeedsYou[];
  readonly isOnOwnPage?: boolean;
  /** Shown where there is none. */
  readonly empty?: ReactNode;
}) {
  const shown = groupEqual(requests);
  const last = useRef(new Map<string, NeedsYou>());
  for (const one of shown) last.current.set(one.key, one);
  const find = useCallback((key: string) => last.current.get(key), []);
  const heirOf = (gone: string, come: readonly string[]): string | undefined => {
    const sessionId = isUnnamed(gone) ? find(gone)?.sessionId : undefined;
    return come.find((key) => find(key)?.sessionId === sessionId);
  };
  const list = useFrozenOrder(shown, {
    keyOf,
    find,
    takesNew: true,
    heirOf,
    lingerMs: PLACE_MS,
    restMs: REST_MS,
  });
  const listed = new Set(shown.map(keyOf));
  const held = new Set(list.items.map(keyOf));
  for (const key of last.current.keys()) if (!held.has(key)) last.current.delete(key);
  return (
    <div className="requests" {...list.holders}>
      {list.items.length === 0 && empty}
      {list.items.map((request) => (
        <RequestCard
          key={request.key}
          request={request}
          isOver={!listed.has(request.key)}
          isHeld={list.isHeld}
          isOnOwnPage={isOnOwnPage}
          onAnswered={(element) => {
            if (!wouldSlide(element)) list.drop(request.key);
          }}
        />
      ))}
    </div>
  );
}

function keyOf({ key }: NeedsYou): string {
  return key;
}
