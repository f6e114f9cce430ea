import { toolFamily } from '../../src/core/event/tool-family.ts';
import { api } from '../api.ts';
import { addressOf, Copy } from '../parts/copy.tsx';
import { useLoad } from '../parts/hooks.ts';
import { Clock, From, familyGlyph } from '../parts/marks.tsx';
import { Counts, FilePath, PathName } from '../parts/path.tsx';
import { Plain } from '../parts/plain.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { PayloadView } from '../payload/payload.tsx';
import { memories, sessionLink, writeRoute } from '../route.ts';
import { saved } from '../saved.ts';
import type { Step } from '../shapes.ts';
import { visibleText } from '../text/visible.ts';
import { checkEnd, type Fixes, isChange } from './model.ts';
import { Said } from './said.tsx';

const replyCharsFirst = 2_400;
const asideCharsFirst = 400;

export interface StepProps {
  readonly step: Step;
  readonly sessionId: string;
  readonly fixes: Fixes;
  readonly isOpen: boolean;
  readonly isLast: boolean;
  readonly toggle: (seq: number) => void;
  readonly goTo: (seq: number) => void;
}

export function StepRow(props: StepProps) {
  const { step } = props;
  if (step.kind === 'reply') return <Reply {...props} />;
  const isBad = step.isFailure === true;
  const check = checkEnd(step);
  const marks = {
    'data-seq': step.seq,
    ...(isBad && { 'data-failed': '' }),
    ...(isChange(step) && { 'data-change': '' }),
    ...(step.commit !== undefined && { 'data-commit': '' }),
  };
  const kind = [
    'step',
    isBad && 'is-bad',
    check === 'passed' && 'is-good',
    step.commit !== undefined && 'is-commit',
    isChange(step) && 'is-change',
  ].filter(Boolean);
  return (
    <li class={kind.join(' ')}>
      <button
        type="button"
        class={`step-row family-${step.family ?? 'other'}`}
        aria-expanded={props.isOpen}
        {...marks}
        onClick={() => props.toggle(step.seq)}
      >
        <span class="glyph" aria-hidden="true">
          {step.commit === undefined ? familyGlyph(step.family ?? toolFamily(step.tool)) : '◆'}
        </span>
        <Title step={step} />
        <Ends step={step} />
        {props.sessionId === '' && <From author={step.author} />}
        <Clock ts={step.ts} />
      </button>
      <Cause {...props} isBad={isBad} />
      {props.isOpen && <Opened step={step} sessionId={props.sessionId} />}
    </li>
  );
}

function Title({ step }: { step: Step }) {
  const name = <span class="unseen">{visibleText(step.tool)} </span>;
  if (step.commit !== undefined) {
    return (
      <span class="step-title commit">
        <span class="unseen">Commit </span>
        <Plain text={step.commit} />
      </span>
    );
  }
  const isFile = step.family === 'edit' || step.family === 'read';
  return (
    <span class="step-title">
      {name}
      {isFile ? <PathName path={step.title} /> : <Plain text={step.title || step.tool} />}
    </span>
  );
}

/** How a call ended, in the fewest words. */
function Ends({ step }: { step: Step }) {
  const { exit, files = [] } = step;
  const check = checkEnd(step);
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const [file] = files;
  return (
    <span class="step-end">
      {file?.isNew === true && <span class="quiet">new</span>}
      {file?.isGone === true && <span class="quiet">removed</span>}
      <Counts added={added} removed={removed} />
      {check === 'passed' && <span class="end-good">passed</span>}
      {check === 'failed' && <span class="end-bad">failed</span>}
      {check === null && <EndWord step={step} />}
      {exit !== undefined && <span class="quiet">exit {exit}</span>}
    </span>
  );
}

/** How a call ended otherwise than well; a search or a read that found nothing is not red. */
export function EndWord({ step }: { step: Step }) {
  const { end } = step;
  if (end === undefined) return null;
  return <span class={end === 'failed' && !step.isFailure ? 'quiet' : 'end-bad'}>{end}</span>;
}

