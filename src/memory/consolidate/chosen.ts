import type { Config } from '#core/config';
import { type Choice, type ChoiceSettings, chooseBackend, chooseBetter, repairOf } from '#memory/summarise';
import type { OpenBackends } from './backends.ts';
import type { Report } from './options.ts';

interface ChosenOptions {
  readonly config: Config;
  readonly backends: OpenBackends;
  readonly report: Report;
  readonly someWait: () => boolean;
}

/** Chooses the backend of each drain, and remembers the last choice for `info`. */
export class ChosenBackend {
  readonly #options: ChosenOptions;
  readonly #settings: ChoiceSettings;
  #last: Choice | null = null;
  #reportedHint: string | null = null;

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
    if ('backend' in choice && hint !== null && hint !== this.#reportedHint)
      this.#options.report('another drain backend is used', { backend: choice.backend.name, reason: hint });
    this.#reportedHint = hint;
    return choice;
  }

  /** A backend that is better than the builtin summariser. */
  better(backends: OpenBackends['forEvents'], signal: AbortSignal): Promise<Choice> {
    return chooseBetter(this.#settings, backends, signal);
  }

  /** The backend in use; probes the models only if no drain has run. */
  async state(signal: AbortSignal) {
    const choice = this.#last ?? (await this.choose(signal));
    const drainError = 'error' in choice ? choice.error : this.#outageOf(choice.backend.name);
    return {
      drain: 'backend' in choice ? choice.backend.name : 'none',
      drainError,
      drainHint: hintFor(choice, drainError),
    };
  }

  /** The repair for the error of a drain, or for a better backend that was not usable; null: none. */
  hint(firstError: string | null): string | null {
    return hintFor(this.#last, firstError);
  }

  /** The outage of the last call, while events wait for its end. */
  #outageOf(name: 'local' | 'hosted' | 'builtin'): string | null {
    if (name === 'builtin' || !this.#options.someWait()) return null;
    return this.#options.backends.gates[name].last()?.error ?? null;
  }
}

function hintFor(choice: Choice | null, error: string | null): string | null {
  const repair = error === null ? null : repairOf(error);
  return repair ?? (choice !== null && 'backend' in choice ? choice.hint : null);
}

/** Reports a message once while it stays the same, not at every tick. */
export function once(report: Report): Report {
  let last = '';
  return (...entry) => {
    if (JSON.stringify(entry) !== last) report(...entry);
    last = JSON.stringify(entry);
  };
}
