import type { DurableFile } from './descriptor.ts';

/**
 * What a test preloads to make the disk fail or the process die (`test/support/faults.cjs`). In use there is none, and a fault point costs
 * one comparison.
 */
interface Faults {
  pass(point: string): void;
  number(name: string, otherwise: number): number;
  file(file: string, point: string, open: () => Promise<DurableFile>): Promise<DurableFile>;
  renaming(from: string, to: string): void;
  folderSynced(folder: string): void;
}

export const faults = Reflect.get(globalThis, Symbol.for('memd.faults')) as Faults | undefined;

/** Passes a point where a test may act: returns, throws a system error, or never comes back. */
export function faultPoint(point: string): void {
  faults?.pass(point);
}

/** A bound that a test has made smaller, or the one given. */
export function faultNumber(name: string, otherwise: number): number {
  return faults?.number(name, otherwise) ?? otherwise;
}
