import { expect, test } from 'vitest';
import { emptyRunState } from '../../isomorphic.ts';
import type { Terminal } from '../terminal.ts';
import { printable } from '../terminal.ts';
import { outputText } from './output-text.ts';
import { durationText, endLine, oneLine } from './phrases.ts';

test.each([
  [undefined, ''],
  [0, '0 ms'],
  [999.4, '999 ms'],
  [1000, '1.0 s'],
  [59_940, '59.9 s'],
  [59_960, '1 m 00 s'],
  [125_000, '2 m 05 s'],
])('%s ms is formatted as "%s"', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test('external text keeps lines and tabs and loses control sequences', () => {
  expect(printable('a\tb\nc\x1b[31mred\x1b[0m\x07\r\x9b2J')).toBe('a\tb\ncred');
  expect(oneLine('  a\n\n b\tc ')).toBe('a b c');
});

test('outputs show text as text, other values as JSON, and the beginning of long ones', () => {
  expect(outputText(undefined)).toBe('');
  expect(outputText({ a: { text: 'one\n\ntwo' }, b: [1] })).toBe('\na:\n  one\n\n  two\n\nb:\n  [\n    1\n  ]\n');
  expect(outputText({ $value: 'h', bytes: 9, type: 'object', preview: '{"a' })).toBe(
    '\n{"a…\n(9 bytes; all of it: millrace runs value h)\n',
  );
});

test('13.12 the last line of a run that was ended by a correction explains why', () => {
  const colors = new Proxy({}, { get: () => (text: string) => text }) as Terminal['colors'];
  const run = { ...emptyRunState, status: 'cancelled', durationMs: 1500, endReason: 'corrected' } as const;
  expect(endLine(run, colors)).toBe('■ cancelled in 1.5 s (a value was corrected, and a new run began)');
  expect(endLine({ ...run, endReason: undefined }, colors)).toBe('■ cancelled in 1.5 s');
});
