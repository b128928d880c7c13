import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import type { JsonMap, JsonValue } from '../json/json-value.ts';
import { parsePath, pathText } from './binding-path.ts';
import { parseTemplate } from './binding-template.ts';
import { findBindings, holdsBinding, resolveBindings } from './bindings.ts';
import { errorMarker, skipMarker } from './markers.ts';

const outputs: Record<string, JsonValue> = {
  flow: { input: { site: 'example.test', deep: false, count: 0, empty: '', nothing: null } },
  fetch: { status: 200, body: [{ title: 'One' }, { title: 'Two' }], 'content-type': 'text/html' },
  skipped: skipMarker('when'),
  broken: errorMarker({ code: 'model.unavailable', message: 'No answer' }, 2),
};
const context = new Map(Object.entries(outputs));

function resolve(value: JsonValue): JsonValue {
  return resolveBindings(value, context);
}

function failureOf(value: JsonValue): { code: string; message: string } {
  try {
    resolve(value);
  } catch (error) {
    if (EngineError.is(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('Nothing was thrown');
}

describe('text that is a single binding', () => {
  test.each<[string, JsonValue]>([
    ['{{fetch.status}}', 200],
    ['{{ fetch.status }}', 200],
    ['{{flow.input.deep}}', false],
    ['{{flow.input.count}}', 0],
    ['{{flow.input.empty}}', ''],
    ['{{fetch.body}}', [{ title: 'One' }, { title: 'Two' }]],
    ['{{fetch.body.1.title}}', 'Two'],
    ['{{fetch.content-type}}', 'text/html'],
    ['{{?fetch.nope}}', ''],
    ['{{? fetch.nope }}', ''],
    ['{{fetch.nope | default:0}}', 0],
    ['{{fetch.nope|default:null}}', null],
    ['{{fetch.nope | default: {"a": {"b": [1, "}}"]}} }}', { a: { b: [1, '}}'] } }],
    ['{{fetch.nope | default:{"a":{"b":1}}}}', { a: { b: 1 } }],
    ['{{fetch.nope | default:"a | b }} \\" c"}}', 'a | b }} " c'],
    ['{{?fetch.nope | default:"x"}}', 'x'],
    ['{{fetch.status | default:0}}', 200],
  ])('%s results in %j with its type', (text, expected) => {
    expect(resolve(text)).toEqual(expected);
  });
});

describe('text with bindings in it', () => {
  test.each<[string, string]>([
    ['status {{fetch.status}}.', 'status 200.'],
    [' {{fetch.status}}', ' 200'],
    ['{{flow.input.site}}/{{flow.input.deep}}', 'example.test/false'],
    ['{{fetch.body.0}},', '{"title":"One"},'],
    ['[{{?fetch.nope}}]', '[]'],
    ['{{fetch.nope | default:[1]}}!', '[1]!'],
    ['plain }} and { and }', 'plain }} and { and }'],
    ['\\{{fetch.status}}', '{{fetch.status}}'],
    ['\\{{x}} is {{fetch.status}}', '{{x}} is 200'],
    ['{{fetch.status}}\n{{fetch.status}}', '200\n200'],
  ])('%j results in %j', (text, expected) => {
    expect(resolve(text)).toBe(expected);
  });
});

describe('missing values', () => {
  test.each([
    'fetch.nope',
    'fetch.nope.deeper',
    'fetch.status.digits',
    'fetch.body.2',
    'fetch.body.length',
    'fetch.body.-1',
    'fetch.body.00',
    'fetch.constructor',
    'fetch.__proto__',
    'flow.input.nothing',
    'flow.input.site.length',
    'flow.input.site.0',
    'nobody',
    'skipped',
    'broken',
  ])('%s', (path) => {
    expect(failureOf(`{{${path}}}`)).toEqual({
      code: 'binding.missing',
      message: expect.stringContaining(`"${path}"`),
    });
    expect(resolve(`{{?${path}}}`)).toBe('');
  });

  test('fields of a marker can be read', () => {
    const value = ['{{skipped.skipped}}', '{{skipped.reason}}', '{{broken.error.message}}', '{{broken.attempts}}'];
    expect(resolve(value)).toEqual([true, 'when', 'No answer', 2]);
  });

  test('an output that only looks like a marker is a value', () => {
    const alike = { node: { value: { ...skipMarker('when') } } };
    expect(resolveBindings('{{node.value}}', new Map(Object.entries(alike)))).toEqual(alike.node.value);
  });

  test('an ID that every object inherits is missing if no node has it', () => {
    expect(failureOf('{{constructor.name}}').code).toBe('binding.missing');
  });
});

describe('bindings inside lists and maps', () => {
  test('are replaced in every text, without changing keys and shape', () => {
    const value = { list: ['{{fetch.status}}', { deep: 'is {{flow.input.deep}}' }], '{{key}}': 1, none: null };
    expect(resolve(value)).toEqual({ list: [200, { deep: 'is false' }], '{{key}}': 1, none: null });
  });

  test('leave any value without braces unchanged', () => {
    const withoutBraces = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('{{'));
    fc.assert(
      fc.property(withoutBraces, (value) => {
        expect(resolve(value as JsonValue)).toEqual(value);
      }),
    );
  });

  test('return any bound value with its type', () => {
    const present = fc.jsonValue().filter((value) => value !== null);
    fc.assert(
      fc.property(present, (value) => {
        const only = new Map([['node', { value } as JsonMap]]);
        expect(resolveBindings({ a: ['{{node.value}}'] }, only)).toEqual({ a: [value] });
      }),
    );
  });

  test('return any default', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(resolve(`{{nobody | default:${JSON.stringify(value)}}}`)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('keep any escaped text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('\\'));
        expect(resolve(text.replaceAll('{{', '\\{{'))).toBe(text);
      }),
    );
  });
});

