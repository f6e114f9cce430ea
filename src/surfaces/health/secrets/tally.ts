import { joinKinds, type Kinds } from '../../../memory/archive/index.ts';

/** Counts, per place, the rows or lines with secrets and the kinds of these. Holds nothing of the secrets. */
export class Tally {
  readonly places = new Map<string, { rows: number; kinds: Kinds }>();

  add(place: string, kinds: Kinds): void {
    const { rows, kinds: earlier } = this.places.get(place) ?? { rows: 0, kinds: {} };
    this.places.set(place, { rows: rows + 1, kinds: joinKinds(earlier, kinds) });
  }

  /** `events: 2 rows (aws-access-key 3, env 1)` for each place, the most frequent kind first. */
  inWords(unit: string): string[] {
    return [...this.places].map(([place, { rows, kinds }]) => {
      const frequent = Object.entries(kinds).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
      const list = frequent.map((one) => one.join(' ')).join(', ');
      return `${place}: ${rows} ${unit}${rows === 1 ? '' : 's'} (${list})`;
    });
  }
}
