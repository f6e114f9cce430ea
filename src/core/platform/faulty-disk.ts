import type { DurableFile } from './descriptor.ts';
import { dueFault, faultPoint, suffer } from './faults.ts';

/** Records for the crash tests what a power loss would leave (`test/crash/disk-image.cjs`). */
interface TestDisk {
  opening(file: string): TestFile;
  renaming(from: string, to: string): void;
  folderSynced(folder: string): void;
}
interface TestFile {
  wrote(bytes: Buffer, at: number): void;
  truncated(length: number): void;
  synced(): void;
  syncFailed(): void;
}

export const testDisk = Reflect.get(globalThis, Symbol.for('memd.test-disk')) as TestDisk | undefined;

/** A file that suffers the faults of its points. */
export async function faultyFile(
  file: string,
  point: string,
  open: () => Promise<DurableFile>,
): Promise<DurableFile> {
  faultPoint(`${point}.open`);
  const image = testDisk?.opening(file);
  const handle = await open();
  image?.truncated(0);
  return withFaults(handle, point, image);
}

function withFaults(handle: DurableFile, point: string, image: TestFile | undefined): DurableFile {
  let refuseNext = false;
  const write = async (buffer: Buffer, offset: number, length: number, at: number) => {
    const fault = refuseNext ? ({ kind: 'enospc', bytes: 0 } as const) : dueFault(`${point}.write`);
    refuseNext = false;
    const isPartial = fault?.kind === 'short' || fault?.kind === 'torn';
    if (fault !== null && !isPartial) suffer(fault, `${point}.write`);
    const size = isPartial ? Math.min(fault.bytes, length) : length;
    const { bytesWritten } = await handle.write(buffer, offset, size, at);
    image?.wrote(Buffer.from(buffer.subarray(offset, offset + bytesWritten)), at);
    if (fault?.kind === 'torn') suffer(fault, `${point}.write`);
    refuseNext = fault?.kind === 'short';
    faultPoint(`${point}.write.after`);
    return { bytesWritten };
  };
  return {
    write,
    truncate: async (length) => {
      faultPoint(`${point}.truncate`);
      await handle.truncate(length);
      image?.truncated(length);
      faultPoint(`${point}.truncate.after`);
    },
    datasync: async () => {
      const fault = dueFault(`${point}.sync`);
      if (fault !== null) {
        image?.syncFailed();
        suffer(fault, `${point}.sync`);
      }
      await handle.datasync();
      image?.synced();
      faultPoint(`${point}.sync.after`);
    },
    stat: () => handle.stat(),
    isAsWritten: (...look) => handle.isAsWritten(...look),
    close: () => handle.close(),
  };
}
