// Preloaded into a process of memd that a test starts with MEMD_FAULTS (`Home.env`): makes its disk fail, or the process die, at the fault
// points of `src/core/platform/faults.ts`. The variable holds rules, separated by commas: `POINT@N=WHAT` at the N-th time that POINT is
// passed (`N+`: then and ever after). What can happen:
//
//     kill               the process ends as by `kill -9`, before what the point stands for is done
//     eio enospc erofs   it is not done and fails with that system error
//     short:B            a write only: B bytes are written, and the rest is refused with ENOSPC
//     torn:B             a write only: B bytes are written, and the process is killed
//
// `NAME=NUMBER` sets a bound instead. Each thread counts its points by itself.
const spec = process.env.MEMD_FAULTS ?? '';
const rules = spec.split(',').flatMap(ruleOf);
const passed = new Map();

/** @throws Error for what is no rule: a test that injects nothing must not pass for one that does */
function ruleOf(item) {
  if (item === '' || /^[a-z.-]+=\d+$/.test(item)) return [];
  const [, point, first, more, kind, bytes] =
    /^([a-z.-]+)@(\d+)(\+?)=(kill|eio|enospc|erofs|short|torn)(?::(\d+))?$/.exec(item) ?? [];
  if (point === undefined) throw new Error(`MEMD_FAULTS: ${item} is no rule`);
  const last = more === '+' ? Number.POSITIVE_INFINITY : Number(first);
  return [{ point, first: Number(first), last, kind, bytes: Number(bytes ?? 0) }];
}

/** The fault that is due at a point, for one who can do it in part; passing it counts. */
function dueFault(point) {
  const time = (passed.get(point) ?? 0) + 1;
  passed.set(point, time);
  return rules.find((rule) => rule.point === point && rule.first <= time && time <= rule.last) ?? null;
}

/** Kills this process, or throws; `short` and `torn` are the writer's own to do. */
function suffer({ kind }, point) {
  if (kind !== 'kill' && kind !== 'torn') {
    const code = (kind === 'short' ? 'enospc' : kind).toUpperCase();
    throw Object.assign(new Error(`${code}: injected at ${point}`), { code });
  }
  process.kill(process.pid, 'SIGKILL');
  // The other threads' last instructions are none of this one's.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function pass(point) {
  const fault = dueFault(point);
  if (fault !== null) suffer(fault, point);
}

/** A bound that a test has made smaller, or the one given. */
function number(name, otherwise) {
  const found = spec.split(',').find((item) => item.startsWith(`${name}=`));
  return found === undefined ? otherwise : Number(found.slice(name.length + 1));
}

/** Records what a power loss would leave (`test/crash/disk-image.cjs`), where that is preloaded too. */
const testDisk = () => globalThis[Symbol.for('memd.test-disk')];

/** A file that suffers the faults of its points. */
async function file(name, point, open) {
  pass(`${point}.open`);
  const image = testDisk()?.opening(name);
  const handle = await open();
  image?.truncated(0);
  let refuseNext = false;
  return {
    write: async (buffer, offset, length, at) => {
      const fault = refuseNext ? { kind: 'enospc', bytes: 0 } : dueFault(`${point}.write`);
      refuseNext = false;
      const isPartial = fault?.kind === 'short' || fault?.kind === 'torn';
      if (fault !== null && !isPartial) suffer(fault, `${point}.write`);
      const size = isPartial ? Math.min(fault.bytes, length) : length;
      const { bytesWritten } = await handle.write(buffer, offset, size, at);
      image?.wrote(Buffer.from(buffer.subarray(offset, offset + bytesWritten)), at);
      if (fault?.kind === 'torn') suffer(fault, `${point}.write`);
      refuseNext = fault?.kind === 'short';
      pass(`${point}.write.after`);
      return { bytesWritten };
    },
    truncate: async (length) => {
      pass(`${point}.truncate`);
      await handle.truncate(length);
      image?.truncated(length);
      pass(`${point}.truncate.after`);
    },
    datasync: async () => {
      const fault = dueFault(`${point}.sync`);
      if (fault !== null) {
        image?.syncFailed();
        suffer(fault, `${point}.sync`);
      }
      await handle.datasync();
      image?.synced();
      pass(`${point}.sync.after`);
    },
    stat: () => handle.stat(),
    isAsWritten: (...look) => handle.isAsWritten(...look),
    close: () => handle.close(),
  };
}

globalThis[Symbol.for('memd.faults')] = {
  ...{ pass, number, file },
  renaming: (from, to) => testDisk()?.renaming(from, to),
  folderSynced: (folder) => testDisk()?.folderSynced(folder),
};