/** What was wrong, what fixed it, and of a fix what it fixed. */
function Cause({ step, fixes, isBad, goTo }: StepProps & { isBad: boolean }) {
  const fixedBy = fixes.fixedBy.get(step.seq);
  const fixed = fixes.fixes.get(step.seq);
  if (!isBad && step.end !== 'refused') {
    if (fixed === undefined) return null;
    return (
      <p class="cause is-fix">
        <button type="button" class="plain" onClick={() => goTo(fixed)}>
          ↑ fixes the failure
        </button>
      </p>
    );
  }
  return (
    <p class="cause">
      {step.said !== undefined && <Plain text={step.said} />}{' '}
      {isBad && fixedBy === undefined && (checkEnd(step) === 'failed' || step.family === 'edit') && (
        <span class="quiet">· no fix seen in this session</span>
      )}
      {fixedBy !== undefined && (
        <button type="button" class="plain" onClick={() => goTo(fixedBy)}>
          ↓ fixed
        </button>
      )}
    </p>
  );
}

const asides: readonly (readonly [(step: Step) => unknown, string])[] = [
  [({ tool }) => tool === 'Note', 'Note by the assistant'],
  [({ isAgent }) => isAgent, 'Report of a subagent'],
  [({ isCompaction }) => isCompaction, 'Compaction summary'],
];

function Reply({ step, isLast }: StepProps) {
  const whose = asides.find(([isOf]) => isOf(step))?.[1] ?? null;
  const kind = ['reply', isLast && 'is-last', whose !== null && 'is-aside'].filter(Boolean).join(' ');
  return (
    <li class={kind} data-reply={step.seq} tabIndex={-1}>
      {whose !== null && <p class="quiet">{whose}</p>}
      <Said text={step.title} first={whose === null ? replyCharsFirst : asideCharsFirst} />
      {step.isCut === true && saved !== null && (
        <p class="notice">The message is longer than this file holds.</p>
      )}
      {step.isCut === true && saved === null && step.id !== null && (
        <a href={writeRoute({ ...memories, open: step.id })}>Read the whole message</a>
      )}
    </li>
  );
}

/** The call itself, in its place. */
function Opened({ step, sessionId }: { step: Step; sessionId: string }) {
  const loaded = useLoad(`${step.seq}`, (signal) => api.event(step.seq, signal));
  const detail = loaded.value;
  const isCommand = step.family === 'command';
  const paths = (step.files ?? []).map(({ path }) => path);
  const path = step.family === 'read' ? step.title : paths[0];
  return (
    <div class="opened">
      {loaded.error !== null && <Failed what="The call" error={loaded.error} again={loaded.again} />}
      {detail === null && loaded.error === null && <Loading what="the call" lines={3} />}
      {detail !== null && (
        <>
          {detail.payloadCut === true && (
            <p class="notice">The call is longer than the page is sent; this is the start of it.</p>
          )}
          <PayloadView payload={detail.payload} isError={detail.isError || step.isFailure === true} />
        </>
      )}
      <p class="opened-foot">
        {saved === null && step.id !== null && (
          <a href={writeRoute({ ...memories, open: step.id })}>memory #{step.id}</a>
        )}
        {paths.length < 2 && path !== undefined && path !== '' && (
          <span>
            file <FilePath path={path} />
          </span>
        )}
        {isCommand && detail !== null && (
          <Copy what="command" text={commandIn(detail.payload) || step.title} />
        )}
        {saved === null && <Copy what="link" text={addressOf(sessionLink(sessionId, step.seq))} />}
      </p>
    </div>
  );
}

function commandIn(payload: unknown): string {
  const input = typeof payload === 'object' && payload !== null && 'input' in payload ? payload.input : null;
  const found = typeof input === 'object' && input !== null && 'command' in input ? input.command : '';
  return typeof found === 'string' ? found : '';
}
