import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { setSingleKeys, singleKeysOn } from '../keys.ts';
import { sessionKeys } from '../session/jump.ts';

function KeyList({ keys: listed }: { keys: typeof keys }) {
  return (
    <dl>
      {listed.map(([pressed, does]) => (
        <div key={pressed}>
          <dt>
            {pressed.split(' ').map((one) => (
              <kbd key={one}>{one}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}

const keys: readonly (readonly [string, string])[] = [
  ['/', 'search'],
  ['↓ ↑', 'move through the list; an open memory follows'],
  ['j k', 'the same'],
  ['Enter', 'open, and go into it'],
  ['Esc', 'back: out of the field, the memory, the search, the session'],
  ['1 2 3 4', 'home, sessions, memories, health'],
  ['Tab', 'everything else, in reading order'],
  ['?', 'this'],
];

export function Help({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOn, setOn] = useState(singleKeysOn);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keys</h2>
      <KeyList keys={keys} />
      <h2>In a session</h2>
      <KeyList keys={sessionKeys} />
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            setSingleKeys(event.currentTarget.checked);
            setOn(event.currentTarget.checked);
          }}
        />
        Single letters are keys
      </label>
      <h2>What is on this page</h2>
      <p>
        Only what the daemon of this workspace has recorded, with secrets already taken out. Nothing here can
        change it. Characters that would act without being seen are named, like{' '}
        <span class="acting">RLO</span>.
      </p>
      <button type="button" class="help-close" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
