import { expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import { checkResult, controlFields, maxResultDepth, resultOfValue } from './agent-result.ts';
import { AgentResult } from './base-agent.ts';

const failure = { code: 'model_error', message: 'busy', recoverable: true, details: {} };

function refusalOf(given: unknown) {
  const checked = checkResult(given);
  return 'refusal' in checked ? checked.refusal : undefined;
}

/** Returns a map nested in the given number of maps. */
function nested(levels: number, innermost: JsonMap): JsonMap {
  let map = innermost;
  for (let level = 1; level < levels; level++) map = { inner: map };
  return map;
}

test('MF-012 accepts a result and adds omitted fields', () => {
  expect(checkResult({ ok: true, data: { a: 1 } })).toEqual({
    result: { ok: true, data: { a: 1 }, error: null, meta: {} },
  });
  expect(checkResult(AgentResult.ok({ a: 1 }, { kind: 'planner', tags: { team: 'x' } }))).toEqual({
    result: { ok: true, data: { a: 1 }, error: null, meta: { kind: 'planner', tags: { team: 'x' } } },
  });
  expect(checkResult(AgentResult.failed({ code: 'timeout', message: 'late' }))).toEqual({
    result: {
      ok: false,
      data: null,
      error: { code: 'timeout', message: 'late', recoverable: false, details: {} },
      meta: {},
    },
  });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'done'],
  ['a list', [1]],
  ['a map without ok', { data: {} }],
  ['ok that is not a boolean', { ok: 'yes', data: {} }],
  ['data that is a text', { ok: true, data: 'done' }],
  ['data that is a list', { ok: true, data: [1] }],
  ['a key that results do not have', { ok: true, data: {}, next: 'b' }],
  ['a code that there is not', { ok: false, error: { ...failure, code: 'bad' } }],
  ['an error without a message', { ok: false, error: { code: 'unknown' } }],
  ['a key that errors do not have', { ok: false, error: { ...failure, retry_after: 1 } }],
  ['a kind that there is not', { ok: true, meta: { kind: 'king' } }],
  ['a function', { ok: true, data: { call: () => 1 } }],
])('MF-012 %s is not an AgentResult', (_name, given) => {
  expect(refusalOf(given)).toMatchObject({ reason: 'agent_output_invalid' });
});

test('MF-112 ok with an error, and not ok without one, violate the contract', () => {
  expect(refusalOf({ ok: true, data: {}, error: failure })).toMatchObject({
    reason: 'agent_output_invalid',
    path: ['error'],
    message: 'must be null if ok is true',
  });
  for (const given of [{ ok: false }, { ok: false, data: {}, error: null }]) {
    expect(refusalOf(given)).toMatchObject({ path: ['error'], message: 'is required if ok is false' });
  }
});

test.each([...controlFields])('MF-043 rejects the control field "%s" at any depth and in any case', (field) => {
  const found = { reason: 'agent_output_control_fields' };
  expect(refusalOf({ ok: true, data: { [field]: 'b' } })).toMatchObject({ ...found, path: ['data', field] });
  const upper = field.toUpperCase();
  const deep = { ok: true, data: { list: [1, { [upper]: null }] } };
  expect(refusalOf(deep)).toMatchObject({ ...found, path: ['data', 'list', 1, upper] });
  expect(refusalOf({ ok: true, data: nested(60, { [field]: 1 }) })).toMatchObject(found);
  expect(refusalOf({ ok: true, data: nested(900, { [field]: 1 }) })).toMatchObject(found);
  // Failed results are checked too.
  expect(refusalOf({ ok: false, data: { [field]: 1 }, error: failure })).toMatchObject(found);
});

test('MF-043 allows values that equal a control field, and keys that only start like one', () => {
  expect(checkResult({ ok: true, data: { kind: 'retry', retry_count: 3, branches: [] } })).toHaveProperty('result');
});

test('allows data up to the depth limit, but not deeper', () => {
  expect(checkResult({ ok: true, data: nested(maxResultDepth, {}) })).toHaveProperty('result');
  const refusal = refusalOf({ ok: true, data: nested(60, {}) });
  expect(refusal).toMatchObject({ reason: 'agent_output_invalid' });
  expect(refusal?.message).toBe('is nested more than 50 levels deep: return flatter data');
  // Too deep for a recursive function.
  expect(refusalOf({ ok: true, data: nested(200_000, {}) })).toMatchObject({ reason: 'agent_output_invalid' });
});

test('rejects oversized and circular data with a clear message', () => {
  expect(refusalOf({ ok: true, data: { text: 'x'.repeat(2 ** 20) } })?.message).toBe(
    'is longer than 1 MiB as JSON: return less data',
  );
  expect(checkResult({ ok: true, data: { text: 'x'.repeat(2 ** 19) } })).toHaveProperty('result');
  const circle: { [key: string]: unknown } = {};
  circle['self'] = circle;
  expect(refusalOf({ ok: true, data: circle })).toMatchObject({
    reason: 'agent_output_invalid',
    path: ['data', 'self'],
  });
});

test('copies data before checking it, so that a getter cannot change it later', () => {
  let asked = 0;
  const data = {
    get next() {
      asked++;
      return asked === 1 ? 'a' : { next_step: 'b' };
    },
  };
  const checked = checkResult({ ok: true, data });
  expect(asked).toBeLessThanOrEqual(1);
  expect(JSON.stringify(checked)).not.toContain('next_step');
});

test.each<[JsonValue, JsonMap | null]>([
  [{ a: 1 }, { a: 1 }],
  [null, null],
  ['done', { value: 'done' }],
  [[1, 2], { value: [1, 2] }],
  [3, { value: 3 }],
])('a value that is not a result becomes the data: %j', (value, data) => {
  expect(resultOfValue(value)).toEqual({ result: { ok: true, data, error: null, meta: {} } });
});

test('MF-043 also searches a value that is not a result', () => {
  expect(resultOfValue([{ next_step: 1 }])).toMatchObject({ refusal: { path: ['data', 'value', 0, 'next_step'] } });
});

test('a map with ok is treated as a result, valid or not', () => {
  expect(resultOfValue({ ok: false, error: failure })).toMatchObject({ result: { ok: false, error: failure } });
  expect(resultOfValue({ ok: false })).toHaveProperty('refusal');
});