describe('invalid templates', () => {
  test.each([
    ['{{}}', 'binding.bad-path'],
    ['{{ }}', 'binding.bad-path'],
    ['{{a..b}}', 'binding.bad-path'],
    ['{{.a}}', 'binding.bad-path'],
    ['{{a b}}', 'binding.bad-path'],
    ['{{#if a}}', 'binding.bad-path'],
    ['{{a | upper}}', 'binding.bad-path'],
    ['{{a | default}}', 'binding.bad-path'],
    ['{{{a}}}', 'binding.bad-path'],
    ['{{a', 'binding.bad-path'],
    ['{{a}', 'binding.bad-path'],
    ['{{a | default:}}', 'binding.bad-default'],
    ['{{a | default:hello}}', 'binding.bad-default'],
    ['{{a | default:hello world}}', 'binding.bad-default'],
    ['{{a | default:"x}}', 'binding.bad-default'],
    ["{{a | default:'x'}}", 'binding.bad-default'],
    ['{{a | default:{"a":1}', 'binding.bad-default'],
    ['{{a | default:1 2}}', 'binding.bad-default'],
    ['{{a | default:1e999}}', 'binding.bad-default'],
    [`{{a | default:${'['.repeat(200)}${']'.repeat(200)}}}`, 'binding.bad-default'],
  ])('rejects %s', (text, code) => {
    expect(failureOf(text).code).toBe(code);
    expect(findBindings(text).flatMap(({ template }) => template.problems.map((problem) => problem.code))).toEqual([
      code,
    ]);
  });

  test('an invalid binding does not hide the next one', () => {
    const [found] = findBindings('{{a b}} {{c.d}} {{a | default:x}} {{e}}');
    expect(found?.template.problems.map(({ source }) => source)).toEqual(['{{a b}}', '{{a | default:x}}']);
    expect(found?.template.parts.filter((part) => typeof part !== 'string').map(({ path }) => path)).toEqual([
      ['c', 'd'],
      ['e'],
    ]);
  });

  test('random text results in a value or a stable code, and always terminates', () => {
    const pieces = fc.constantFrom('{{', '}}', '{', '}', '|', 'default:', '"', '\\', '[', ']', '?', '.', 'a', ' ', '1');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        try {
          resolve(text);
        } catch (error) {
          expect(EngineError.is(error) ? error.code : error).toMatch(/^binding\./);
        }
      }),
      { numRuns: testRounds(2000) },
    );
  });
});

describe('findBindings', () => {
  test('returns the path of each text with bindings in the value', () => {
    const value = { text: 'no', list: [1, 'a {{b.c}}'], map: { deep: '{{?d}}' }, escaped: '\\{{x}}' };
    expect(findBindings(value).map(({ path }) => path)).toEqual([
      ['list', 1],
      ['map', 'deep'],
    ]);
    expect([holdsBinding(value), holdsBinding({ escaped: '\\{{x}}' }), holdsBinding(null)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('keys with spaces, dots and other special characters', () => {
  const sheet = {
    'first name': 'Ada',
    'a.b': [{ 'c d': 1 }],
    '': 'empty',
    '}}': 'braces',
    '|': 'bar',
    "it's": 2,
    'é "q"': 3,
    '[0]': 4,
  };
  const rooted = new Map<string, JsonValue>([
    ['a', sheet],
    ['list', ['zero', ['inner']]],
  ]);

  test.each<[string, JsonValue]>([
    ['{{a["first name"]}}', 'Ada'],
    ["{{a['first name']}}", 'Ada'],
    ['{{ ? a["first name"] }}', 'Ada'],
    ['{{a["a.b"][0]["c d"]}}', 1],
    ['{{a["a.b"].0["c d"]}}', 1],
    ['{{a[""]}}', 'empty'],
    ['{{a["}}"]}}', 'braces'],
    ['{{a["|"] | default:"none"}}', 'bar'],
    ['{{a["it\'s"]}}', 2],
    ["{{a['it\\'s']}}", 2],
    ['{{a["\\u00e9 \\"q\\""]}}', 3],
    ['{{a["[0]"]}}', 4],
    ['{{list[0]}} and {{list[1][0]}}', 'zero and inner'],
    ['{{a["no such"] | default:[1]}}', [1]],
    ['{{?a["no such"]}}', ''],
  ])('%s', (text, expected) => {
    expect(resolveBindings(text, rooted)).toEqual(expected);
  });

  test('are written correctly in error messages', () => {
    expect(() => resolveBindings('{{a["last name"]}}', rooted)).toThrow('The path "a["last name"]" has no value');
    expect(() => resolveBindings("{{list['1'][7]}}", rooted)).toThrow('"list.1.7"');
  });

  test.each([
    '{{["a"]}}',
    '{{a[}}',
    '{{a[x]}}',
    '{{a[-1]}}',
    '{{a[01]}}',
    '{{a["x]}}',
    '{{a["x"].}}',
    '{{a["x"]b}}',
    '{{a.["x"]}}',
    '{{a[ ]}}',
    '{{a["\\x"]}}',
    '{{a b}}',
  ])('rejects %s', (text) => {
    const [found] = findBindings(text);
    expect(found?.template.problems.map(({ code }) => code)).toEqual(['binding.bad-path']);
  });

  test('can be used in every path that can be written', () => {
    const key = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.array(key, { maxLength: 4 }), (keys) => {
        const path = ['root', ...keys];
        expect(parsePath(pathText(path))).toEqual(path);
        expect(parseTemplate(`{{${pathText(path)}}}`).parts).toMatchObject([{ path }]);
      }),
    );
  });
});
