import type {
  ClientName,
  Json,
  JsonObject,
  Observation,
  Role,
  SessionParent,
} from '../../core/event/index.ts';

/** What the hook knows in addition to the payload. */
export interface Context {
  /** The assistant's name, when the hook was installed with one (`--client`). */
  readonly client?: string | undefined;
  /** ISO 8601: the time of a call whose payload has none. */
  readonly receivedAt: string;
  /** The hook's own working directory, used when the payload names none. */
  readonly cwd: string | null;
  /** Names this run of the hook, the same on every way that it tries. */
  readonly attempt?: string | undefined;
}

/** One finished call in its client's own terms; `observe` normalizes it. */
export interface ReportedCall extends Omit<Observation, 'input' | 'sessionId' | 'ts' | 'client' | 'message'> {
  readonly kind: 'call';
  readonly input: Json | undefined;
  readonly sessionId: string | null;
  /** An ISO string or milliseconds since 1970; anything else counts as absent. */
  readonly ts: Json | undefined;
}

/** What a user or an assistant said, in its client's own terms; `observeMessage` removes what nobody said. */
export interface ReportedMessage extends Pick<ReportedCall, 'sessionId' | 'ts'> {
  readonly kind: 'message';
  readonly role: Role;
  readonly text: string;
  /** Only where the client's hook and transcript give the message the same id. */
  readonly messageId?: string | null;
  readonly turnId?: string | null;
  /** The hook event that reported it. */
  readonly event?: string;
  /** The subagent that wrote it. */
  readonly agentId?: string | null;
  readonly cwd?: string | null;
  readonly parent?: SessionParent;
  readonly rescued?: true;
}

/** A hook event without a finished call or a message, or a call of memd's own tools. */
export interface Ignored {
  readonly kind: 'ignored';
  readonly reason: string;
  /** Empty when the payload names none. */
  readonly sessionId: string;
  /** The hook event's name, or `own-tool`; empty when unknown. */
  readonly event: string;
  /** Of `own-tool`: `mem_search`. */
  readonly tool?: string;
}

export type Adapted = { readonly kind: 'observation'; readonly observation: Observation } | Ignored;

/** One assistant's hooks. */
export interface Client {
  readonly name: ClientName;
  /** Asked when nobody named the client. */
  recognises(payload: JsonObject): boolean;
  /** Null when the payload does not have this client's shape. Tolerates missing and wrong fields. */
  read(payload: JsonObject): ReportedCall | ReportedMessage | Ignored | null;
}

/** One assistant's transcript. A reader is opened for each file and sees its records in order. */
export interface TranscriptFormat {
  readonly client: ClientName;
  recognises(record: JsonObject): boolean;
  /** `startedBy`: the session that started this one, where only the file's place says it. */
  open(known: { readonly startedBy?: string }): TranscriptReader;
}

export interface TranscriptReader {
  /** The calls that `record` finishes, then what was said in it. `bytes` is its size in the file. */
  read(record: JsonObject, bytes: number): readonly (ReportedCall | ReportedMessage)[];
  /** What it kept back for want of a later record. `isWhole`: no record follows, so that a call without a result is an unfinished one. */
  end?(isWhole: boolean): readonly (ReportedCall | ReportedMessage)[];
  /** Calls without a result so far. */
  unanswered(): number;
}
