import {
  again,
  type Code,
  type FunctionParts,
  get,
  i32,
  i32Store,
  moduleOf,
  op,
  set,
  step,
  v128,
} from './assemble.ts';

/** The module behind `simdKernel`, less than 1 KB: see `Kernel` for what its functions do. */
export function simdModule(): Uint8Array<ArrayBuffer> {
  return moduleOf([largest, product, along, pack, dots, fallBehind, squareOfSum]);
}

const largest: FunctionParts = (() => {
  const [wide, stride, end, lanes] = [0, 1, 2, 3] as const;
  return {
    name: 'largest',
    parameters: ['i32', 'i32'],
    results: ['f32'],
    locals: ['i32', 'v128'],
    body: [
      ...endOfWide(wide, stride, end),
      ...again([
        ...[...get(lanes), ...get(wide), ...v128.load(), ...v128.f32Abs, ...v128.f32Max, ...set(lanes)],
        ...[...step(wide, 16), ...isBefore(wide, end)],
      ]),
      ...joined(lanes, v128.f32Lane, op.f32Max),
    ],
  };
})();

/** The sum of products of a wide vector with another one, which `four` loads from and which is `bytes` a four wide. */
function productWith(name: string, four: (at: number) => Code, bytes: number): FunctionParts {
  const [wide, other, stride, end, lanes] = [0, 1, 2, 3, 4] as const;
  return {
    name,
    parameters: ['i32', 'i32', 'i32'],
    results: ['f32'],
    locals: ['i32', 'v128'],
    body: [
      ...endOfWide(wide, stride, end),
      ...again([
        ...[...get(lanes), ...get(wide), ...v128.load(), ...four(other)],
        ...[...v128.f32Mul, ...v128.f32Add, ...set(lanes)],
        ...[...step(other, bytes), ...step(wide, 16), ...isBefore(wide, end)],
      ]),
      ...joined(lanes, v128.f32Lane, op.f32Add),
    ],
  };
}

const product = productWith('product', (at) => [...get(at), ...v128.load()], 16);

const along = productWith('along', fourCodes, 4);

const pack: FunctionParts = (() => {
  const [wide, row, stride, inverse, end, inverses] = [0, 1, 2, 3, 4, 5] as const;
  const four = (offset: number): Code => [
    ...[...get(wide), ...v128.load(offset), ...get(inverses), ...v128.f32Mul],
    ...[...v128.f32Nearest, ...v128.i32FromF32],
  ];
  return {
    name: 'pack',
    parameters: ['i32', 'i32', 'i32', 'f32'],
    results: [],
    locals: ['i32', 'v128'],
    body: [
      ...endOfWide(wide, stride, end),
      ...[...get(inverse), ...v128.f32Splat, ...set(inverses)],
      ...again([
        ...get(row),
        ...[...four(0), ...four(16), ...v128.i16FromI32],
        ...[...four(32), ...four(48), ...v128.i16FromI32],
        ...[...v128.i8FromI16, ...v128.store],
        ...[...step(row, 16), ...step(wide, 64)],
        ...isBefore(wide, end),
      ]),
    ],
  };
})();

const dots: FunctionParts = (() => {
  const [row, count, stride, query, out, at, end, codes, low, high] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
  const times = (extended: Code, offset: number, sum: number): Code => [
    ...get(codes),
    ...extended,
    ...get(at),
    ...v128.load(offset),
    ...v128.i32DotI16,
    ...get(sum),
    ...v128.i32Add,
    ...set(sum),
  ];
  const ofRow = again([
    ...[...get(row), ...v128.load(), ...set(codes)],
    ...times(v128.i16FromLowI8, 0, low),
    ...times(v128.i16FromHighI8, 16, high),
    ...[...step(row, 16), ...step(at, 32)],
    ...isBefore(row, end),
  ]);
  return {
    name: 'dots',
    parameters: ['i32', 'i32', 'i32', 'i32', 'i32'],
    results: [],
    locals: ['i32', 'i32', 'v128', 'v128', 'v128'],
    body: again([
      ...[...v128.zero, ...set(low), ...v128.zero, ...set(high)],
      ...[...get(query), ...set(at)],
      ...[...get(row), ...get(stride), op.i32Add, ...set(end)],
      ...ofRow,
      ...[...get(low), ...get(high), ...v128.i32Add, ...set(low)],
      ...[...get(out), ...joined(low, v128.i32Lane, op.i32Add), ...i32Store],
      ...step(out, 4),
      ...[...step(count, -1), ...get(count)],
    ]),
  };
})();

