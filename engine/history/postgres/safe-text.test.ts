import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, encodeText } from './safe-text.ts';

test('every text returns unchanged, without a sign that PostgreSQL refuses', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('\\', '\0', 'u0000', '\ud800', '\udc00', 'a', '😀', '\\u0000')), (parts) => {
      const text = parts.join('');
      const stored = encodeText(text);
      expect(stored).not.toContain('\0');
      expect(Buffer.from(stored, 'utf8').toString('utf8')).toBe(stored);
      expect(decodeText(stored)).toBe(text);
    }),
  );
});

test('usual text is stored as it is', () => {
  expect(encodeText('flows/größe 😀.flow.yaml')).toBe('flows/größe 😀.flow.yaml');
});
