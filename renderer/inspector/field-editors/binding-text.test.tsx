import { describe, expect, test } from 'vitest';
import { closeBinding, isTypedOver } from './binding-text.tsx';

/** A text with a bar where the caret stands. */
function at(marked: string): [text: string, caret: number] {
  return [marked.replace('|', ''), marked.indexOf('|')];
}

describe('braces that are typed', () => {
  test('begin a binding that has its end at once', () => {
    expect(closeBinding(...at('Say {{|'))).toBe('Say {{}}');
    expect(closeBinding(...at('Say {{| and {{b.text}}'))).toBe('Say {{}} and {{b.text}}');
  });

  test('stay alone where a binding ends already, behind a backslash, and as a third one', () => {
    for (const marked of ['Say {{|a.text}}', '\\{{|', '{{{|', '{|']) {
      const [text, caret] = at(marked);
      expect(closeBinding(text, caret)).toBe(text);
    }
  });

  test('are typed over at the end of a binding, and nowhere else', () => {
    const marked = ['{{a|}}', '{{a}|}', '{{|}}', '{{a}}|}', 'a|}', '\\{{a|}}'];
    expect(marked.map((one) => isTypedOver(...at(one)))).toEqual([true, true, true, false, false, false]);
  });
});