const fallBehind: FunctionParts = (() => {
  const [behind, row, stride, scale, fall, out, end, scales, falls] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
  return {
    name: 'fallBehind',
    parameters: ['i32', 'i32', 'i32', 'f32', 'f32', 'i32'],
    results: [],
    locals: ['i32', 'v128', 'v128'],
    body: [
      ...[...get(row), ...get(stride), op.i32Add, ...set(end)],
      ...[...get(scale), ...v128.f32Splat, ...set(scales), ...get(fall), ...v128.f32Splat, ...set(falls)],
      ...again([
        ...get(out),
        ...[
          ...get(behind),
          ...v128.load(),
          ...fourCodes(row),
          ...get(scales),
          ...v128.f32Mul,
          ...v128.f32Add,
        ],
        ...[...get(falls), ...v128.f32Mul, ...v128.store],
        ...[...step(row, 4), ...step(behind, 16), ...step(out, 16)],
        ...isBefore(row, end),
      ]),
    ],
  };
})();

const squareOfSum: FunctionParts = (() => {
  const [behind, ahead, row, stride, scale, own, fall] = [0, 1, 2, 3, 4, 5, 6] as const;
  const [end, scales, owns, falls, values, aheads, sum] = [7, 8, 9, 10, 11, 12, 13] as const;
  return {
    name: 'squareOfSum',
    parameters: ['i32', 'i32', 'i32', 'i32', 'f32', 'f32', 'f32'],
    results: ['f32'],
    locals: ['i32', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128'],
    body: [
      ...[...get(row), ...get(stride), op.i32Add, ...set(end)],
      ...[...get(scale), ...v128.f32Splat, ...set(scales), ...get(own), ...v128.f32Splat, ...set(owns)],
      ...[...get(fall), ...v128.f32Splat, ...set(falls)],
      ...again([
        ...[
          ...fourCodes(row),
          ...get(scales),
          ...v128.f32Mul,
          ...set(values),
          ...get(ahead),
          ...v128.load(),
          ...set(aheads),
        ],
        // The next `ahead` goes to its place; then `aheads` becomes the sum.
        ...[...get(ahead), ...get(aheads), ...get(values), ...v128.f32Add],
        ...[...get(falls), ...v128.f32Mul, ...v128.store],
        ...[...get(owns), ...get(values), ...v128.f32Mul, ...get(behind), ...v128.load(), ...v128.f32Add],
        ...[...get(aheads), ...v128.f32Add, ...set(aheads)],
        ...[...get(aheads), ...get(aheads), ...v128.f32Mul, ...get(sum), ...v128.f32Add, ...set(sum)],
        ...[...step(row, 4), ...step(behind, 16), ...step(ahead, 16)],
        ...isBefore(row, end),
      ]),
      ...joined(sum, v128.f32Lane, op.f32Add),
    ],
  };
})();

/** The four lanes of a local, joined in their order. */
function joined(local: number, laneOf: (lane: number) => Code, join: number): Code {
  return [0, 1, 2, 3].flatMap((lane) => [...get(local), ...laneOf(lane), ...(lane === 0 ? [] : [join])]);
}

function isBefore(address: number, end: number): Code {
  return [...get(address), ...get(end), op.i32LessUnsigned];
}

/** Puts the address behind a wide vector, which has four bytes for each of a row, into `end`. */
function endOfWide(wide: number, stride: number, end: number): Code {
  return [...get(wide), ...get(stride), ...i32(2), op.i32ShiftLeft, op.i32Add, ...set(end)];
}

/** Four codes at the address in `row`, as float32. */
function fourCodes(row: number): Code {
  return [
    ...[...get(row), ...v128.load32()],
    ...[...v128.i16FromLowI8, ...v128.i32FromLowI16, ...v128.f32FromI32],
  ];
}
