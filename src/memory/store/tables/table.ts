import type { Connection } from '../connection.ts';

/** What reads and writes rows through one connection, that of a store or of another table. */
export abstract class Table {
  readonly connection: Connection;

  constructor({ connection }: { readonly connection: Connection }) {
    this.connection = connection;
  }
}
