import path from 'node:path';

const changes = /^(?:cd|chdir|pushd|(?:Push|Set)-Location)$/i;
const returns = /^(?:popd|Pop-Location)$/i;

/** The folder `target` from the folder `from`; both may be absolute. */
export function movedTo(from: string, target: string): string {
  const isAbsolute = /^(?:\/|[A-Za-z]:)/.test(target);
  return path.posix.join(isAbsolute ? '' : from, target).replace(/^\.?\/?$|(?<=.)\/$/, '');
}

/** In which folder the commands of a script run, from that in which it begins. */
export class Moves {
  folder = '';
  #before = '';
  #stack: readonly string[] = [];

  /** A command, which may go to another folder. */
  take([program = '', ...words]: readonly string[]): void {
    if (returns.test(program)) {
      this.#to(this.#stack.at(-1) ?? this.folder);
      this.#stack = this.#stack.slice(0, -1);
    } else if (changes.test(program)) {
      if (/^pu/i.test(program)) this.#stack = [...this.#stack, this.folder];
      const target = words.find((word) => !/^-./.test(word))?.replace(/^(["'])(.*)\1$/s, '$2') ?? '';
      if (target === '-') this.#to(this.#before);
      // Where a variable leads nobody knows.
      else if (target !== '' && !/[$~`]/.test(target)) this.#to(movedTo(this.folder, target));
    }
  }

  #to(folder: string): void {
    this.#before = this.folder;
    this.folder = folder;
  }

  /** Whatever `run` does ends where it began, as a subshell does. */
  apart(run: () => void): void {
    const [folder, before, stack] = [this.folder, this.#before, this.#stack];
    run();
    this.folder = folder;
    this.#before = before;
    this.#stack = stack;
  }
}
