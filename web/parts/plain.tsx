import { createContext, createElement, Fragment } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { marked, type Wanted } from '#reading/terms';
import { shownCharsFirst, shownCharsMore } from '../limits.ts';
import { head } from '../text/cut.ts';
import { visible } from '../text/visible.ts';
import { size } from '../text/words.ts';

/** The words that are marked in all text below. */
export const WantedWords = createContext<Wanted | undefined>(undefined);

/** The element that a recorded text is all of, with its attributes. */
export interface WholeOf {
  readonly text: string;
  readonly as?: 'code' | 'dd' | 'dt' | 'em' | 'kbd' | 'li' | 'p' | 'span' | 'strong' | 'td' | 'th';
  readonly class?: string;
  readonly dir?: 'auto';
  readonly scope?: 'col';
}

/** Recorded text as text and nothing else: what would act unseen is shown by its name. */
export function Plain({ text, as, ...attributes }: WholeOf) {
  const wanted = useContext(WantedWords);
  const pieces = useMemo(() => visible(text), [text]);
  const shown = pieces.map((piece) => {
    if (piece.kind === 'mark') {
      return (
        <span class="acting" title={piece.title}>
          {piece.text}
        </span>
      );
    }
    return wanted === undefined ? piece.text : <Marked text={piece.text} wanted={wanted} />;
  });
  return createElement<typeof attributes>(as ?? Fragment, attributes, shown);
}

function Marked({ text, wanted }: { text: string; wanted: Wanted }) {
  const spans = useMemo(() => marked(text, wanted), [text, wanted]);
  return <>{spans.map((span) => (span.isMatch ? <mark>{span.text}</mark> : span.text))}</>;
}

/** Text of any length: a first part, and more of it for the asking. */
export function LongText({ text, label }: { text: string; label: string }) {
  const [shown, setShown] = useState(shownCharsFirst);
  const part = head(text, shown);
  const left = text.length - part.length;
  return (
    <div class="long">
      <Block label={label}>
        <Plain text={part} />
      </Block>
      {left > 0 && (
        <button type="button" class="more" onClick={() => setShown(shown + shownCharsMore)}>
          Show more, {size(left)} left
        </button>
      )}
    </div>
  );
}

/** A block that scrolls by itself; reachable by the keyboard, therefore named. */
export function Block({
  label,
  class: extra = '',
  children,
}: {
  label: string;
  class?: string;
  children: preact.ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
    <pre class={`block ${extra}`} role="group" aria-label={label} tabIndex={0} dir="auto">
      {children}
    </pre>
  );
}
