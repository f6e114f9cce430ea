import type { Json } from '../../core/event/index.ts';
import type { ReadFrame } from './read-frame.ts';

/** What the capture thread is started with: the fields that ops know. */
export interface CaptureThreadData {
  readonly fields: readonly string[];
}

/** To the capture thread: a frame, its memory handed over with it. */
export interface ToCaptureThread {
  readonly frame: Uint8Array;
}

/** Back: what the frame came to, or the refusal of it; `rid` when the request had one. */
export interface FromCaptureThread {
  readonly rid?: Json;
  readonly outcome: ReadFrame | { readonly kind: 'refused'; readonly code: string; readonly message: string };
}
