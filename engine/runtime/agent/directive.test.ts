import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import { asksForRedo, readAfterAllResult, readBeforeAllResult, readDataResult, readOutputResult } from './directive.ts';

/** The agent that contains the scripts. */
const agent = 'a.aip';

function directive(kind: string, data?: JsonValue): JsonValue {
  return { _aipack_: { kind, ...(data === undefined ? {} : { data }) } };
}

const redo = directive('Redo');

describe('a plain value', () => {
  test.each([[null], ['text'], [[1, null]], [{ _aipack_: 'text' }], [{ _aipack_: { kind: 1 } }], [{ kind: 'Skip' }]])(
    '%j is the result of its stage',
    (value) => {
      expect(readBeforeAllResult(value)).toEqual({ kind: 'value', beforeAll: value });
      expect(readDataResult(value, agent)).toEqual({ kind: 'value', data: value, attachments: [] });
      expect(readOutputResult(value, agent)).toEqual({ kind: 'value', output: value });
      expect(asksForRedo(value)).toBe(false);
    },
  );
});

describe('skip', () => {
  test.each([
    ['its reason', directive('Skip', { reason: 'nothing to do' }), 'nothing to do'],
    ['no data', directive('Skip'), ''],
    ['a reason that is not text', directive('Skip', { reason: 7 }), ''],
    ['an empty table', directive('Skip', {}), ''],
  ])('is recognized with %s, at every stage of a task and in Before All', (_, value, reason) => {
    const skip = { kind: 'skip', reason };
    expect([readBeforeAllResult(value), readDataResult(value, agent), readOutputResult(value, agent)]).toEqual([
      skip,
      skip,
      skip,
    ]);
  });
});

describe('redo', () => {
  test('is accepted from Before All and After All', () => {
    expect(readBeforeAllResult(redo)).toEqual({ kind: 'redo' });
    expect(asksForRedo(redo)).toBe(true);
  });

  test.each([[readDataResult], [readOutputResult]])('is rejected by %o', (read) => {
    const message = 'aip.flow.redo_run() can be returned only from # Before All or # After All stages.';
    expect(() => read(redo, agent)).toThrow(expect.objectContaining({ code: 'agent.redo-refused', message }));
  });
});

describe('before_all_response', () => {
  const read = (data: JsonValue) => readBeforeAllResult(directive('BeforeAllResponse', data));

  test('returns inputs, options and a value', () => {
    expect(read({ inputs: ['a', null], before_all: 1, options: { model: 'm' } })).toEqual({
      kind: 'value',
      beforeAll: 1,
      inputs: ['a', null],
      options: { model: 'm' },
    });
  });

  test('keeps the inputs if none are set', () => {
    expect(read({ before_all: 'x' })).toEqual({ kind: 'value', beforeAll: 'x' });
    expect(read({ inputs: null, options: null })).toEqual({ kind: 'value', beforeAll: null });
  });

  test('treats an empty table as no inputs, and missing data as no change', () => {
    expect(read({ inputs: {} })).toEqual({ kind: 'value', beforeAll: null, inputs: [] });
    expect(readBeforeAllResult(directive('BeforeAllResponse'))).toEqual({ kind: 'value', beforeAll: null });
    expect(read('text')).toEqual({ kind: 'value', beforeAll: null });
  });

  const start = 'Before All Lua block did not return a valid structure.\nCause: aip.flow.before_all_response(arg) - ';
  test.each([
    [
      'AP-4 inputs with names',
      { inputs: { a: 1 } },
      "'arg.inputs` must be an nil, array, or empty object. But was an object with name/value.",
    ],
    ['inputs of another type', { inputs: 'a' }, "'arg.inputs` must be an nil or an array"],
    [
      'other keys',
      { inputs: [], zeta: 1, alpha: 2 },
      "'arg' can only have `.inputs`, `.options`, `.before_all`). But also contained: alpha, zeta",
    ],
  ])('rejects %s', (_, data, cause) => {
    expect(() => read(data)).toThrow(
      expect.objectContaining({ code: 'agent.bad-response', message: `${start}${cause}` }),
    );
  });
});

describe('data_response', () => {
  const read = (data: JsonValue) => readDataResult(directive('DataResponse', data), agent);

  test('returns input, data, attachments and options', () => {
    const given = { input: 'i', data: { d: 1 }, attachments: [{ file_source: 'a.png' }], options: { model: 'm' } };
    expect(read(given)).toEqual({
      kind: 'value',
      input: 'i',
      data: { d: 1 },
      attachments: [{ fileSource: 'a.png' }],
      options: { model: 'm' },
    });
  });

  test('distinguishes a null input from a missing one', () => {
    expect(read({ input: null })).toEqual({ kind: 'value', input: null, data: null, attachments: [] });
    expect(read({})).toEqual({ kind: 'value', data: null, attachments: [] });
    expect(readDataResult(directive('DataResponse'), agent)).toEqual({ kind: 'value', data: null, attachments: [] });
  });

  test('accepts one attachment with file name and title, and none in three forms', () => {
    const attachments = { file_source: 'a.png', file_name: 'b.png', title: 'A picture' };
    expect(read({ attachments })).toMatchObject({
      attachments: [{ fileSource: 'a.png', fileName: 'b.png', title: 'A picture' }],
    });
    for (const none of [null, {}, []]) expect(read({ attachments: none })).toMatchObject({ attachments: [] });
  });

  test.each([
    ['a text', 'a.png'],
    ['a table without a path', { title: 'x' }],
    ['a list with something else in it', [{ file_source: 'a.png' }, 7]],
  ])('rejects %s as attachments', (_, attachments) => {
    const found = JSON.stringify(attachments);
    const message = `Expected an array of attachments, a single attachment object, or null, found: ${found}`;
    expect(() => read({ attachments })).toThrow(expect.objectContaining({ code: 'agent.bad-response', message }));
  });

  test('rejects other keys', () => {
    const message =
      'Data Lua block did not return a valid structure.\nCause: aip.flow.data_response(arg) argumen can can only have `.input`, `.options`). But also contained: foo';
    expect(() => read({ foo: 1, data: 2 })).toThrow(expect.objectContaining({ code: 'agent.bad-response', message }));
  });
});

