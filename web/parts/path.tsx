import { fileLink } from '../route.ts';
import { saved } from '../saved.ts';
import { visibleText } from '../text/visible.ts';
import { Plain } from './plain.tsx';
import { usePlace } from './root.tsx';

/** A path with its name in front of the eye; leads to all that happened to the file. */
export function FilePath({ path }: { path: string }) {
  const place = usePlace(path);
  if (saved !== null) return <PathName path={path} />;
  return (
    <a class="file-path" href={fileLink(place)} title={`All of ${visibleText(path)}`}>
      <PathName path={path} />
    </a>
  );
}

export function PathName({ path }: { path: string }) {
  const shown = usePlace(path);
  const at = shown.lastIndexOf('/') + 1;
  return (
    <>
      {at > 0 && <Plain as="span" class="folder" text={shown.slice(0, at)} />}
      <Plain as="span" class="file-name" text={shown.slice(at)} />
    </>
  );
}

export function Counts({ added, removed }: { added: number; removed: number }) {
  if (added + removed === 0) return null;
  return (
    <span class="plus-minus">
      <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
    </span>
  );
}
