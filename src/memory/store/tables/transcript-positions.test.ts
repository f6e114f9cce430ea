import { expect, it } from 'vitest';
import { newStore } from '../../../../test/support/store/store.ts';
import { setTranscriptPosition, transcriptPosition } from './transcript-positions.ts';

it('keeps the positions of other transcripts where one is damaged', () => {
  const { store, ...made } = newStore();
  const position = { ino: 1, size: 20, offset: 10 };
  store.settings.set('transcripts.read', JSON.stringify({ mill: position, gate: { ino: 1 }, dam: null }));
  setTranscriptPosition(store.settings, 'axle', position);
  const known = ['mill', 'axle', 'gate', 'dam'].map((file) => transcriptPosition(store.settings, file));
  expect(known).toEqual([position, position, null, null]);
  made.remove();
});
