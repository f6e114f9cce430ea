// The recorded sessions of a data folder as memories, one database for each project.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openLine, temporaryPlace } from '../place.mjs';
import { configure, furtherCalls, transcripts } from '../recorded.mjs';

/** The projects of a data folder. */
export function projectsOf(data) {
  const folders = (below) =>
    fs
      .readdirSync(`${data}/${below}`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  return [...folders('transcripts'), ...folders('sessions')];
}

/** Writes the database of a project, or of the events `own`, to `file`, summarised by memd itself. */
export async function lay({ data, project, dist, file, own }) {
  const place = temporaryPlace({ dist });
  try {
    configure(place);
    if (data === null) place.memd('start');
    else if (fs.existsSync(`${data}/transcripts/${project}`)) {
      place.memd('start');
      place.memd('backfill', '--from', transcripts(data, project, place.folder));
    } else {
      const where = [project, '--home', `${place.folder}/home`, '--root', place.project];
      execFileSync('python3', [`${data}/sessions/lay.py`, ...where], { stdio: 'ignore' });
      place.memd('start');
      place.memd('backfill');
    }
    const line = openLine(place.socket());
    for (const call of data === null ? own : furtherCalls(data, project))
      await line.ask({ op: 'capture', ...call });
    const { firstError } = await line.ask({ op: 'drain' });
    if (firstError !== undefined) throw new Error(`drain: ${firstError}`);
    line.close();
    const stored = path.join(path.dirname(place.socket()), 'db.sqlite');
    place.memd('stop');
    fs.copyFileSync(stored, file);
  } finally {
    place.end();
  }
}
