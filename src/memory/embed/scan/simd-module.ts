/** Bytes of WebAssembly code. Binary format and opcodes: https://webassembly.github.io/spec/core/binary/ */
type Code = readonly number[];

/** A module of less than 1 KB that imports `env.memory` and exports `dots` of `Kernel`. */
export function simdModule(): Uint8Array<ArrayBuffer> {
  const { parameters, locals, body } = dots;
  const type = [0x60, ...vector(parameters.map((one) => [one])), ...vector([])];
  const code = [...vector(locals.map((one) => [1, one])), ...body, end];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, type),
    ...section(2, [...text('env'), ...text('memory'), 0x02, 0x00, ...unsigned(1)]),
    ...section(3, unsigned(0)),
    ...section(7, [...text('dots'), 0x00, ...unsigned(0)]),
    ...section(10, [...unsigned(code.length), ...code]),
  ]);
}

const valueType = { i32: 0x7f, v128: 0x7b };
const end = 0x0b;
const i32Add = 0x6a;
const i32LessUnsigned = 0x49;
const i32Store: Code = [0x36, 0x02, 0x00];

const get = (local: number): Code => [0x20, ...unsigned(local)];
const set = (local: number): Code => [0x21, ...unsigned(local)];
const i32 = (value: number): Code => [0x41, ...signed(value)];

/** Repeats `body` while it leaves a number other than 0. */
const repeat = (body: Code): Code => [0x03, 0x40, ...body, 0x0d, 0x00, end];

/** Adds `bytes` to a local. */
const step = (local: number, bytes: number): Code => [...get(local), ...i32(bytes), i32Add, ...set(local)];

const simd = (opcode: number, ...rest: number[]): Code => [0xfd, ...unsigned(opcode), ...rest];

/** Instructions on 128 bits. Addresses need no alignment. */
const v128 = {
  load: (offset = 0): Code => simd(0x00, 0x00, ...unsigned(offset)),
  zero: simd(0x0c, ...new Array<number>(16).fill(0)),
  i16FromLowI8: simd(0x87),
  i16FromHighI8: simd(0x88),
  /** Products of eight 16-bit pairs, neighbours added: four 32-bit sums. */
  i32DotI16: simd(0xba),
  i32Add: simd(0xae),
  i32Lane: (lane: number): Code => simd(0x1b, lane),
};

const dots = (() => {
  const [row, count, stride, query, out, at, rowEnd, codes, low, high] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ] as const;
  const addProducts = (extended: Code, offset: number, sum: number): Code => [
    ...[...get(codes), ...extended, ...get(at), ...v128.load(offset), ...v128.i32DotI16],
    ...[...get(sum), ...v128.i32Add, ...set(sum)],
  ];
  const ofRow = repeat([
    ...[...get(row), ...v128.load(), ...set(codes)],
    ...addProducts(v128.i16FromLowI8, 0, low),
    ...addProducts(v128.i16FromHighI8, 16, high),
    ...[...step(row, 16), ...step(at, 32)],
    ...[...get(row), ...get(rowEnd), i32LessUnsigned],
  ]);
  const laneSum = [0, 1, 2, 3].flatMap((lane) => [
    ...get(low),
    ...v128.i32Lane(lane),
    ...(lane === 0 ? [] : [i32Add]),
  ]);
  const { i32: int, v128: wide } = valueType;
  return {
    parameters: [int, int, int, int, int],
    locals: [int, int, wide, wide, wide],
    body: repeat([
      ...[...v128.zero, ...set(low), ...v128.zero, ...set(high)],
      ...[...get(query), ...set(at)],
      ...[...get(row), ...get(stride), i32Add, ...set(rowEnd)],
      ...ofRow,
      ...[...get(low), ...get(high), ...v128.i32Add, ...set(low)],
      ...[...get(out), ...laneSum, ...i32Store],
      ...step(out, 4),
      ...[...step(count, -1), ...get(count)],
    ]),
  };
})();

/** A section of one item. */
function section(id: number, item: Code): Code {
  const content = vector([item]);
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
