import { expect, test } from 'vitest';
import { visibleText } from './strange-signs.ts';

test('invisible characters become visible, and others stay', () => {
  expect(visibleText('a\u200Bb \u202Egnp\u202C \u{E0041} \u3164 x\u200D \uFE0F \uFEFF\u0000')).toBe(
    'a[U+200B]b [U+202E]gnp[U+202C] [U+E0041] [U+3164] x[U+200D] [U+FE0F] [U+FEFF][U+0000]',
  );
  const plain = 'Grüße, 你好\r\n\t❤\uFE0F\u200D🔥 \u0645\u06CC\u200C\u062E';
  expect(visibleText(plain)).toBe(plain);
});
