/** Tests the conversion of servers' questions, also of hostile ones. */
import { expect, test } from 'vitest';
import type { JsonMap } from '../../language/json/json-value.ts';
import { type AskedElicitation, readElicitation } from './elicitation.ts';

const source = { server: 'shop', tool: 'shop.order' };

function read(params: unknown): AskedElicitation {
  const asked = readElicitation(params, source);
  if ('problem' in asked) throw new Error(asked.problem);
  return asked;
}

function formOf(properties: unknown, required: unknown = []): AskedElicitation {
  return read({ message: 'Please', requestedSchema: { type: 'object', properties, required } });
}

function schemaOf({ request }: AskedElicitation): JsonMap {
  return request.kind === 'input' ? request.schema : {};
}

const accept = (asked: AskedElicitation, values: JsonMap) => asked.responseTo({ payload: { values }, at: 0 });

test.each<[string, unknown, RegExp]>([
  ['no parameters', undefined, /without parameters/],
  ['a text', 'hello', /without parameters/],
  ['an unknown mode', { mode: 'voice' }, /unknown mode "voice"/],
  ['no schema', { message: 'x' }, /without a schema/],
  ['a schema without properties', { requestedSchema: { type: 'object' } }, /without a schema/],
  ['a page without an address', { mode: 'url' }, /without an address/],
  ['a script', { mode: 'url', url: 'javascript:alert(1)' }, /invalid address/],
  ['a file', { mode: 'url', url: 'file:///etc/passwd' }, /invalid address/],
  ['a misleading host', { mode: 'url', url: 'https://bank.example.com@evil.example/' }, /invalid address/],
  [
    'too many fields',
    { requestedSchema: { properties: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}`, {}])) } },
    /more than 100 values/,
  ],
])('13.10 a question with %s is refused with its reason', (_, params, reason) => {
  expect(readElicitation(params, source)).toEqual({ problem: expect.stringMatching(reason) });
});

test('13.10 one odd field becomes a text field and loses no other', () => {
  const asked = formOf({ ok: { type: 'integer', minimum: 1 }, odd: 7, deep: { type: 'object' }, none: null });
  expect(schemaOf(asked)).toMatchObject({
    properties: { ok: { type: 'integer', minimum: 1 }, odd: { type: 'string' }, deep: { type: 'string' } },
    required: [],
  });
});

test('13.10 a required field that does not exist is not required', () => {
  expect(schemaOf(formOf({ a: { type: 'string' } }, ['a', 'b', 3]))['required']).toEqual(['a']);
  expect(schemaOf(formOf({ a: { type: 'string' } }, 'a'))['required']).toEqual([]);
});

test('13.10 titles of choices are shown, and the server gets their values', () => {
  const asked = formOf({
    one: { type: 'string', enum: ['a', 'b'], enumNames: ['Apple', 'Banana'], default: 'b' },
    two: { type: 'string', oneOf: [{ const: 'x', title: 'Cross' }, { const: 'y' }] },
    same: {
      type: 'string',
      oneOf: [
        { const: 'p', title: 'Same' },
        { const: 'q', title: 'Same' },
      ],
    },
    many: { type: 'array', items: { anyOf: [{ const: 't', title: 'Tuna' }] }, default: ['t'] },
  });
  expect(schemaOf(asked)).toMatchObject({
    properties: {
      one: { enum: ['Apple', 'Banana'], default: 'Banana' },
      two: { enum: ['Cross', 'y'] },
      same: { enum: ['p', 'q'] },
      many: { type: 'array', default: ['Tuna'], description: 'A list of "Tuna".' },
    },
  });
  expect(accept(asked, { one: 'Apple', two: 'Cross', same: 'q', many: ['Tuna', 'other'] })).toEqual({
    action: 'accept',
    content: { one: 'a', two: 'x', same: 'q', many: ['t', 'other'] },
  });
});

test('13.10 empty optional fields are not sent', () => {
  const asked = formOf({ a: { type: 'string' }, b: { type: 'boolean' }, c: { type: 'string' } });
  expect(accept(asked, { a: '', b: false, c: null })).toEqual({ action: 'accept', content: { b: false } });
});

test('13.10 fields that an answer leaves out have their defaults', () => {
  const asked = formOf({
    name: { type: 'string', default: 'Ann' },
    age: { type: 'integer', default: 30 },
    size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }], default: 's' },
    none: { type: 'string' },
  });
  expect(accept(asked, { name: '' })).toEqual({ action: 'accept', content: { age: 30, size: 's' } });
});

test('13.10 a declined form and a rejected page are declined', () => {
  expect(formOf({}).responseTo({ payload: { declined: true }, at: 0 })).toEqual({ action: 'decline' });
  const page = read({ mode: 'url', url: 'https://a.example/' });
  expect(page.responseTo({ payload: { approved: false }, at: 0 })).toEqual({ action: 'decline' });
  expect(page.responseTo({ payload: { approved: true }, at: 0 })).toEqual({ action: 'accept' });
});

test('13.10 hidden characters and long texts do not reach the person', () => {
  const message = `Pay\u202e now\u0007 ${'very '.repeat(5_000)}`;
  const { request } = read({ message, requestedSchema: { properties: { a: { type: 'string', title: 'x\u200b' } } } });
  expect(request.title).toMatch(/^The MCP server shop asks: Pay now/);
  expect(request.title.length).toBeLessThanOrEqual(300);
  expect(request.message?.length).toBeLessThan(4_200);
  expect(JSON.stringify(request)).not.toMatch(/\u202e|\u200b|\\u0007/);
});

test('13.10 names of fields from any object are safe', () => {
  const asked = formOf(JSON.parse('{ "__proto__": { "type": "string" }, "constructor": { "type": "string" } }'));
  const values = JSON.parse('{ "__proto__": "a", "constructor": "b" }') as JsonMap;
  expect(JSON.stringify(accept(asked, values))).toContain('"constructor":"b"');
});
