import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { callText, cassetteText, isInvalidCassetteEntry, parseCassette } from './cassette-file.ts';
import type { RecordedCall } from './compare-requests.ts';

const call: RecordedCall = {
  kind: 'model',
  request: { model: 'here::tiny', messages: [{ role: 'user', content: 'Two lines:\n- one\n' }] },
  outcome: { response: { text: 'First\nSecond', pieces: [5, 7] } },
};

const failed: RecordedCall = {
  kind: 'http',
  request: { url: 'http://h' },
  outcome: { error: { code: 'web.unreachable', message: 'No', recoverable: true, details: { cause: 'X' } } },
};

function problemOf(text: string): { code: string; message: string } {
  try {
    parseCassette('/w/a.yaml', text);
    return { code: 'none', message: '' };
  } catch (error) {
    return toErrorRecord(error);
  }
}

test('formats text line by line and lengths on one line', () => {
  expect(cassetteText([callText(call), callText(failed)])).toBe(`\
# Recorded calls, to be replayed. Written by Millrace; keys and passwords are removed.
cassette: 1
calls:
- kind: model
  request:
    model: here::tiny
    messages:
      - role: user
        content: |
          Two lines:
          - one
  response:
    text: |-
      First
      Second
    pieces: [5, 7]
- kind: http
  request:
    url: http://h
  error:
    code: web.unreachable
    message: No
    recoverable: true
    details:
      cause: X
`);
});

test('docs/cassettes.md shows a file as it is written', () => {
  const docs = readFileSync(path.resolve(import.meta.dirname, '../../../docs/cassettes.md'), 'utf8');
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(docs) ?? [];
  const written = cassetteText(
    parseCassette('docs', example).map((entry) => (isInvalidCassetteEntry(entry) ? entry.problem : callText(entry))),
  );
  expect(written.replace(/^#.*\n/, '')).toBe(example);
});

test('reads back what was written', () => {
  expect(parseCassette('f', cassetteText([callText(call), callText(failed)]))).toEqual([call, failed]);
  expect(parseCassette('f', cassetteText([]))).toEqual([]);
});

test('reads back any JSON', () => {
  const anything = fc.oneof(
    fc.jsonValue({ stringUnit: 'binary' }),
    fc
      .array(
        fc.constantFrom(
          '\n',
          '\r',
          ' ',
          '\t',
          '#',
          '- ',
          ': ',
          '\u0085',
          '\u2028',
          '\ufeff',
          '\0',
          '\ud800',
          'a',
          '---\n',
        ),
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(anything, anything, (request, response) => {
      // -0 is not distinguished in JSON either.
      const [asJson] = [{ kind: 'k', request, outcome: { response } }].map((one) => JSON.parse(JSON.stringify(one)));
      const file = Buffer.from(cassetteText([callText(asJson), callText(asJson)])).toString();
      expect(parseCassette('f', file)).toEqual([asJson, asJson]);
    }),
    { numRuns: testRounds(80) },
  );
});

test('preserves a diff with lines of one space', () => {
  const text = `a long line, so that the text is written on several lines\n \n \n def find():\n+\n`;
  const odd = { ...call, outcome: { response: { text } } };
  expect(parseCassette('f', cassetteText([callText(odd)]))).toEqual([odd]);
});

test('handles a body of many megabytes', () => {
  const text = '{"line": "of text"}\n'.repeat(150_000);
  const large = { ...call, outcome: { response: { text } } };
  expect(parseCassette('f', cassetteText([callText(large)]))).toEqual([large]);
});

describe('files that are not cassettes', () => {
  test.each([
    ['', 'cassette: 1'],
    ['hello', 'cassette: 1'],
    ['cassette: yes', 'cassette: 1'],
    ['cassette: 0\ncalls: []', 'cassette: 1'],
    ['cassette: 1', 'calls'],
    ['cassette: 1\ncalls: []\nmore: 1', 'more'],
    ['cassette: 1\ncalls:\n<<<<<<< mine', 'line'],
    ['cassette: 1\ncassette: 1\ncalls: []', 'line 2'],
    ['a: &a [x]\nb: *a', 'alias'],
  ])('%j is rejected with the position', (text, words) => {
    const { code, message } = problemOf(text);
    expect(code).toBe('cassette.unreadable');
    expect(message).toContain('/w/a.yaml');
    expect(message.toLowerCase()).toContain(words.toLowerCase());
  });

  test('reports a newer format, whatever else it contains', () => {
    expect(problemOf('cassette: 2\ntracks: {}')).toMatchObject({
      code: 'cassette.newer-format',
      message: expect.stringContaining('format 2'),
    });
  });
});
