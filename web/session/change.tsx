import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { firstOf, useFold } from '../parts/fold.tsx';
import { useBeforePrint, useLoad } from '../parts/hooks.ts';
import { Counts, FilePath, PathName } from '../parts/path.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { DiffLines } from '../payload/payload.tsx';
import { saved } from '../saved.ts';
import type { OpenNow, SessionAccount } from '../shapes.ts';
import { visibleText } from '../text/visible.ts';
import { plural } from '../text/words.ts';

const filesFirst = 12;
const foreignFirst = 6;

interface FilesProps {
  readonly files: SessionAccount['files'];
  readonly sessionId: string;
  readonly commits: OpenNow['commits'];
}

/** The files that a session changed; each opens to all of its changes as one diff, whose lines are counted. */
export function Files({ files, sessionId, commits }: FilesProps) {
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
                  {file.edits > 1 && (
                    <span class="quiet">{plural(file.edits - Number(file.isNew), 'edit')}</span>
                  )}
                  <Counts added={file.added} removed={file.removed} />
                  <InCommit hash={commits.findLast((one) => one.files.includes(file.path))?.hash} />
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
      <Foreign commits={commits} />
    </>
  );
}

function InCommit({ hash }: { hash: string | undefined }) {
  if (hash === undefined) return null;
  return (
    <code class="in-commit">
      <span class="unseen">in commit </span>
      {visibleText(hash)}
    </code>
  );
}

/** The other files of its commits: changed by a script, in another session or by hand, or edited and later edited back. */
function Foreign({ commits }: Pick<FilesProps, 'commits'>) {
  const all = [...new Map(commits.flatMap(({ hash, foreign }) => foreign.map((path) => [path, hash])))];
  const [shown, more] = useFold(all, firstOf(all, foreignFirst), () => `Show all ${all.length}`);
  if (all.length === 0) return null;
  return (
    <>
      <p class="quiet below">Also in its commits, with no edit of this session left:</p>
      <ul class="foreign-files" aria-label="Other files of its commits">
        {shown.map(([path, hash]) => (
          <li key={path}>
            <FilePath path={path} />
            <InCommit hash={hash} />
          </li>
        ))}
      </ul>
      {more}
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
