import { useMemo, useState } from 'preact/hooks';
import type { Json } from '../../src/core/event/json.ts';
import type { FileDiff } from '../../src/reading/edits/shown.ts';
import { linesFirst } from '../limits.ts';
import { FilePath } from '../parts/path.tsx';
import { Block, LongText, Plain } from '../parts/plain.tsx';
import { head } from '../text/cut.ts';
import { visibleText } from '../text/visible.ts';
import { count, plural } from '../text/words.ts';
import { JsonTree } from './json-tree.tsx';
import { type Fact, type PlanItem, readPayload, type View } from './read-payload.ts';

/** The redacted payload in the form of its tool, with the whole of it as JSON one press away. */
export function PayloadView({ payload, isError }: { payload: Json; isError: boolean }) {
  const view = useMemo(() => readPayload(payload), [payload]);
  const [isRaw, setRaw] = useState(false);
  const showsJson = isRaw || view.kind === 'plain';
  return (
    <div class="payload">
      {view.kind !== 'plain' && (
        <fieldset class="switch">
          <legend class="unseen">Form of the payload</legend>
          {(['Readable', 'JSON'] as const).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={(name === 'JSON') === isRaw}
              onClick={() => setRaw(name === 'JSON')}
            >
              {name}
            </button>
          ))}
        </fieldset>
      )}
      {showsJson ? <JsonTree value={payload} /> : <Readable view={view} isError={isError} />}
    </div>
  );
}

function Readable({ view, isError }: { view: View; isError: boolean }) {
  switch (view.kind) {
    case 'command':
      return <Command {...view} isError={isError} />;
    case 'diff':
      return (
        <>
          {view.files.map((file) => (
            <Diff key={file.path} {...file} />
          ))}
        </>
      );
    case 'read':
      return (
        <>
          <Path path={view.path} note={view.range} />
          <LongText text={view.text} label="What was read" />
        </>
      );
    case 'search':
      return (
        <>
          <Facts facts={view.asked} />
          {view.found === '' ? (
            <p class="quiet">It found nothing.</p>
          ) : (
            <LongText text={view.found} label="What was found" />
          )}
        </>
      );
    case 'page':
      return (
        <>
          <Facts facts={view.asked} />
          {view.text !== '' && <LongText text={view.text} label="What came back" />}
        </>
      );
    case 'plan':
      return <Plan items={view.items} />;
    case 'plain':
      return null;
  }
}

function Command({
  command,
  note,
  out,
  err,
  exit,
  isError,
}: Extract<View, { kind: 'command' }> & { isError: boolean }) {
  const failed = isError || (exit !== null && exit !== 0);
  return (
    <>
      {note !== '' && <Plain as="p" class="note" text={note} />}
      <Block label="Command" class="command">
        <span class="prompt" aria-hidden="true">
          ${' '}
        </span>
        <Plain text={command} />
      </Block>
      {(failed || exit !== null) && (
        <p class={failed ? 'exit bad' : 'exit'}>
          {[failed ? 'failed' : '', exit === null ? '' : `exit ${exit}`].filter(Boolean).join(', ')}
        </p>
      )}
      {out !== '' && <LongText text={out} label="Output" />}
      {err !== '' && (
        <>
          <p class="stream-name">standard error</p>
          <LongText text={err} label="Standard error" />
        </>
      )}
      {out === '' && err === '' && <p class="quiet">It printed nothing.</p>}
    </>
  );
}

/** A longer line is not read as a line; its JSON form has all of it. */
const lineCharsMax = 4_000;
const signs = { same: ' ', added: '+', removed: '−', gap: ' ' } as const;

function Diff({ path, lines, added, removed }: FileDiff) {
  return (
    <>
      <Path path={path} note={`+${count(added)} −${count(removed)}`} />
      <DiffLines path={path} lines={lines} />
    </>
  );
}

/** The lines of a change with their signs. */
export function DiffLines({ path, lines }: Pick<FileDiff, 'path' | 'lines'>) {
  const [shown, setShown] = useState(linesFirst);
  return (
    <>
      <Block label={`Change of ${visibleText(path) || 'a file'}`} class="diff">
        {lines.slice(0, shown).map((line, at) => (
          <span key={at} class={`line ${line.kind}`}>
            <span class="sign">{signs[line.kind]}</span>
            <Plain text={head(line.text, lineCharsMax)} />
            {'\n'}
          </span>
        ))}
      </Block>
      {lines.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown * 4)}>
          Show more, {plural(lines.length - shown, 'line')} left
        </button>
      )}
    </>
  );
}

function Path({ path, note }: { path: string; note: string }) {
  return (
    <p class="path">
      <code>
        <FilePath path={path} />
      </code>
      {note !== '' && <span class="path-note">{note}</span>}
    </p>
  );
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="asked">
      {facts.map(({ name, value }, at) => (
        <div key={at}>
          <Plain as="dt" text={name} />
          <Plain as="dd" text={value} />
        </div>
      ))}
    </dl>
  );
}

const boxes: Readonly<Record<string, string>> = { completed: '✓', in_progress: '▸', pending: '·' };

function Plan({ items }: { items: readonly PlanItem[] }) {
  return (
    <ul class="plan">
      {items.map((item, at) => (
        <li key={at} class={Object.hasOwn(boxes, item.status) ? item.status : ''}>
          <span class="box" aria-hidden="true">
            {boxes[item.status] ?? '·'}
          </span>
          <Plain text={item.text} />
          <span class="quiet"> {item.status.replaceAll('_', ' ')}</span>
        </li>
      ))}
    </ul>
  );
}
