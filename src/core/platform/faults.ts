/**
 * Fault points: places where a test can make the disk fail or the process die. FOR TESTS ONLY.
 *
 * Off unless the environment variable `MEMD_FAULTS` is set when the process starts; then it holds rules, separated by
 * commas: `POINT@N=WHAT` at the N-th time that POINT is passed (`N+`: then and ever after). What can happen:
 *
 *     kill         the process ends as by `kill -9`, before what the point stands for is done
 *     eio enospc erofs   it is not done and fails with that system error
 *     short:B      a write only: B bytes are written, and the rest is refused with ENOSPC
 *     torn:B       a write only: B bytes are written, and the process is killed
 *
 * `NAME=NUMBER` sets a number instead (see `faultNumber`). Each thread counts its points by itself. Without the variable
 * a point costs one comparison.
 */
export interface Fault {
  readonly kind: 'kill' | 'eio' | 'enospc' | 'erofs' | 'short' | 'torn';
  /** Of `short` and `torn`. */
  readonly bytes: number;
}

interface Rule extends Fault {
  readonly point: string;
  readonly first: number;
  readonly last: number;
}

const spec = process.env.MEMD_FAULTS ?? '';
const rules: readonly Rule[] | null = spec === '' ? null : rulesOf(spec);
const passed = new Map<string, number>();

/** Whether this process was started for a test of faults. */
export const faultsAreOn = rules !== null;

/** Passes a point: returns, throws a system error, or never comes back. */
export function faultPoint(point: string): void {
  if (rules === null) return;
  const fault = dueFault(point);
  if (fault !== null) suffer(fault, point);
}

/** The fault that is due at a point, for one who can do it in part; passing it counts. */
export function dueFault(point: string): Fault | null {
  if (rules === null) return null;
  const time = (passed.get(point) ?? 0) + 1;
  passed.set(point, time);
  return rules.find((rule) => rule.point === point && rule.first <= time && time <= rule.last) ?? null;
}

/** A bound that a test has made smaller, or the one given. */
export function faultNumber(name: string, otherwise: number): number {
  if (rules === null) return otherwise;
  const found = spec.split(',').find((item) => item.startsWith(`${name}=`));
  return found === undefined ? otherwise : Number(found.slice(name.length + 1));
}

/** Kills this process, or throws; `short` and `torn` are the writer's own to do. */
export function suffer(fault: Fault, point: string): never {
  if (fault.kind !== 'kill' && fault.kind !== 'torn') {
    const code = (fault.kind === 'short' ? 'enospc' : fault.kind).toUpperCase();
    throw Object.assign(new Error(`${code}: injected at ${point}`), { code });
  }
  process.kill(process.pid, 'SIGKILL');
  // The other threads' last instructions are none of this one's.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** @throws Error for what is no rule: a test that injects nothing must not pass for one that does */
function rulesOf(text: string): Rule[] {
  return text.split(',').flatMap((item) => {
    if (/^[a-z.-]+=\d+$/.test(item)) return [];
    const [, point, first, more, kind, bytes] =
      /^([a-z.-]+)@(\d+)(\+?)=(kill|eio|enospc|erofs|short|torn)(?::(\d+))?$/.exec(item) ?? [];
    if (point === undefined || first === undefined || kind === undefined) {
      throw new Error(`MEMD_FAULTS: ${item} is no rule`);
    }
    const last = more === '+' ? Number.POSITIVE_INFINITY : Number(first);
    return [{ point, first: Number(first), last, kind: kind as Fault['kind'], bytes: Number(bytes ?? 0) }];
  });
}
