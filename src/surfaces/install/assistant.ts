import type { ClientName } from '../../core/event/index.ts';
import type { Environment } from '../../core/workspace/index.ts';
import type { Programs } from './programs.ts';

/** What the user chose beside the capture. */
export interface Options {
  /** Ask the daemon before each call, and warn or deny when it is away. */
  readonly guard: 'warn' | 'block' | null;
  /** Tell the assistant, at an edit or a failure, what is remembered of it. */
  readonly recall: boolean;
}

/** One assistant: what is known of it, and what is written for it. */
export interface Assistant {
  readonly name: Exclude<ClientName, 'generic' | 'unknown'>;
  readonly title: string;
  /** Other names that a user may give it. */
  readonly aliases: readonly string[];
  /** Its programs, as they are found on the path. */
  readonly programs: readonly string[];
  /** Its own folder, which is there when it has been used. */
  readonly folder: (env: Environment) => string;
  readonly parts: (setup: Setup) => readonly Part[];
  /** What a user must know once it is installed. */
  readonly notes: readonly string[];
}

export interface Setup {
  readonly env: Environment;
  readonly programs: Programs;
  readonly options: Options;
}

/** What is written into one file. The paths are absolute. */
export type Part = HooksPart | ServerPart | TomlServerPart | OwnFilePart;

/** Elements of the lists `hooks.EVENT` of a file of JSON. */
export interface HooksPart {
  readonly kind: 'hooks';
  readonly file: string;
  readonly isLooseAllowed: boolean;
  readonly hooks: readonly Hook[];
  /** Whether the file must say `"version": 1`. */
  readonly hasVersion: boolean;
}

export interface Hook {
  readonly event: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A member named `memd` of an object of a file of JSON. */
export interface ServerPart {
  readonly kind: 'server';
  readonly file: string;
  readonly isLooseAllowed: boolean;
  readonly under: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The table `NAME.memd` of a file of TOML. */
export interface TomlServerPart {
  readonly kind: 'toml-server';
  readonly file: string;
  readonly table: readonly string[];
  readonly body: string;
}

/** A file that is ours as a whole. */
export interface OwnFilePart {
  readonly kind: 'own-file';
  readonly file: string;
  readonly text: string;
}
