import type { Home } from '../support/home.ts';
import { Daemon } from './daemon.ts';
import { nameIn, type Record, requestOf } from './load.ts';
import type { Random } from './random.ts';

/** Forgets a stored message in a daemon that dies of it, or right after it. A forget that was interrupted is repeated later. */
export async function forgetOne(home: Home, random: Random, record: Record): Promise<void> {
  const point = random.one(['', 'forget.mark', 'forget.files', 'forget.wal']);
  const daemon = Daemon.spawn(home, point === '' ? '' : `${point}@1=kill`);
  if (await daemon.ready()) {
    await home.ask({ op: 'drain' });
    const sql = `SELECT payload_json FROM events WHERE kind = 'message' AND turn_id LIKE 'turn of %' ORDER BY seq LIMIT 1`;
    const [row] = home.rows(sql);
    if (row !== undefined) {
      const { output }: { output: string } = JSON.parse(String(row.payload_json));
      record.forgotten.add(nameIn(output));
      await forget(home, nameIn(output)).catch(() => 'the daemon died of it');
    }
  }
  await daemon.end('SIGKILL');
}

/** The message is forgotten if it was not, and does not return when it is sent once more. */
export async function forgetAgain(home: Home, record: Record): Promise<string[]> {
  const broken: string[] = [];
  for (const name of record.forgotten) {
    if (await forget(home, name)) broken.push(`${name} is there after it was forgotten`);
    const { ok } = await home.ask(requestOf(name, record.sent.get(name) ?? ''));
    if (ok !== true) broken.push(`${name} is refused since it was forgotten`);
  }
  return broken;
}

/** Whether a memory of it is left. */
async function forget(home: Home, name: string): Promise<boolean> {
  const sql = `SELECT s.id FROM summaries s JOIN events e ON e.id = s.event_id WHERE e.turn_id = ?`;
  const [row] = home.rows(sql, `turn of ${name}`);
  if (row !== undefined) await home.ask({ op: 'forget', id: Number(row.id) });
  return home.rows(sql, `turn of ${name}`).length > 0;
}
