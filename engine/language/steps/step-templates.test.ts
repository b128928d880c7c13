import { expect, test } from 'vitest';
import type { JsonValue } from '../json/json-value.ts';
import { renderTemplates, type StepValues } from './step-templates.ts';

const values: StepValues = {
  payload: {
    n: 3,
    no: false,
    nothing: null,
    list: ['a', { b: 1 }],
    map: { k: 'v' },
    text: '{{payload.n}}',
    cmd: '$(rm -rf /); `x`',
  },
  artifacts: new Map<string, JsonValue>([
    ['tool.shop.lookup.output', { id: 7, 'lookup.meta': 1 }],
    ['tool.shop', { lookup: { other: 'short' } }],
    ['step.load-it.output', [10, 20]],
    ['plan.proposal', { summary: 's' }],
  ]),
};

const rendered = (value: JsonValue): JsonValue => renderTemplates(value, values);

test.each<[JsonValue, JsonValue]>([
  ['{{payload.n}}', 3],
  ['{{ payload.n }}', 3],
  ['{{payload.no}}', false],
  ['{{payload.list}}', ['a', { b: 1 }]],
  ['{{payload.list.1.b}}', 1],
  ['{{payload.map}}', { k: 'v' }],
  ['{{artifacts.plan.proposal}}', { summary: 's' }],
  ['{{artifacts.step.load-it.output.1}}', 20],
])('MF-150 %j keeps the type of %j', (text, value) => {
  expect(rendered(text)).toEqual(value);
});

test.each([
  ['n is {{payload.n}}', 'n is 3'],
  ['{{payload.n}}{{payload.n}}', '33'],
  [' {{payload.n}}', ' 3'],
  ['{{payload.map}}!', '{"k":"v"}!'],
  ['{{artifacts.plan.proposal.summary}}/{{payload.no}}', 's/false'],
])('MF-150 %j in other text becomes text', (text, value) => {
  expect(rendered(text)).toBe(value);
});

const missing = [
  'payload.x',
  'payload.n.x',
  'payload.list.9',
  'payload.list.b',
  'payload.constructor',
  'payload.map..k',
  'artifacts.x',
  'payload.nothing',
];

test.each(missing)('MF-151 {{%s}} alone is null', (path) => {
  expect(rendered(`{{${path}}}`)).toBeNull();
});

test.each(missing)('MF-152 {{%s}} inside other text is empty', (path) => {
  expect(rendered(`a{{${path}}}b`)).toBe('ab');
  expect(rendered(` {{${path}}}`)).toBe(' ');
});

test('MF-153 resolves templates in lists and maps, but not in keys', () => {
  expect(rendered({ '{{payload.n}}': ['{{payload.n}}', { a: [{ b: 'x{{payload.n}}' }] }], n: 1 })).toEqual({
    '{{payload.n}}': [3, { a: [{ b: 'x3' }] }],
    n: 1,
  });
});

test.each([
  '{{flow.input.x}}',
  '{{secret.KEY}}',
  '{{payload}}',
  '{{?payload.n}}',
  '{{payload.n | default:1}}',
  '{{payload["n"]}}',
  '{{#if payload.n}}',
  '{{payload.n',
  '\\{{',
])('MF-153 %s is not a template, and stays as written', (text) => {
  expect(rendered(text)).toBe(text);
  expect(rendered(`a ${text}`)).toBe(`a ${text}`);
});

test('the longest artifact key that matches the start of a path is used, even if the rest of the path is missing', () => {
  expect(rendered('{{artifacts.tool.shop.lookup.output.id}}')).toBe(7);
  expect(rendered('{{artifacts.tool.shop.lookup.other}}')).toBe('short');
  expect(rendered('{{artifacts.tool.shop.lookup.output.other}}')).toBeNull();
});

test('the result of a template is data: neither another template nor a command', () => {
  expect(rendered('{{payload.text}}')).toBe('{{payload.n}}');
  expect(rendered('run {{payload.text}}')).toBe('run {{payload.n}}');
  expect(rendered({ command: '{{payload.cmd}}' })).toEqual({ command: '$(rm -rf /); `x`' });
});

test('keys with a special meaning in JavaScript are ordinary keys', () => {
  const odd = JSON.parse('{ "__proto__": "{{payload.n}}" }');
  expect(Object.entries(rendered(odd) as object)).toEqual([['__proto__', 3]]);
});

test('a path as long as a file takes linear time', () => {
  expect(rendered(`{{artifacts.${'a.'.repeat(500_000)}b}}`)).toBeNull();
});

test('rejects a text that exceeds the maximum size', () => {
  const payload = { big: 'x'.repeat(32 * 1024 * 1024) };
  expect(() => renderTemplates('{{payload.big}}'.repeat(9), { payload, artifacts: new Map() })).toThrow(
    'A text with its templates filled in is larger than 256 MiB.',
  );
});