describe('at the wrong stage', () => {
  test.each([
    [readBeforeAllResult, 'DataResponse', "Aipack custom 'DataResponse' not supported at the Before All stage"],
    [readDataResult, 'BeforeAllResponse', "Aipack Custom 'BeforeAllResponse' is not supported at the Data stage"],
    [readOutputResult, 'DataResponse', "Aipack custom 'DataResponse' not supported at the Output stage"],
    [readOutputResult, 'BeforeAllResponse', "Aipack custom 'BeforeAllResponse' not supported at the Output stage"],
  ])('%o rejects %s', (read, kind, message) => {
    expect(() => read(directive(kind), agent)).toThrow(
      expect.objectContaining({ code: 'agent.wrong-directive', message }),
    );
  });

  test.each([[readBeforeAllResult], [readDataResult], [readOutputResult]])('%o rejects unknown directives', (read) => {
    const message = "_aipack_ kind 'Jump' is not known.";
    expect(() => read(directive('Jump'), agent)).toThrow(
      expect.objectContaining({ code: 'agent.unknown-directive', message }),
    );
  });

  test('12.1 Before All and After All cannot ask a person', () => {
    for (const [stage, read] of [
      ['Before All', readBeforeAllResult],
      ['After All', readAfterAllResult],
    ] as const) {
      const message = `aip.flow.ask() can be returned only from # Data or # Output stages, not from # ${stage}: only an input can wait for a person.`;
      expect(() => read(directive('Ask'))).toThrow(expect.objectContaining({ code: 'agent.wrong-directive', message }));
    }
  });

  test('in After All, everything except a redo is a plain value', () => {
    const others = ['Skip', 'DataResponse', 'BeforeAllResponse', 'Jump'].map((kind) => asksForRedo(directive(kind)));
    expect(others).toEqual([false, false, false, false]);
  });
});

describe('12.1 ask', () => {
  const read = (data: JsonValue) => readDataResult(directive('Ask', data), agent);
  const schema = { properties: { who: { type: 'string' } } };

  test('asks for values with a schema, or for an approval without one, in the name of the agent', () => {
    expect(read({ key: 'k', title: 'Who?', schema, defaults: { who: 'kim' } })).toEqual({
      ...{ kind: 'ask', key: 'k', goesOnRejected: false },
      request: { kind: 'input', title: 'Who?', schema, defaults: { who: 'kim' } },
    });
    const more = { action: [1], diff: '+a', params: { n: 1 }, recommended: 'reject', notes: {}, on_reject: 'continue' };
    expect(readOutputResult(directive('Ask', { key: 'k', title: 'May I?', message: null, ...more }), agent)).toEqual({
      ...{ kind: 'ask', key: 'k', goesOnRejected: true },
      request: {
        ...{ kind: 'approval', title: 'May I?', askedBy: 'a.aip', action: [1], diff: '+a', params: { n: 1 } },
        ...{ recommended: 'reject', notes: [] },
      },
    });
    expect(read({ key: 'k', title: 'May I?', asked_by: 'kim', deadline_ms: 9, on_deadline: 'fail' })).toMatchObject({
      request: { askedBy: 'kim', deadlineMs: 9, onDeadline: 'fail' },
    });
  });

  test.each<[JsonValue, string]>([
    ['May I?', 'aip.flow.ask needs a table with key and title'],
    [{ title: 'May I?' }, 'its key must be a string of 1 to 200 characters'],
    [{ key: 'k' }, 'its title must be a string of 1 to 2,000 characters'],
    [{ key: 'k', title: 'x', titel: 'y' }, '"titel" is not a known field. Did you mean "title"?'],
    [{ key: 'k', title: 'x', kind: 'question' }, 'kind must be "approval" or "input"'],
    [{ key: 'k', title: 'x', kind: 'input' }, 'it requests values but has no schema for them'],
    [{ key: 'k', title: 'x', schema: 'text' }, 'schema must be a table with names'],
    [{ key: 'k', title: 'x', schema: {} }, 'schema has no properties: a form needs one for each field'],
    [{ key: 'k', title: 'x', schema, params: {} }, '"params" is only for requests of kind "approval"'],
    [
      { key: 'k', title: 'x', schema, on_reject: 'fail' },
      'on_reject must be "fail" or "continue", and is only for approvals',
    ],
    [{ key: 'k', title: 'x', notes: [1] }, 'notes must be a list of strings'],
    [{ key: 'k', title: 'x', recommended: 'maybe' }, 'recommended must be one of approve, reject'],
    [{ key: 'k', title: 'x', deadline_at: 'soon' }, 'its deadlineAt must be a time in epoch milliseconds'],
  ])('refuses %j', (data, problem) => {
    const message = `The agent sent an invalid request to a person: ${problem}`;
    expect(() => read(data)).toThrow(
      expect.objectContaining({ code: 'ask.bad-request', message: expect.stringContaining(message) }),
    );
  });

  test('rejects an invalid schema and reports its position', () => {
    const bad = { properties: { who: { type: 'strin' } } };
    expect(() => read({ key: 'k', title: 'x', schema: bad })).toThrow(/schema is not valid: properties\/who\/type/);
  });
});
