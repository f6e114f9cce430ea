/** What a family makes of a call; `terms` are texts whose words are taken, the most telling first. */
export interface Account {
  readonly text: string;
  readonly terms: readonly string[];
}
