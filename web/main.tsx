/**
 * The page: one bundle of Preact, read-only, that shows the memory from the bridge's answers, or of
 * one session from the file that it is in.
 * Promises: recorded text is only ever text; figures are live or say how old they are; everything works by keyboard.
 * Takes from `src/` only what is pure: the tool families, the index terms (so that a mark is what the index matched), the lines of a
 * change, which check covers which, two limits.
 * Does not write: there is nothing here that changes a memory.
 */
import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './parts/theme.tsx';
import { saved } from './saved.ts';
import { SavedSession } from './saved-session.tsx';
import { visibleText } from './text/visible.ts';

applyTheme();
const place = document.getElementById('app');
if (place === null) throw new Error('the document has no place for the page');
place.replaceChildren();
if (saved === null) render(<App />, place);
else {
  document.title = visibleText(`Session ${saved.session.sessionId}`);
  render(<SavedSession saved={saved} />, place);
}
