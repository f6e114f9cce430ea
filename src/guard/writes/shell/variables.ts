import { shellAlternativesMax, shellWordCharsMax } from '../../../core/limits.ts';
import { type Piece, plain, unread } from '../../boundary/index.ts';

/** What a variable may hold: one of several texts, or the elements of an array in their order. */
interface Variable {
  readonly values: readonly Piece[];
  readonly isArray: boolean;
  /** Whether an array's element can be told by its number. */
  readonly isExact: boolean;
}

/** The variables that a command line sets itself. */
export class Variables {
  readonly #held = new Map<string, Variable>();
  /** `declare -n`: names that stand for others. */
  readonly #references = new Map<string, string>();

  constructor(other?: Variables) {
    if (other === undefined) return;
    this.#held = new Map(other.#held);
    this.#references = new Map(other.#references);
  }

  /** The values of `$name`: undefined where the line sets no such variable. */
  values(name: string): readonly Piece[] | undefined {
    const held = this.#held.get(this.#meant(name));
    return held?.isArray === true && held.isExact ? held.values.slice(0, 1) : held?.values;
  }

  /** The values of `${name[index]}`; all of them for an index that is not a number. */
  elements(name: string, index?: number): readonly Piece[] | undefined {
    const held = this.#held.get(this.#meant(name));
    if (held === undefined || index === undefined || !held.isArray || !held.isExact) return held?.values;
    return held.values.slice(index, index === -1 ? undefined : index + 1);
  }

  /** Sets it; under a condition the old values may still be meant. */
  set(name: string, values: readonly Piece[], isConditional = false): void {
    this.#put(name, { values, isArray: false, isExact: false }, isConditional);
  }

  setArray(name: string, values: readonly Piece[], isExact: boolean, isConditional = false): void {
    this.#put(name, { values, isArray: true, isExact }, isConditional);
  }

  /** `name+=value` */
  append(name: string, values: readonly Piece[], isConditional: boolean): void {
    const before = this.values(name);
    const longer = before?.flatMap(({ text }) => values.map((value) => plain(text + value.text))) ?? values;
    this.set(name, longer, isConditional);
  }

  /** `name+=(values)`, `name[index]=value` */
  addElements(name: string, values: readonly Piece[], isExact: boolean): void {
    const held = this.#held.get(this.#meant(name));
    this.#put(
      name,
      {
        values: [...(held?.values ?? []), ...values],
        isArray: true,
        isExact: isExact && held?.isExact !== false,
      },
      false,
    );
  }

  refer(name: string, other: string): void {
    this.#references.set(name, other);
  }

  forget(name: string): void {
    this.#held.delete(name);
    this.#references.delete(name);
  }

  #put(name: string, variable: Variable, isConditional: boolean): void {
    const meant = this.#meant(name);
    const before = isConditional ? this.#held.get(meant) : undefined;
    const values = [...(before?.values ?? []), ...variable.values]
      .slice(-shellAlternativesMax)
      .map(inMeasure);
    this.#held.set(meant, { ...variable, values, isExact: variable.isExact && before === undefined });
  }

  #meant(name: string): string {
    let meant = name;
    for (let left = referencesMax; left > 0; left -= 1) meant = this.#references.get(meant) ?? meant;
    return meant;
  }
}

const referencesMax = 8;

/** A value may double with each command that is given it. */
function inMeasure(piece: Piece): Piece {
  return piece.text.length > shellWordCharsMax ? plain(unread.any) : piece;
}
