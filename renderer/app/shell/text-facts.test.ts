import { expect, test } from 'vitest';
import { textFacts } from './text-facts.ts';

test.each([
  ['', 'UTF-8', 'LF'],
  ['a\nb\n', 'UTF-8', 'LF'],
  ['\ufeffa\r\nb\r\n', 'UTF-8 with BOM', 'CRLF'],
  ['a\rb', 'UTF-8', 'CR'],
  ['a\r\nb\n', 'UTF-8', 'mixed line ends'],
])('tells how %j is kept', (text, encoding, lineEnds) => {
  expect(textFacts(text)).toEqual({ encoding, lineEnds });
});
