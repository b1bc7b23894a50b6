/** Identifies a request in an envelope. */
export interface RequestRef {
  readonly toolUseId: string;
  /** Set where it differs from the call's id. */
  readonly requestId?: string | undefined;
}

/** The id under which a request of a driven session is known, shown and answered. */
export function requestIdOf({ requestId, toolUseId }: RequestRef): string {
  return requestId ?? toolUseId;
}
