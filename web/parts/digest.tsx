import { visibleText } from '../text/visible.ts';
import { Plain } from './plain.tsx';

/** The digest of a session. */
export function Digest({ digest, class: extra = '' }: { digest: string | null; class?: string }) {
  if (digest === null) {
    return <span class="digest quiet">No digest yet.</span>;
  }
  return (
    <span class={`digest ${extra}`}>
      {digest.split('\n').map((line) => (
        <span key={line} class="digest-line" title={visibleText(line)} dir="auto">
          <Plain text={line} />
        </span>
      ))}
    </span>
  );
}
