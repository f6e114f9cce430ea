import type { Connection } from '../connection.ts';

/** What reads and writes rows through one connection. */
export abstract class Table {
  protected readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }
}
