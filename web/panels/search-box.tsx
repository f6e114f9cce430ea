import { useEffect, useRef, useState } from 'preact/hooks';
import { typingPauseMs } from '../limits.ts';
import { go, memories, type Route, readRoute } from '../route.ts';

/** Search as you type; the address follows, so that a search can be kept and gone back to. */
export function SearchBox({ route }: { route: Route }) {
  const [text, setText] = useState(route.query);
  const timer = useRef(0);
  const sent = useRef(route.query);
  useEffect(() => {
    // Back, Escape or a link: the field shows what the address says, unless it is only catching up with the typing.
    if (route.query !== sent.current) setText(route.query);
    sent.current = route.query;
  }, [route.query]);
  const search = (query: string): void => {
    clearTimeout(timer.current);
    const wasSearching = sent.current !== '';
    sent.current = query.trim();
    // A list of memories keeps its filters; another view has none of a search.
    const from = readRoute(location.hash).view === 'memories' ? {} : memories;
    go({ ...from, view: 'memories', query: query.trim(), open: null }, { replace: wasSearching });
  };
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(text);
        }}
      >
        <label for="query" class="unseen">
          Search the memory
        </label>
        <input
          id="query"
          type="search"
          value={text}
          placeholder="Search the memory"
          autocomplete="off"
          spellcheck={false}
          maxLength={2_000}
          onInput={(event) => {
            const { value } = event.currentTarget;
            setText(value);
            clearTimeout(timer.current);
            timer.current = window.setTimeout(() => search(value), typingPauseMs);
          }}
        />
        <span class="hint" aria-hidden="true">
          /
        </span>
      </form>
    </search>
  );
}
