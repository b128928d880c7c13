import { describe, expect, test } from 'vitest';
import { tracedEvents } from './test-trace.ts';

describe('MF-181', () => {
  const input = { key: 'sk-abcdefghijklmnop1234', mail: 'kim@mail.example.org', named: '•••shop•••' };

  test('MF-181 keeps decisions and intent, masks payloads and marks them as redacted', () => {
    const records = tracedEvents(
      { type: 'governance:decision', allowed: false, rule: 'tool_blocked', effect: 'tool', target: 'shop.pay' },
      ...[input].map((params) => ({
        ...({ type: 'tool:attempt', callKey: 'k', tool: 'shop.pay', attempt: 1, params, effects: 'external' } as const),
      })),
      {
        ...{ type: 'tool:result', callKey: 'k', tool: 'shop.pay', attempts: 1, durationMs: 1, backend: 'http' },
        ...{ isError: false, result: { status: 'success', result: { id: '2f1c8f0e-6f6a-4d0c-9a51-0f7a2f6b1c11' } } },
      },
    );
    expect(records[0]).toMatchObject({
      ...{ kind: 'governance.decision', redacted: false },
      payload: { allowed: false, reason: 'tool_blocked', tool: 'shop.pay' },
    });
    expect(records.at(-1)).toMatchObject({
      ...{ kind: 'tool.executed', redacted: true },
      payload: {
        params: { key: '[secret]', mail: '[email]', named: '•••shop•••' },
        result: { result: { id: '2f1c8f0e-6f6a-4d0c-9a51-0f7a2f6b1c11' } },
      },
    });
  });

  test('MF-181 keeps ids, dates and amounts, and does not mark them as redacted', () => {
    const payload = { at: '2026-11-21T23:15:02.123Z', run: '20261121-231502-k3f9x2', total: 1234567.89, year: 2026 };
    const [record] = tracedEvents({
      ...{ type: 'tool:result', callKey: 'k', tool: 't', attempts: 0, durationMs: 1, backend: 'http' },
      ...{ isError: false, result: payload },
    });
    expect(record).toMatchObject({ redacted: false, payload: { result: payload } });
  });
});

test('replaces large values by type, size and hash, and every payload stays JSON', () => {
  const handle = { $value: 'a'.repeat(64), bytes: 20_000, type: 'object', preview: '{"x' } as const;
  const text = '"quoted" \\ \ud83d\ude00'.repeat(500);
  const list = Array.from({ length: 3000 }, (_, index) => index);
  const result = { handle, text, list, small: 1 };
  const [record] = tracedEvents({
    ...{ type: 'tool:result', callKey: 'k', tool: 't', attempts: 0, durationMs: 1, backend: 'js', isError: false },
    result,
  });
  const told = JSON.parse(JSON.stringify(record?.payload['result']));
  expect(told).toEqual({
    handle: { type: 'object', bytes: 20_000, sha256: handle.$value },
    text: { type: 'string', bytes: Buffer.byteLength(JSON.stringify(text)), sha256: expect.any(String) },
    list: { type: 'array', bytes: JSON.stringify(list).length, sha256: expect.any(String) },
    small: 1,
  });
});
