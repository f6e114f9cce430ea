import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible, visibleText } from './visible.ts';

const marks = (text: string): string[] =>
  visible(text).flatMap((piece) => (piece.kind === 'mark' ? [piece.text] : []));

describe('visible', () => {
  it('leaves plain text, new lines, tabs, other scripts and pictures of several parts alone', () => {
    const text = 'déjà\n\tvu שלום 日本語 👩\u200d💻 👍🏽\u200d';
    expect(visible(text)).toEqual([{ kind: 'text', text }]);
  });

  it('names direction marks, zero-width characters and tags instead of obeying them', () => {
    expect(marks('a\u202eb\u2066c\u2069d\u200be\ufefff\u{e0041}g\u200dh')).toEqual([
      'RLO',
      'LRI',
      'PDI',
      'ZWSP',
      'BOM',
      'U+E0041',
      'ZWJ',
    ]);
  });

  it('names letters without a shape, and selectors of a shape that stand in a row', () => {
    expect(marks('a\u3164b\u115f\u034f')).toEqual(['U+3164', 'U+115F', 'U+034F']);
    expect(marks('❤\ufe0f\ufe01\ufe02')).toEqual(['U+FE01', 'U+FE02']);
    expect(marks('❤\ufe0f\u200d🔥')).toEqual([]);
  });

  it('shows a terminal sequence as one mark, whole', () => {
    expect(visible('\u001b[31mred\u001b[0m')).toEqual([
      { kind: 'mark', text: '␛[31m', title: 'terminal sequence' },
      { kind: 'text', text: 'red' },
      { kind: 'mark', text: '␛[0m', title: 'terminal sequence' },
    ]);
    expect(marks('\u001b]8;;javascript:alert(1)\u0007link')).toEqual(['␛]8;;javascript:alert(1)']);
    expect(marks('\u001b')).toEqual(['␛']);
  });

  it('drops the carriage return of a line end and shows any other', () => {
    expect(visibleText('a\r\nb\rc')).toBe('a\nb‹␍›c');
  });

  it('keeps markup as the text that it is', () => {
    expect(visibleText('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>');
  });

  it('leaves nothing in a text that acts unseen, and loses no other character', () => {
    const acting = /[\p{Cc}\p{Bidi_Control}\u200b\u2060\ufeff\u{e0000}-\u{e01ef}]|\p{Cs}/u;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const texts = visible(text).flatMap((piece) => (piece.kind === 'text' ? [piece.text] : []));
        expect(acting.test(texts.join('').replace(/[\n\t]/g, ''))).toBe(false);
        let at = 0;
        for (const part of texts) {
          at = text.indexOf(part, at);
          expect(at).toBeGreaterThanOrEqual(0);
          at += part.length;
        }
      }),
    );
  });
});
