/**
 * A small assembler for WebAssembly modules of a few functions over one imported memory. Binary format and opcodes: https://webassembly.github.io/spec/core/binary/
 */
export type Code = readonly number[];

export interface FunctionParts {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
  readonly locals: readonly ValueType[];
  readonly body: Code;
}

export const valueTypes = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const;
export type ValueType = keyof typeof valueTypes;

/** The bytes of a module that imports `env.memory` and exports `functions`. */
export function moduleOf(functions: readonly FunctionParts[]): Uint8Array<ArrayBuffer> {
  const typeOf = ({ parameters, results }: FunctionParts) => [
    0x60,
    ...vector(parameters.map((type) => [valueTypes[type]])),
    ...vector(results.map((type) => [valueTypes[type]])),
  ];
  const codeOf = ({ locals, body }: FunctionParts) => {
    const code = [...vector(locals.map((type) => [1, valueTypes[type]])), ...body, op.end];
    return [...unsigned(code.length), ...code];
  };
  const memory = [...text('env'), ...text('memory'), 0x02, 0x00, ...unsigned(1)];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, functions.map(typeOf)),
    ...section(2, [memory]),
    ...section(
      3,
      functions.map((_, at) => unsigned(at)),
    ),
    ...section(
      7,
      functions.map(({ name }, at) => [...text(name), 0x00, ...unsigned(at)]),
    ),
    ...section(10, functions.map(codeOf)),
  ]);
}

export const op = {
  end: 0x0b,
  i32Add: 0x6a,
  i32LessUnsigned: 0x49,
  f32Add: 0x92,
} as const;

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number): Code => [0x21, ...unsigned(local)];
export const i32 = (value: number): Code => [0x41, ...signed(value)];
export const i32Store: Code = [0x36, 0x02, 0x00];

/** Repeats `body` while it leaves a number other than 0. */
export const again = (body: Code): Code => [0x03, 0x40, ...body, 0x0d, 0x00, op.end];

/** Adds `bytes` to a local. */
export const step = (local: number, bytes: number): Code => [
  ...get(local),
  ...i32(bytes),
  op.i32Add,
  ...set(local),
];

const simd = (opcode: number, ...rest: number[]): Code => [0xfd, ...unsigned(opcode), ...rest];

/** Instructions on 128 bits. Addresses need no alignment. */
export const v128 = {
  load: (offset = 0): Code => simd(0x00, 0x00, ...unsigned(offset)),
  /** Four bytes into the lowest 32 bits. */
  load32: (offset = 0): Code => simd(0x5c, 0x00, ...unsigned(offset)),
  store: simd(0x0b, 0x00, 0x00),
  zero: simd(0x0c, ...new Array<number>(16).fill(0)),
  i16FromLowI8: simd(0x87),
  i16FromHighI8: simd(0x88),
  i32FromLowI16: simd(0xa7),
  /** Products of eight 16-bit pairs, neighbours added: four 32-bit sums. */
  i32DotI16: simd(0xba),
  i32Add: simd(0xae),
  i32Lane: (lane: number): Code => simd(0x1b, lane),
  f32Splat: simd(0x13),
  f32Lane: (lane: number): Code => simd(0x1f, lane),
  f32FromI32: simd(0xfa),
  f32Add: simd(0xe4),
  f32Mul: simd(0xe6),
} as const;

function section(id: number, items: readonly Code[]): Code {
  const content = vector(items);
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): Code {
  return [...unsigned(value.length), ...Buffer.from(value, 'latin1')];
}

/** LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  do {
    const low = left & 0x7f;
    left >>>= 7;
    bytes.push(left === 0 ? low : low | 0x80);
  } while (left !== 0);
  return bytes;
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left >>= 7) {
    const low = left & 0x7f;
    const isLast = left >> 7 === (low & 0x40 ? -1 : 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}
