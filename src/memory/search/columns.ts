/** In-memory data of the scan: a code and the filter columns of each document, by its number. */
export interface Columns {
  /** One more than the highest document number. */
  readonly size: number;
  readonly vectors: number;
  readonly codes: Uint32Array;
  readonly wordsPerCode: number;
  put(doc: number, row: ColumnRow): void;
  setCode(doc: number, code: Uint32Array | null): void;
  has(doc: number): boolean;
  remove(doc: number): void;
  /** 1 for each document that has a vector and passes the filter. Read-only, valid until the next change. */
  allowed(filter: ColumnFilter): Uint8Array;
}

export interface ColumnRow {
  readonly kind: number;
  readonly type: number;
  readonly session: number;
  readonly project: number | null;
  readonly tool: number | null;
  readonly branch: number | null;
  readonly success: number | null;
  readonly createdMs: number;
}

/** For each column the accepted name ids; undefined: any. */
export interface ColumnFilter {
  readonly equal: Readonly<Partial<Record<FilterColumn, readonly number[]>>>;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** Only these documents. */
  readonly only?: readonly number[] | undefined;
  readonly except?: readonly number[] | undefined;
}

export const FILTER_COLUMNS = ["kind", "type", "session", "project", "tool", "branch", "success"] as const;
export type FilterColumn = (typeof FILTER_COLUMNS)[number];

/** `wordsPerCode` are 32-bit words. `expected` is the number of documents to allocate for. */
export function createColumns(wordsPerCode: number, expected = 1024): Columns {
  let capacity = expected;
  let size = 0;
  let vectors = 0;
  let codes = new Uint32Array(capacity * wordsPerCode);
  let hasVector = new Uint8Array(capacity);
  let created = new Float64Array(capacity);
  const equal = Object.fromEntries(
    FILTER_COLUMNS.map((column) => [column, new Uint32Array(capacity)]),
  ) as Record<FilterColumn, Uint32Array>;

  function grow(doc: number): void {
    if (doc < size) return;
    size = doc + 1;
    if (size <= capacity) return;
    capacity = Math.max(size, Math.ceil(capacity * 1.25));
    codes = copyInto(codes, new Uint32Array(capacity * wordsPerCode));
    hasVector = copyInto(hasVector, new Uint8Array(capacity));
    created = copyInto(created, new Float64Array(capacity));
    for (const column of FILTER_COLUMNS) equal[column] = copyInto(equal[column], new Uint32Array(capacity));
  }

  const columns: Columns = {
    wordsPerCode,
    get size() {
      return size;
    },
    get vectors() {
      return vectors;
    },
    get codes() {
      return codes;
    },
    put(doc, row) {
      grow(doc);
      created[doc] = row.createdMs;
      // Stored plus one: 0 means none.
      for (const column of FILTER_COLUMNS) equal[column][doc] = (row[column] ?? -1) + 1;
    },
    setCode(doc, code) {
      grow(doc);
      vectors += (code === null ? 0 : 1) - hasVector[doc]!;
      hasVector[doc] = code === null ? 0 : 1;
      if (code !== null) codes.set(code, doc * wordsPerCode);
    },
    has: (doc) => hasVector[doc] === 1,
    remove(doc) {
      if (doc < size) columns.setCode(doc, null);
    },
    allowed(filter) {
      if (isUnfiltered(filter)) return hasVector;
      const allowed = filter.only === undefined ? hasVector.slice(0, size) : new Uint8Array(size);
      for (const doc of filter.only ?? []) if (doc < size) allowed[doc] = hasVector[doc]!;
      for (const column of FILTER_COLUMNS) keepEqual(allowed, equal[column], filter.equal[column]);
      const { sinceMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY } = filter;
      if (sinceMs !== Number.NEGATIVE_INFINITY || untilMs !== Number.POSITIVE_INFINITY)
        for (let doc = 0; doc < size; doc++)
          if (created[doc]! < sinceMs || created[doc]! > untilMs) allowed[doc] = 0;
      for (const doc of filter.except ?? []) if (doc < size) allowed[doc] = 0;
      return allowed;
    },
  };
  return columns;
}

function isUnfiltered({ equal, ...rest }: ColumnFilter): boolean {
  return [...Object.values(equal), ...Object.values(rest)].every((accepted) => accepted === undefined);
}

function keepEqual(allowed: Uint8Array, column: Uint32Array, accepted: readonly number[] | undefined): void {
  if (accepted === undefined) return;
  const [first = -1] = accepted;
  const set = accepted.length > 1 ? new Set(accepted.map((id) => id + 1)) : null;
  for (let doc = 0; doc < allowed.length; doc++) {
    if (set === null ? column[doc] !== first + 1 : !set.has(column[doc]!)) allowed[doc] = 0;
  }
}

function copyInto<T extends Uint8Array | Uint32Array | Float64Array>(old: T, next: T): T {
  next.set(old);
  return next;
}
