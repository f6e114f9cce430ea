import { useState } from 'preact/hooks';
import { useBeforePrint } from './hooks.ts';

/** The first of a long list, of which one more is not worth a button. */
export function firstOf<Item>(items: readonly Item[], most: number): readonly Item[] {
  return items.length <= most + 1 ? items : items.slice(0, most);
}

/** Those of a list that are shown first, and the button that shows all; `words` names what is hidden. On paper all are shown. */
export function useFold<Item>(
  items: readonly Item[],
  first: readonly Item[],
  words: (hidden: number) => string,
): [readonly Item[], preact.ComponentChildren] {
  const [isOpen, setOpen] = useState(false);
  useBeforePrint(() => setOpen(true));
  if (isOpen || first.length === items.length) return [items, null];
  const more = (
    <button type="button" class="plain" onClick={() => setOpen(true)}>
      {words(items.length - first.length)}
    </button>
  );
  return [first, more];
}
