import { visibleText } from '../text/visible.ts';
import { Plain } from './plain.tsx';

/** The digest of a session. */
export function Digest({ digest, class: extra = '' }: { digest: string | null; class?: string }) {
  if (digest === null) {
    return <span class="digest quiet">No digest yet.</span>;
  }
  return (
    <span class={`digest ${extra}`}>
      {digest.split('\n').map((line) => {
        const [, label, rest] = /^([A-Z][a-z ]{2,10}): (.*)$/.exec(line) ?? [];
        return (
          <span key={line} class="digest-line" title={visibleText(line)}>
            {label !== undefined && <span class="digest-label">{label}</span>}
            <span class="digest-said" dir="auto">
              <Plain text={rest ?? line} />
            </span>
          </span>
        );
      })}
    </span>
  );
}
