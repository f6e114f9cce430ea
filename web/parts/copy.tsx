import { useEffect, useState } from 'preact/hooks';
import { visibleText } from '../text/visible.ts';

/** Copies a text; `what` names it. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<'' | 'copied' | 'not copied'>('');
  useEffect(() => {
    const timer = setTimeout(() => setState(''), 1_500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('not copied'),
    );
  };
  return (
    <button type="button" class="copy" title={visibleText(text).slice(0, 400)} onClick={copy}>
      {state === '' ? `copy ${what}` : <span role="status">{state}</span>}
    </button>
  );
}

/** The address of a place on this page, which holds no secret. */
export function addressOf(hash: string): string {
  return `${location.origin}/${hash}`;
}
