import type { Config } from '../../core/config/index.ts';
import {
  type Choice,
  type ChoiceSettings,
  chooseBackend,
  chooseBetter,
  repairOf,
} from '../summarise/index.ts';
import type { OpenBackends } from './backends.ts';

export type Report = (message: string, fields: Readonly<Record<string, string | number>>) => void;

interface ChosenOptions {
  readonly config: Config;
  readonly backends: OpenBackends;
  readonly report: Report;
  /** Whether an event waits to be summarised. */
  readonly someWait: () => boolean;
}

/** The choice of a drain backend, made anew at every drain and remembered for whoever asks what is in use. */
export class ChosenBackend {
  readonly #options: ChosenOptions;
  readonly #settings: ChoiceSettings;
  #last: Choice | null = null;
  #hintTold: string | null = null;

  constructor(options: ChosenOptions) {
    this.#options = options;
    const { config } = options;
    this.#settings = { backend: config['drain.backend'], fallback: config['drain.fallback'] };
  }

  /** For new events. */
  async choose(signal: AbortSignal): Promise<Choice> {
    const choice = await chooseBackend(this.#settings, this.#options.backends.forEvents, signal);
    this.#last = choice;
    const hint = 'backend' in choice ? choice.hint : null;
    if ('backend' in choice && hint !== null && hint !== this.#hintTold) {
      this.#options.report('another drain backend stands in', { backend: choice.backend.name, reason: hint });
    }
    this.#hintTold = hint;
    return choice;
  }

  /** One that is better than the builtin summariser. */
  better(backends: OpenBackends['forEvents'], signal: AbortSignal): Promise<Choice> {
    return chooseBetter(this.#settings, backends, signal);
  }

  /** What is in use, as far as it is known; asks the models only when it never has. */
  async state(signal: AbortSignal) {
    const choice = this.#last ?? (await this.choose(signal));
    const drainError = 'error' in choice ? choice.error : this.#outageOf(choice.backend.name);
    return {
      drain: 'backend' in choice ? choice.backend.name : 'none',
      drainError,
      drainHint: hintFor(choice, drainError),
    };
  }

  /** What to do about the error of a drain, or about the better backend that the last one did without; null: nothing. */
  hint(firstError: string | null): string | null {
    return hintFor(this.#last, firstError);
  }

  /** An outage is told as long as events wait for its end; what passed unseen since is no matter then. */
  #outageOf(name: 'local' | 'hosted' | 'builtin'): string | null {
    if (name === 'builtin' || !this.#options.someWait()) return null;
    return this.#options.backends.gates[name].last()?.error ?? null;
  }
}

function hintFor(choice: Choice | null, error: string | null): string | null {
  const repair = error === null ? null : repairOf(error);
  return repair ?? (choice !== null && 'backend' in choice ? choice.hint : null);
}
