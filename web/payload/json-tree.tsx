import { useState } from 'preact/hooks';
import type { Json } from '../../src/core/event/json.ts';
import { jsonItemsFirst, jsonPreviewChars, previewChars } from '../limits.ts';
import { Block, LongText, Plain } from '../parts/plain.tsx';
import { oneLine } from '../text/cut.ts';
import { plural } from '../text/words.ts';

/** JSON, folded: what is inside an object or a list is made when it is opened. */
export function JsonTree({ value }: { value: Json }) {
  return (
    <div class="json">
      <Value value={value} depth={0} />
    </div>
  );
}

function Value({ value, depth }: { value: Json; depth: number }) {
  if (typeof value === 'string') return <Text text={value} />;
  if (typeof value !== 'object' || value === null) return <span class="json-atom">{String(value)}</span>;
  const isList = Array.isArray(value);
  const entries: [string, Json][] = isList
    ? value.map((item, at): [string, Json] => [String(at), item])
    : Object.entries(value);
  if (entries.length === 0) return <span class="json-atom">{isList ? '[ ]' : '{ }'}</span>;
  return depth === 0 ? (
    <Entries entries={entries} depth={depth} />
  ) : (
    <Folded entries={entries} depth={depth} isList={isList} />
  );
}

function Folded({
  entries,
  depth,
  isList,
}: {
  entries: readonly [string, Json][];
  depth: number;
  isList: boolean;
}) {
  const [isOpen, setOpen] = useState(depth < 2 && entries.length <= 12);
  const preview = isList ? '' : oneLine(entries.map(([key]) => key).join(', '), jsonPreviewChars);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {isList ? `[ ${plural(entries.length, 'item')} ]` : '{ '}
        {!isList && <Plain text={preview} />}
        {!isList && ' }'}
      </summary>
      {isOpen && <Entries entries={entries} depth={depth} />}
    </details>
  );
}

function Entries({ entries, depth }: { entries: readonly [string, Json][]; depth: number }) {
  const [shown, setShown] = useState(jsonItemsFirst);
  return (
    <>
      <dl>
        {entries.slice(0, shown).map(([key, value]) => (
          <div key={key} class={isFlat(value) ? 'flat' : 'deep'}>
            <Plain as="dt" text={key} />
            <dd>
              <Value value={value} depth={depth + 1} />
            </dd>
          </div>
        ))}
      </dl>
      {entries.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + jsonItemsFirst)}>
          Show more, {plural(entries.length - shown, 'entry', 'entries')} left
        </button>
      )}
    </>
  );
}

function Text({ text }: { text: string }) {
  if (text === '') return <span class="json-atom">""</span>;
  if (text.length > previewChars) return <LongText text={text} label="Text" />;
  if (text.includes('\n')) {
    return (
      <Block label="Text">
        <Plain text={text} />
      </Block>
    );
  }
  return <Plain as="span" class="json-text" dir="auto" text={text} />;
}

function isFlat(value: Json): boolean {
  if (typeof value === 'string') return value.length <= previewChars && !value.includes('\n');
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}
