import type { HookValue } from '#assistants/form';
import type { Environment } from '#core/workspace';
import type { Programs } from './programs.ts';

/** What the user chose in addition to capture. */
export interface Options {
  /** Before each call, ping the daemon and warn or deny if it does not answer. */
  readonly guard: 'warn' | 'block' | null;
  /** After a failed command, remind the assistant of what fixed it earlier. */
  readonly recall: boolean;
}

export interface Setup {
  readonly env: Environment;
  readonly programs: Programs;
  readonly options: Options;
}

/** What is written into one file. The paths are absolute. */
export type Part = HooksPart | ServerPart | TomlServerPart | OwnFilePart;

interface JsonPart {
  readonly file: string;
  /** Whether the assistant accepts comments and trailing commas. */
  readonly isLooseAllowed: boolean;
}

/** Elements of the lists `hooks.EVENT` of a JSON file. */
export interface HooksPart extends JsonPart {
  readonly kind: 'hooks';
  readonly hooks: readonly Hook[];
  /** Whether the file must have `"version": 1`. */
  readonly hasVersion: boolean;
}

export interface Hook {
  readonly event: string;
  /** Whether it captures what was said. */
  readonly isMessage: boolean;
  readonly value: HookValue;
}

/** The member `memd` of an object in a JSON file. */
export interface ServerPart extends JsonPart {
  readonly kind: 'server';
  readonly under: string;
  readonly value: HookValue;
}

/** The table `NAME.memd` of a TOML file. */
export interface TomlServerPart {
  readonly kind: 'toml-server';
  readonly file: string;
  readonly table: readonly string[];
  readonly body: string;
}

/** A file that is entirely ours. */
export interface OwnFilePart {
  readonly kind: 'own-file';
  readonly file: string;
  readonly text: string;
}
