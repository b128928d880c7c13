import { describe, expect, test } from 'vitest';
import { closeBinding, isTypedOver } from './binding-text.tsx';

/** Parses a text with a bar at the caret position. */
function at(marked: string): [text: string, caret: number] {
  return [marked.replace('|', ''), marked.indexOf('|')];
}

describe('typing braces', () => {
  test('starts a binding that is closed at once', () => {
    expect(closeBinding(...at('Say {{|'))).toBe('Say {{}}');
    expect(closeBinding(...at('Say {{| and {{b.text}}'))).toBe('Say {{}} and {{b.text}}');
  });

  test('does not close a binding that is already closed, after a backslash, or at a third brace', () => {
    for (const marked of ['Say {{|a.text}}', '\\{{|', '{{{|', '{|']) {
      const [text, caret] = at(marked);
      expect(closeBinding(text, caret)).toBe(text);
    }
  });

  test('overwrites the closing braces of a binding, and nothing else', () => {
    const marked = ['{{a|}}', '{{a}|}', '{{|}}', '{{a}}|}', 'a|}', '\\{{a|}}'];
    expect(marked.map((one) => isTypedOver(...at(one)))).toEqual([true, true, true, false, false, false]);
  });
});
