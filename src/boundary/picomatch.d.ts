/** The part of picomatch 4 that is used here; the package brings no types. */
declare module 'picomatch' {
  interface Options {
    readonly dot?: boolean;
    readonly nocase?: boolean;
    readonly nonegate?: boolean;
    readonly posixSlashes?: boolean;
  }
  interface Picomatch {
    (glob: string, options?: Options): (path: string) => boolean;
    scan(glob: string): { readonly base: string; readonly isGlob: boolean };
  }
  const picomatch: Picomatch;
  export default picomatch;
}
