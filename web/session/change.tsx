import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { useBeforePrint, useLoad } from '../parts/hooks.ts';
import { Counts, FilePath, PathName } from '../parts/path.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { DiffLines } from '../payload/payload.tsx';
import { saved } from '../saved.ts';
import type { SessionAccount } from '../shapes.ts';
import { plural } from '../text/words.ts';

const filesFirst = 12;

interface FilesProps {
  readonly files: SessionAccount['files'];
  readonly sessionId: string;
}

/** The files that a session changed; each opens to all of its changes as one diff, whose lines are counted. */
export function Files({ files, sessionId }: FilesProps) {
  const [isWhole, setWhole] = useState(false);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  useBeforePrint(() => setWhole(true));
  const shown = isWhole ? files : files.slice(0, filesFirst);
  const allOpen = shown.every(({ path }) => open.has(path));
  const toggle = (path: string): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  return (
    <>
      <ul class="changed-files">
        {shown.map((file) => (
          <li key={file.path}>
            <div class="changed-file">
              <button type="button" aria-expanded={open.has(file.path)} onClick={() => toggle(file.path)}>
                <span class="changed-path">
                  <PathName path={file.path} />
                </span>
                <span class="step-end">
                  {file.isNew && <span class="quiet">new</span>}
                  {file.isGone && <span class="quiet">removed</span>}
                  {file.edits > 1 && <span class="quiet">{plural(file.edits, 'edit')}</span>}
                  <Counts added={file.added} removed={file.removed} />
                </span>
              </button>
            </div>
            {open.has(file.path) && <FileChange path={file.path} sessionId={sessionId} edits={file.edits} />}
          </li>
        ))}
      </ul>
      <p class="below">
        {files.length > shown.length && (
          <button type="button" class="plain" onClick={() => setWhole(true)}>
            Show all {files.length} files
          </button>
        )}
        {files.length > 1 && (
          <button
            type="button"
            class="plain"
            onClick={() => setOpen(new Set(allOpen ? [] : shown.map(({ path }) => path)))}
          >
            {allOpen ? 'Close all diffs' : 'Open all diffs'}
          </button>
        )}
      </p>
    </>
  );
}

function FileChange({ path, sessionId, edits }: { path: string; sessionId: string; edits: number }) {
  const loaded = useLoad(JSON.stringify([sessionId, path, edits]), (signal) =>
    api.change(sessionId, path, signal),
  );
  const change = loaded.value;
  if (loaded.error !== null) return <Failed what="The change" error={loaded.error} again={loaded.again} />;
  if (change === null) return <Loading what="the change" lines={3} />;
  return (
    <div class="opened">
      {change.lines.length === 0 ? (
        <p class="quiet">
          {change.edits === 0
            ? 'A command changed this file: its lines were not captured.'
            : 'The edits undo each other.'}
        </p>
      ) : (
        <>
          <DiffLines path={path} lines={change.lines} />
          {change.isCut && <p class="notice">The change is longer; this is the start of it.</p>}
        </>
      )}
      {saved === null && (
        <p class="opened-foot">
          <span>
            all sessions with <FilePath path={path} />
          </span>
        </p>
      )}
    </div>
  );
}
