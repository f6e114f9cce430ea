import { text } from '../row.ts';
import { Table } from './table.ts';

/** Named texts that memd keeps in the database, such as the focus. */
export class SettingTable extends Table {
  get(name: string): string | null {
    const row = this.connection.get('SELECT value FROM settings WHERE name = ?', name);
    return row === undefined ? null : text(row, 'value');
  }

  /** Null removes the setting. */
  set(name: string, value: string | null): void {
    if (value === null) this.connection.run('DELETE FROM settings WHERE name = ?', name);
    else this.connection.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, value);
  }
}
