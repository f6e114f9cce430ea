/** A row as SQLite returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** The text in a column. @throws TypeError when the database does not hold what the schema says. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === 'string') return value;
  throw wrong(column, 'text', value);
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

export function number(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  throw wrong(column, 'a number', value);
}

export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : number(row, column);
}

export function flag(row: Row, column: string): boolean {
  return number(row, column) !== 0;
}

export function blob(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (value instanceof Uint8Array) return value;
  throw wrong(column, 'a blob', value);
}

/** A list made by `json_group_array` of values that have the type of the schema. */
export function list<T extends string | number>(row: Row, column: string): T[] {
  return JSON.parse(text(row, column)) as T[];
}

/** Who recorded a row, and on which device, if that was another author (`originColumns`): read with the row, so that nobody forgets it. */
export interface Origin {
  readonly author?: string;
  readonly device?: string;
}

export function readOrigin({ author, device }: { readonly [Name in keyof Origin]?: unknown }): Origin {
  return {
    ...(typeof author === 'string' && { author }),
    ...(typeof device === 'string' && { device }),
  };
}

type Shape = Readonly<Record<string, (row: Row, column: string) => unknown>>;

/** Reads rows of one shape, each field (`sessionId`) from its column (`session_id`) by a function such as `text`; and their origin. */
export function rowReader<S extends Shape>(
  shape: S,
): (row: Row) => { readonly [Name in keyof S]: ReturnType<S[Name]> } & Origin {
  const fields = Object.entries(shape).map(
    ([name, read]) => [name, name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`), read] as const,
  );
  return (row) => {
    const values: Record<string, unknown> = { ...readOrigin(row) };
    // A loop, since a search reads hundreds of rows.
    for (const [name, column, read] of fields) values[name] = read(row, column);
    return values as { [Name in keyof S]: ReturnType<S[Name]> };
  };
}

function wrong(column: string, kind: string, value: unknown): TypeError {
  return new TypeError(`column ${column} holds ${value === null ? 'null' : typeof value}, not ${kind}`);
}

/** Consecutive variable-length integers (https://www.sqlite.org/fileformat2.html#varint). */
export function variableNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(value);
    value = 0;
  }
  return numbers;
}
