import {
  again,
  type Code,
  type FunctionParts,
  get,
  i32Store,
  moduleOf,
  op,
  set,
  step,
  v128,
} from './assemble.ts';

/** The module of `simdKernel`, less than 1 KB. */
export function simdModule(): Uint8Array<ArrayBuffer> {
  return moduleOf([dots, fallBehind, squareOfSum]);
}

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
        // Stores the next `ahead`; then `aheads` becomes the sum.
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

/** Four codes at the address in `row`, as float32. */
function fourCodes(row: number): Code {
  return [
    ...[...get(row), ...v128.load32()],
    ...[...v128.i16FromLowI8, ...v128.i32FromLowI16, ...v128.f32FromI32],
  ];
}
