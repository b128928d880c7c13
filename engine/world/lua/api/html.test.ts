import { expect, test } from 'vitest';
import { apiCaller } from '../../../testing/call-api.ts';
import { runLua } from '../../../testing/run-lua.ts';
import { htmlApi } from './html.ts';

const call = apiCaller(htmlApi);

test('slims HTML under both names', () => {
  expect(call('slim', '<p onclick="x()">a</p>')).toBe('<html>\n  <body>\n    <p>a</p>\n  </body>\n</html>');
  expect(call('prune_to_content', '<p>a</p>')).toBe(call('slim', '<p>a</p>'));
});

test('selects elements by one or more selectors, and none for nil', () => {
  expect(call('select', '<p>a</p><b>c</b>', 'p')).toEqual([{ tag: 'p', text: 'a', inner_html: 'a' }]);
  expect(call('select', '<p>a</p><b>c</b>', ['b', 'p'])).toHaveLength(2);
  expect(call('select', '<p>a</p>', undefined)).toEqual([]);
  expect(() => call('select', '<p>', 1)).toThrow('aip.html.select - Expected a string or a list of strings');
  expect(() => call('select', '<p>', ['a', 1])).toThrow('aip.html.select - Table contains non-string values');
  expect(() => call('select', '<p>', 'h1[')).toThrow(/^Cannot apply selector '\["h1\["\]'\.\nCause: /);
});

test('converts HTML to markdown', () => {
  expect(call('to_md', '<h1>Title</h1><p>a</p>')).toBe('# Title\n\na');
  expect(() => call('to_md')).toThrow(/^bad argument #1/);
});

test("reads HTML in a script's worker, including deeply nested HTML", async () => {
  const lua = `local html = string.rep("<div><span>", 490) .. "x"
    local found = aip.html.select("<p class='a'>t</p>", ".a")[1]
    return { aip.html.to_md(html), #aip.html.slim(html) > 1000, found.attrs.class, found.text }`;
  expect(await runLua(lua)).toEqual(['x', true, 'a', 't']);
});
