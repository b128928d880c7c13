import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../../../engine/isomorphic.ts';
import { choose, element, field, key, leave, path, press, show, type, window } from '../testing/test-inspector.tsx';

afterEach(() => {
  window.close();
});

const textName = 'Schema as JSON';

/** Returns the schema in the file. */
function schema(id = 'ask'): JsonValue | undefined {
  const node = window.stores.openFiles
    .getState()
    .files.get(path)
    ?.doc?.nodes.find((one) => one.id === id);
  const output = node?.config?.['output'] as JsonMap | undefined;
  return id === 'ask' ? output?.['schema'] : node?.config?.['schema'];
}

function fileText(): string {
  return window.stores.openFiles.getState().files.get(path)?.text ?? '';
}

/** Shows `ask` with a manually written schema. */
async function showWith(lines: string): Promise<void> {
  const text = `flow: { name: Notes }
nodes:
  - id: ask # who
    type: prompt
    input: { prompt: hi }
    config:
      output:
        schema:
${lines.replace(/^(?=.)/gm, '          ')}`;
  await show('ask', {}, { readFlow: () => ({ text, isWritable: true }) });
}

async function add(name: string): Promise<void> {
  await press('Add a field');
  const fresh = document.activeElement?.getAttribute('aria-label') ?? '';
  expect(fresh).toMatch(/^Name of field/);
  type(fresh, name);
  key(fresh, 'Enter');
  await window.settle();
}

test('BB-06 an answer of a label and a reason can be created with clicks alone', async () => {
  await show('ask');
  await press('Respond with JSON');
  await press('Label and reason');
  expect(schema()).toEqual({
    type: 'object',
    properties: { label: { type: 'string', enum: ['yes', 'no'] }, reason: { type: 'string' } },
    required: ['label', 'reason'],
    additionalProperties: false,
  });
  expect(JSON.parse(field(textName).value)).toEqual(schema());
});

test('BB-06 rows have a name, a type, a description, choices, and whether they are required', async () => {
  await show('ask');
  await press('Respond with JSON');
  await press('Custom fields');
  type('Name of field', 'label');
  key('Name of field', 'Enter');
  await window.settle();
  await choose('Type of label', 'One of');
  await press('Remove choice no');
  type('Add a choice', 'maybe');
  key('Add a choice', 'Enter');
  await window.settle();
  await add('score');
  await choose('Type of score', 'Whole number');
  type('Description of score', 'From 0 to 10');
  await leave('Description of score');
  await press('score is required');
  expect(schema()).toEqual({
    type: 'object',
    properties: {
      label: { type: 'string', enum: ['yes', 'maybe'] },
      score: { type: 'integer', description: 'From 0 to 10' },
    },
    required: ['label'],
    additionalProperties: false,
  });
  await press('Move score up');
  expect(Object.keys((schema() as { properties: JsonMap }).properties)).toEqual(['score', 'label']);
  key('Name of score', 'ArrowDown', { altKey: true });
  await window.settle();
  expect(Object.keys((schema() as { properties: JsonMap }).properties)).toEqual(['label', 'score']);
  expect(JSON.parse(field(textName).value)).toEqual(schema());
  await press('Remove label');
  expect(schema()).toEqual({
    type: 'object',
    properties: { score: { type: 'integer', description: 'From 0 to 10' } },
    additionalProperties: false,
  });
});

test('BB-06 fields contain fields, and lists contain lists of fields', async () => {
  await show('ask');
  await press('Respond with JSON');
  await press('List of items');
  await choose('Type of note', 'Fields');
  const adders = [...element.querySelectorAll('button')].filter(({ textContent }) => textContent === 'Add a field');
  act(() => adders[0]?.click());
  await window.settle();
  await choose('Type of field', 'List');
  await choose('Each of field is', 'Number');
  const items = (schema() as { properties: { items: { items: { properties: JsonMap } } } }).properties.items.items;
  expect(items.properties['note']).toMatchObject({
    type: 'object',
    properties: { field: { type: 'array', items: { type: 'number' } } },
    required: ['field'],
  });
});

const odd = `# Kept as it is.
type: object
title: Answer
$defs:
  word: { type: string, minLength: 1 }
properties:
  label: { type: string, pattern: "^a", enum: [a, ab] } # why
  who: { $ref: "#/$defs/word" }
  how: { oneOf: [{ type: string }, { type: number }] }
  any: true
  when: { type: [string, "null"], format: date }
required: [label, who]
`;

