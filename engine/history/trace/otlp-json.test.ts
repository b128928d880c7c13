import { expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import { requestPieces } from './otlp-json.ts';
import { runSpanOf, type TraceSpan } from './span.ts';

test('encodes spans as OTLP: numbers as text, times in nanoseconds, enums as numbers', () => {
  const place = runSpanOf(asRunId('r1'));
  const span: TraceSpan = {
    ...{
      ...place,
      parentSpanId: 'b'.repeat(16),
      name: 'n',
      kind: 1,
      startedAt: 1_795_216_502_123,
      endedAt: 1_795_216_502_124,
    },
    attributes: { text: 'a', whole: 3, part: 0.5, yes: true, list: ['x'] },
    events: [{ name: 'e', at: 1, attributes: {} }],
    links: [place],
    failure: 'why',
  };
  const { failure: _, ...good } = span;
  const request = JSON.parse([...requestPieces([span, good], { version: '1' })].join(''));
  const [{ resource, scopeSpans, schemaUrl }] = request.resourceSpans;
  expect([resource.attributes[0], schemaUrl]).toEqual([
    { key: 'service.name', value: { stringValue: 'millrace' } },
    'https://opentelemetry.io/schemas/1.41.0',
  ]);
  const [first, second] = scopeSpans[0].spans;
  expect(first).toEqual({
    ...{ ...place, parentSpanId: 'b'.repeat(16), name: 'n', kind: 1 },
    ...{ startTimeUnixNano: '1795216502123000000', endTimeUnixNano: '1795216502124000000' },
    attributes: [
      { key: 'text', value: { stringValue: 'a' } },
      { key: 'whole', value: { intValue: '3' } },
      { key: 'part', value: { doubleValue: 0.5 } },
      { key: 'yes', value: { boolValue: true } },
      { key: 'list', value: { arrayValue: { values: [{ stringValue: 'x' }] } } },
    ],
    events: [{ timeUnixNano: '1000000', name: 'e', attributes: [] }],
    links: [place],
    status: { code: 2, message: 'why' },
  });
  expect(second.status).toEqual({});
});
