import { messageTools, noteTool } from '../../src/core/event/event.ts';
import { type ToolFamily, toolFamily } from '../../src/core/event/tool-family.ts';
import { isCompaction } from '../../src/reading/talk/compaction.ts';
import type { State, Summary } from '../shapes.ts';
import { visibleText } from '../text/visible.ts';
import { clock, fullTime, when } from '../text/words.ts';

const glyphs: Readonly<Record<ToolFamily, string>> = {
  command: '$',
  edit: '±',
  read: '≡',
  search: '⌕',
  web: '@',
  agent: '∴',
  plan: '☑',
  question: '?',
  other: '·',
};

/** The sign of a family of tools. */
export function familyGlyph(family: ToolFamily): string {
  return glyphs[family];
}

/** The other author who recorded something. Nothing for what is the user's own. */
export function From({ author }: { author?: string | undefined }) {
  return author === undefined ? null : <span class="flag from">from {visibleText(author)}</span>;
}

/** What a memory is of: the tool of a call, who said a message, or a session; and whose it is, if not the user's. */
export function What({ summary }: { summary: Said & Pick<Summary, 'author'> }) {
  if (summary.author === undefined) return <Kind summary={summary} />;
  return (
    <span>
      <Kind summary={summary} /> <From author={summary.author} />
    </span>
  );
}

type Flagged = Pick<Summary, 'tool' | 'pinned' | 'pinnedBy' | 'supersededBy'>;
type Said = Pick<Summary, 'kind' | 'role' | 'tool' | 'isError' | 'text'>;

function Kind({ summary }: { summary: Said }) {
  if (summary.kind === 'call') return <Tool name={summary.tool} isError={summary.isError} />;
  const isSession = summary.kind === 'session';
  const words = summary.tool === noteTool ? `note by the ${summary.role ?? 'user'}` : toolWords(summary.tool);
  const said = isCompaction(summary.text) ? 'compaction summary' : words;
  const name = isSession ? 'session' : said;
  return (
    <span class={`tool kind-${summary.kind} ${summary.role ?? ''}`}>
      <span class="glyph" aria-hidden="true">
        {isSession ? '§' : '“'}
      </span>
      <span class="tool-name">{name}</span>
    </span>
  );
}

/** The name of a tool; what messages have for one is named as they are. */
export function toolWords(name: string): string {
  const role = name === messageTools.user ? 'user' : name === messageTools.assistant ? 'assistant' : null;
  return role === null ? visibleText(name) : `${role} message`;
}

/** The tool by its family's sign and its own name; a failed call says so. */
function Tool({ name, isError = false }: { name: string; isError?: boolean | undefined }) {
  const family = toolFamily(name);
  return (
    <span class={`tool family-${family}`}>
      <span class="glyph" aria-hidden="true">
        {glyphs[family]}
      </span>
      <span class="tool-name">{toolWords(name)}</span>
      {isError && <span class="flag failed">failed</span>}
    </span>
  );
}

/** That a memory is pinned, also by another author, and replaced: a command by a later run. */
export function Flags({ tool, pinned, pinnedBy, supersededBy }: Flagged) {
  const by = pinnedBy === undefined ? '' : ` by ${visibleText(pinnedBy)}`;
  return (
    <>
      {(pinned || by !== '') && <span class="flag pinned">pinned{by}</span>}
      {supersededBy != null && (
        <span class="flag superseded">
          {toolFamily(tool) === 'command' ? 'later run:' : 'superseded by'} #{supersededBy}
        </span>
      )}
    </>
  );
}

export const stateNames = { current: 'still there', changed: 'changed since', gone: 'gone' } as const;

/** Whether what a memory says still holds. Nothing where that is not known. */
export function StateChip({ state, tool }: { state?: State | null | undefined; tool?: string }) {
  if (state == null || state.verdict === 'unknown') return null;
  // A command is not there or gone: what counts is whether it ends differently since.
  if (state.verdict === 'current' && tool !== undefined && toolFamily(tool) === 'command') return null;
  return (
    <span class={`flag state-${state.verdict}`} title={visibleText(state.detail)}>
      {stateNames[state.verdict] ?? state.verdict}
    </span>
  );
}

export function Clock({ ts }: { ts: string }) {
  return (
    <time dateTime={ts} title={fullTime(ts)}>
      {clock(ts)}
    </time>
  );
}

export function Ago({ ts, nowMs }: { ts: string; nowMs: number }) {
  return (
    <time dateTime={ts} title={fullTime(ts)}>
      {when(ts, nowMs)}
    </time>
  );
}