test('BB-06 parts that it cannot show are kept, and it shows that there is more', async () => {
  await showWith(odd);
  const words = [...element.querySelectorAll('.schema-more')].map(({ textContent }) => textContent);
  expect(words).toEqual(
    [
      'More in the JSON text: title, $defs',
      'More in the JSON text: pattern',
      'More in the JSON text: $ref',
      'More in the JSON text: oneOf',
      'More in the JSON text: true',
      'More in the JSON text: format',
    ].toSorted((a, b) => words.indexOf(a) - words.indexOf(b)),
  );
  for (const name of ['who', 'how', 'any', 'when']) {
    expect((field(`Type of ${name}`) as HTMLElement).hasAttribute('disabled'), name).toBe(true);
  }
  const before = fileText();
  type('Name of who', 'whom');
  key('Name of who', 'Enter');
  await window.settle();
  await press('how is required');
  await press('Move label down');
  expect(fileText()).toBe(
    before
      .replace('label, who]', 'label, whom, how]')
      .replace(
        /( +)label: (.*)\n +who: (.*)\n/,
        (_, blanks: string, label: string, who: string) => `${blanks}whom: ${who}\n${blanks}label: ${label}\n`,
      ),
  );
  await choose('Type of label', 'Number');
  expect((schema() as { properties: JsonMap }).properties['label']).toEqual({ type: 'number', pattern: '^a' });
});

test.each([
  ['properties: 5\nrequired: [a]\n', '"properties" is not a map'],
  ['type: strng\nproperties: { a: { type: string } }\n', 'type'],
  ['type: object\nproperties: { a: { type: string } }\nrequired: a\n', 'required'],
  ['- a\n', 'shown as text'],
  ['true\n', 'shown as text'],
  ['"text"\n', 'shown as text'],
])('BB-06 an invalid schema is not destroyed: %j', async (lines, words) => {
  await showWith(lines);
  const before = fileText();
  expect(element.querySelector('.schema-editor')?.textContent).toContain(words);
  expect(field(textName).value).not.toBe('');
  for (const label of ['a is required', 'Add a field']) await press(label).catch(() => undefined);
  const [, ...gone] = lines.split('\n').filter((line) => line !== '' && !fileText().includes(line));
  expect(gone).toEqual([]);
  if (!lines.includes('a: {')) expect(fileText()).toBe(before);
});

test('BB-06 incomplete JSON is reported and stays in its field, and the form is disabled', async () => {
  await showWith(odd);
  const before = fileText();
  type(textName, '{ "type": "object", ');
  await leave(textName);
  expect(fileText()).toBe(before);
  expect(field(textName).value).toBe('{ "type": "object", ');
  expect(element.querySelector('.field-problem')?.textContent).toContain('Not JSON yet');
  expect((field('Type of label') as HTMLElement).hasAttribute('disabled')).toBe(true);
  expect([...element.querySelectorAll('button')].some(({ textContent }) => textContent === 'Add a field')).toBe(false);
  type(textName, '[1]');
  await leave(textName);
  expect(fileText()).toBe(before);
  expect(element.querySelector('.field-problem')?.textContent).toContain('a schema is a map');
  type(textName, '{ "type": "object", "properties": { "n": { "type": "number" } } }');
  await leave(textName);
  expect(schema()).toEqual({ type: 'object', properties: { n: { type: 'number' } } });
  expect(field('Name of n').value).toBe('n');
  expect(element.querySelector('.field-problem')).toBeNull();
});

test('BB-06 validation problems of the schema are shown at their field', async () => {
  await showWith('type: object\nproperties:\n  a: { type: strng }\n');
  await window.settle();
  expect(element.querySelector('.field-problem')?.textContent).toContain('type');
});

test('BB-06 two fields cannot have the same name, and none can be unnamed', async () => {
  await showWith('type: object\nproperties: { a: { type: string }, b: { type: string } }\n');
  const before = fileText();
  for (const name of ['b', '']) {
    type('Name of a', name);
    key('Name of a', 'Enter');
    await window.settle();
    expect(fileText()).toBe(before);
    key('Name of a', 'Escape');
  }
});

test('BB-06 a very large schema is shown only as text', async () => {
  const fields = Array.from({ length: 300 }, (_, index) => `  f${index}: { type: string }\n`).join('');
  await showWith(`type: object\nproperties:\n${fields}`);
  expect(element.textContent).toContain('more than 200 fields');
  type(textName, '{"type":"object"}');
  await leave(textName);
  expect(schema()).toEqual({ type: 'object' });
});

test('BB-06 a field remains a choice when its last option is removed, and shows that it needs one', async () => {
  await show('ask');
  await press('Respond with JSON');
  await press('Label and reason');
  await press('Remove choice yes');
  await press('Remove choice no');
  expect(document.activeElement).toBe(field('Add a choice'));
  expect(field('Type of label').textContent).toBe('One of');
  expect(element.textContent).toContain('Add at least one choice.');
  type('Add a choice', 'bug');
  key('Add a choice', 'Enter');
  await window.settle();
  expect((schema() as { properties: JsonMap }).properties['label']).toEqual({ type: 'string', enum: ['bug'] });
  expect(element.textContent).not.toContain('Add at least one choice.');
});
