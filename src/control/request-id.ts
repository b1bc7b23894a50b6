/** What names a request in an envelope. */
export interface RequestNames {
  readonly toolUseId: string;
  /** Where it is not the call's id. */
  readonly requestId?: string | undefined;
}

/** What a request of a driven session is known, shown and answered by. */
export function requestIdOf({ requestId, toolUseId }: RequestNames): string {
  return requestId ?? toolUseId;
}
