import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { NoteMarkdown } from './note-markdown.tsx';

function shown(text: string): HTMLElement {
  const element = document.createElement('div');
  flushSync(() => createRoot(element).render(<NoteMarkdown text={text} />));
  return element;
}

test('a note contains no links and loads nothing', () => {
  const element = shown(
    [
      '[run](javascript:alert(1)) [file](file:///etc/passwd) <https://example.org> https://example.org [ref][1]',
      '![seen](https://example.org/pixel.png) ![data](data:image/svg+xml;base64,AAAA)',
      '<img src=x onerror=alert(1)><iframe src="https://example.org"></iframe><script>alert(1)</script>',
      'A footnote[^1].\n\n[^1]: there\n\n[1]: https://example.org "title"',
      '- [ ] task',
    ].join('\n\n'),
  );
  expect(element.textContent).toContain('seen');
  expect(
    element.querySelectorAll('a, img, iframe, script, object, embed, link, style, form, [src], [href]').length,
  ).toBe(0);
});

test.each([
  ['quotes', '>'.repeat(20_000)],
  ['quotes with blanks', ' > '.repeat(20_000)],
  ['quotes in a list', `- 1. ${'> '.repeat(5_000)}`],
  ['lists', `${'- '.repeat(5_000)}x`],
  ['emphasis', '*a _b '.repeat(2_000)],
  ['brackets', '['.repeat(10_000)],
  ['letters', 'x '.repeat(500_000)],
])('%s in huge numbers do not freeze the window', (_title, text) => {
  const start = performance.now();
  expect(shown(text).textContent?.length).toBeGreaterThan(0);
  expect(performance.now() - start).toBeLessThan(5_000);
});

test('common markup is rendered, including a line of dashes and nested quotes', () => {
  const element = shown(`${'-'.repeat(80)}\n\n> > deep\n\n- a\n  - b\n\n${'* '.repeat(20)}\n\n**bold**`);
  expect([...element.querySelectorAll('hr, blockquote, ul, strong, pre')].map(({ tagName }) => tagName)).toEqual([
    ...['HR', 'BLOCKQUOTE', 'BLOCKQUOTE', 'UL', 'UL', 'HR', 'STRONG'],
  ]);
});
