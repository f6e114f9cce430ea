import type { Kernel, ScanMemory } from './kernel.ts';

/** The kernel as WebAssembly SIMD, which Node has on every machine for which the SQLite package has a build. */
export function simdKernel(): Kernel {
  const bytes = Uint8Array.from(Buffer.from(simdModule, 'base64'));
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  return { memory, ...exports };
}

/** `scan.wat`, assembled by wabt; a test holds the two together. */
export const simdModule =
  'AGFzbQEAAAABHQNgBX9/f39/AGAGf39/fX1/AGAHf39/f319fQF9Ag8BA2VudgZtZW1vcnkCAAEDBAMAAQIHIwMEZG90cwAACmZhbGxCZWhpbmQAAQtzcXVh' +
  'cmVPZlN1bQACCs0DA70BAgJ/A3sDQP0MAAAAAAAAAAAAAAAAAAAAACEI/QwAAAAAAAAAAAAAAAAAAAAAIQkgAyEFIAAgAmohBgNAIAD9AAAAIQcgCCAH/YcB' +
  'IAX9AAAA/boB/a4BIQggCSAH/YgBIAX9AAAQ/boB/a4BIQkgAEEQaiEAIAVBIGohBSAAIAZJDQALIAggCf2uASEIIAQgCP0bACAI/RsBaiAI/RsCaiAI/RsD' +
  'ajYCACAEQQRqIQQgAUEBayEBIAENAAsLYAIBfwJ7IAEgAmohBiAD/RMhByAE/RMhCANAIAUgCCAA/QAAACAHIAH9XAAA/YcB/acB/foB/eYB/eQB/eYB/QsA' +
  'ACABQQRqIQEgAEEQaiEAIAVBEGohBSABIAZJDQALC6oBAgF/BnsgAiADaiEHIAT9EyEIIAX9EyEJIAb9EyEKA0AgCCAC/VwAAP2HAf2nAf36Af3mASELIAH9' +
  'AAAAIQwgASAKIAwgC/3kAf3mAf0LAAAgDCAA/QAAACAJIAv95gH95AH95AEhDCANIAwgDP3mAf3kASENIAJBBGohAiAAQRBqIQAgAUEQaiEBIAIgB0kNAAsg' +
  'Df0fACAN/R8BkiAN/R8CkiAN/R8Dkgs=';

/** The parts that are used here; the module exports the kernel's functions. */
declare const WebAssembly: {
  readonly Memory: new (limits: { initial: number }) => ScanMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: { env: { memory: ScanMemory } },
  ) => { readonly exports: Omit<Kernel, 'memory'> };
};
