/** Set by `scripts/build.mjs`. */
declare const MEMD_VERSION: string | undefined;
