import { expect, test } from 'vitest';
import { selectHtml } from '../api/html.ts';

test('returns matching elements once, in document order, with their content', () => {
  const html =
    '<div>First<li class="me">Bullet One </li><DIV class="me other " TITLE = " T" > Div <strong>Two </strong></DIV></div>';
  expect(selectHtml(html, ['strong', '.me', 'div.me', ' '])).toEqual([
    { tag: 'li', attrs: { class: 'me' }, text: 'Bullet One', inner_html: 'Bullet One' },
    {
      tag: 'div',
      attrs: { class: 'me other ', title: ' T' },
      text: 'Div Two',
      inner_html: 'Div <strong>Two </strong>',
    },
    { tag: 'strong', text: 'Two', inner_html: 'Two' },
  ]);
});

test('returns only the tag of an element without attributes and content', () => {
  expect(selectHtml('<button> </button>', ['button'])).toEqual([{ tag: 'button' }]);
});

test('supports all kinds of selectors', () => {
  const html = '<ul id="l"><li>a</li><li data-x="1">b <p>c</p></li><li>d</li></ul>';
  const texts = (selector: string) => selectHtml(html, [selector]).map((one) => one.text);
  expect(texts('#l > li:nth-child(2)')).toEqual(['b c']);
  expect(texts('li:has(p)')).toEqual(['b c']);
  expect(texts('li:not([data-x]) ~ li:last-child')).toEqual(['d']);
  expect(texts('li + li')).toEqual(['b c', 'd']);
  expect(texts('li:contains("a")')).toEqual(['a']);
  expect(texts('nothing')).toEqual([]);
  expect(selectHtml(html, [])).toEqual([]);
});

test('rejects an invalid selector', () => {
  expect(() => selectHtml('<p>', ['p', 'h1['])).toThrow(/Expected/);
});

test('rejects excessively nested HTML', () => {
  expect(selectHtml(`${'<div>'.repeat(900)}x`, ['div'])).toHaveLength(900);
  expect(() => selectHtml('<div>'.repeat(5000), ['div'])).toThrow('The HTML is nested more than 1000 elements deep');
});
