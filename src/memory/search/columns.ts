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
  let room = expected;
  let size = 0;
  let vectors = 0;
  let codes = new Uint32Array(room * wordsPerCode);
  let has = new Uint8Array(room);
  let created = new Float64Array(room);
  const equal = Object.fromEntries(FILTER_COLUMNS.map((column) => [column, new Uint32Array(room)])) as Record<
    FilterColumn,
    Uint32Array
  >;

  function grow(doc: number): void {
    if (doc < size) return;
    size = doc + 1;
    if (size <= room) return;
    room = Math.max(size, Math.ceil(room * 1.25));
    codes = grown(codes, new Uint32Array(room * wordsPerCode));
    has = grown(has, new Uint8Array(room));
    created = grown(created, new Float64Array(room));
    for (const column of FILTER_COLUMNS) equal[column] = grown(equal[column], new Uint32Array(room));
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
      vectors += (code === null ? 0 : 1) - has[doc]!;
      has[doc] = code === null ? 0 : 1;
      if (code !== null) codes.set(code, doc * wordsPerCode);
    },
    has: (doc) => has[doc] === 1,
    remove(doc) {
      if (doc < size) columns.setCode(doc, null);
    },
    allowed(filter) {
      if (isOpen(filter)) return has;
      const allowed = filter.only === undefined ? has.slice(0, size) : new Uint8Array(size);
      for (const doc of filter.only ?? []) if (doc < size) allowed[doc] = has[doc]!;
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

function isOpen({ equal, ...rest }: ColumnFilter): boolean {
  return [...Object.values(equal), ...Object.values(rest)].every((wanted) => wanted === undefined);
}

function keepEqual(allowed: Uint8Array, column: Uint32Array, wanted: readonly number[] | undefined): void {
  if (wanted === undefined) return;
  const [first = -1] = wanted;
  const set = wanted.length > 1 ? new Set(wanted.map((id) => id + 1)) : null;
  for (let doc = 0; doc < allowed.length; doc++) {
    if (set === null ? column[doc] !== first + 1 : !set.has(column[doc]!)) allowed[doc] = 0;
  }
}

function grown<T extends Uint8Array | Uint32Array | Float64Array>(old: T, next: T): T {
  next.set(old);
  return next;
}
