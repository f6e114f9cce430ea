import type { ClientName, Json, JsonObject } from '#core/event';
import type { Before } from './before.ts';
import type { Install } from './install.ts';
import type { Noise } from './noise.ts';
import type { PendingCalls } from './pending.ts';
import type { Places } from './place.ts';
import type { Ignored, Reported, ReportedCall, ReportedMessage, Where } from './reported.ts';

/** What memd knows of one assistant. Each part is optional: without it, memd does not do that for this assistant. */
export interface Assistant {
  readonly name: ClientName;
  /** Its own variables for the folders of its sessions. */
  readonly variables?: readonly string[];
  /** Variables that its shell has: a command knows by them who runs it. */
  readonly shell?: readonly string[];
  /** The variable with the session's id that its shell and its servers have. */
  readonly session?: string;
  readonly before?: Before;
  /** What its hooks report. */
  readonly payload?: Payload;
  readonly install?: Install;
  /** How its command line reopens a session. */
  readonly resume?: (session: string) => string;
  /** How the hook after a failed command gives the model what fixed it: with the name of its event, or without. */
  readonly recall?: 'nested' | 'flat';
  /** What it adds to what people write. */
  readonly noise?: Noise;
  readonly transcripts?: readonly TranscriptFormat[];
  readonly places?: Places;
}

/** What its hooks report, after a call or when something was said. */
export interface Payload {
  /** Asked when nobody named the client. */
  recognises(payload: JsonObject): boolean;
  /** Null when the payload does not have this client's shape. Tolerates missing and wrong fields. */
  read(payload: JsonObject, typedIn: TypedIn): Reported | Ignored | null;
  /** Events after which a transcript is read, for every assistant that sends one: the lists are joined. */
  readonly pauses?: readonly string[];
  /** Why a payload that names no event holds no finished call; null when it may hold one. */
  ignores?(payload: JsonObject): string | null;
}

/** What a person typed in a text or its blocks, without what clients, hooks and memd add; null when nothing is left. */
export type TypedIn = (content: Json | undefined) => string | null;

/** A transcript. A reader is opened for each file and sees its records in order. */
export interface TranscriptFormat {
  recognises(record: JsonObject): boolean;
  open(): TranscriptReader;
}

export interface Known {
  /** The session that started this one, where only the file's place says it. */
  readonly startedBy?: string;
  readonly typedIn: TypedIn;
}

type Without<T> = Omit<T, keyof Where> & Partial<Where>;
export type ReadCall = Without<ReportedCall>;
export type ReadItem = ReadCall | Without<ReportedMessage>;

export interface TranscriptReader {
  /** The calls that `record` finishes, then what was said in it. `bytes` is its size in the file. */
  read(record: JsonObject, bytes: number, known: Known): readonly ReadItem[];
  /** Where and when the record was written that was read last: for all that it holds, unless that says otherwise. */
  readonly where: Where;
  /** The calls without a result so far. */
  readonly pending?: PendingCalls;
  /** Further calls without a result, which are not stored. */
  readonly refused?: number;
  /** What it kept back for want of a later record. `isWhole`: no record follows. */
  end?(isWhole: boolean): readonly ReportedMessage[];
}
