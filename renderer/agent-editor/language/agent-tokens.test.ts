import { expect, test } from 'vitest';
import { firstState, tokenizeLine } from './agent-tokens.ts';

/** Returns the colored ranges of a text line by line: `name "text"`. */
function colours(text: string): string[][] {
  let state = firstState;
  return text.split('\n').map((line) => {
    const { tokens, end } = tokenizeLine(line, state);
    state = end;
    return tokens.flatMap(({ start, name }, at) => {
      const stretch = line.slice(start, tokens[at + 1]?.start ?? line.length);
      return name === '' || stretch === '' ? [] : [`${name} ${stretch}`];
    });
  });
}

test('options are TOML in their fence', () => {
  expect(colours('# Options\n```toml\nmodel = "fast" # why\ntop_p = 0.2\n```\n# x')).toEqual([
    ['heading # Options'],
    ['fence ```toml'],
    ['key model', 'string "fast"', 'comment # why'],
    ['key top_p', 'number 0.2'],
    ['fence ```'],
    ['heading # x'],
  ]);
});

test('scripts are Lua in their fence, also over several lines, and text around it is prose', () => {
  expect(colours('# Data\nwhy\n```lua\nlocal a = aip.file.load("x")\nb = [[ one\n```\n# Output\n')).toEqual([
    ['heading # Data'],
    ['comment why'],
    ['fence ```lua'],
    ['keyword.lua local', 'function load', 'string "x"'],
    ['string [[ one'],
    ['fence ```'],
    ['heading # Output'],
    [],
  ]);
  expect(colours('# Data\n```lua\n--[[ a\nb ]] return 1')[3]).toEqual([
    'comment b ]]',
    'keyword.lua return',
    'number 1',
  ]);
});

test('prompts have bindings, code and bold text, and a heading inside of a fence is text', () => {
  const text =
    '# System `cache = true`\nBe **brief**, say `no` to {{data.note}} and {{#if\nx}}y\n```md\n# no heading {{a}}\n```';
  expect(colours(text)).toEqual([
    ['heading # System ', 'string `cache = true`'],
    ['strong **brief**', 'string `no`', 'binding {{data.note}}', 'binding {{#if'],
    ['binding x}}'],
    ['fence ```md'],
    ['binding {{a}}'],
    ['fence ```'],
  ]);
});

test('a wide fence can contain narrow ones', () => {
  expect(colours('# Data\n````lua\nx = 1\n```\n````\n# Output')).toEqual([
    ['heading # Data'],
    ['fence ````lua'],
    ['number 1'],
    [],
    ['fence ````'],
    ['heading # Output'],
  ]);
});
