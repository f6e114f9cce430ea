import { endianness } from 'node:os';
import type { Kernel, ScanMemory } from './kernel.ts';
import { simdModule } from './simd-module.ts';

/**
 * The kernel as WebAssembly SIMD; null in a runtime without it, and on big-endian machines, where typed arrays read WebAssembly's
 * little-endian memory in the wrong order.
 */
export function simdKernel(): Kernel | null {
  if (typeof WebAssembly === 'undefined' || endianness() === 'BE') return null;
  const bytes = simdModule();
  if (!WebAssembly.validate(bytes)) return null;
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  return { memory, ...exports };
}

/** The parts that are used here; the module exports the kernel's functions. */
declare const WebAssembly: {
  readonly validate: (bytes: Uint8Array<ArrayBuffer>) => boolean;
  readonly Memory: new (limits: { initial: number }) => ScanMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: { env: { memory: ScanMemory } },
  ) => { readonly exports: Omit<Kernel, 'memory'> };
};
