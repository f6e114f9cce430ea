import { Failure } from '../../core/platform/index.ts';
import type { FromEngine, SerializedError, ToEngine } from './messages.ts';
import type { EngineOps } from './ops.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The asking side of the engine, over whatever channel carries its messages. */
export class EngineClient {
  readonly #post: (message: ToEngine) => void;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;
  #ended: Error | null = null;

  constructor(post: (message: ToEngine) => void) {
    this.#post = post;
  }

  call<K extends keyof EngineOps>(
    op: K,
    ...args: Parameters<EngineOps[K]>
  ): Promise<Awaited<ReturnType<EngineOps[K]>>> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      // The engine runs this very op: its value has this type.
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#post({ id, op, args: args[0] });
    });
  }

  /** Takes what the engine sent. */
  receive(message: FromEngine): void {
    if (message.kind === 'result') this.#take(message.id)?.resolve(message.value);
    else if (message.kind === 'failed') this.#take(message.id)?.reject(deserializeError(message.error));
  }

  /** Nothing will come any more. */
  abandon(error: Error): void {
    this.#ended ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

/** An error of the engine's thread, in this one. */
export function deserializeError({ message, code, stack }: SerializedError): Error {
  if (code !== null) return new Failure(code, message);
  const error = new Error(message);
  error.stack = stack;
  return error;
}
