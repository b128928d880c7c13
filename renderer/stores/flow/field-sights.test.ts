import { describe, expect, test } from 'vitest';
import { parseFlow } from '../../../engine/isomorphic.ts';
import { fieldScopeCandidates } from './field-sights.ts';
import { nodeTypes } from './node-types.ts';

const text = `flow: { name: F }
nodes:
  - { id: people, type: constant, input: { value: [{ name: Ada, tags: [a] }, { name: Alan, age: 41 }] } }
  - { id: names, type: list.map, input: { items: "{{people.value}}" }, config: { template: "{{item.name}}" } }
  - { id: old, type: list.filter, input: { items: "{{people.value}}" }, config: { when: { exists: item.age } } }
  - { id: way, type: control.switch, input: { value: "{{people.value.0}}", cases: [] } }
  - id: page
    type: template
    input: { people: "{{old.items}}", title: Hi, all: { count: 2 } }
    config: { template: "" }
edges: []
`;

function at(nodeId: string, sees: 'item' | 'value' | 'input', begun = '', before = ''): readonly string[] {
  const { doc } = parseFlow(text);
  if (doc === null) return [];
  return fieldScopeCandidates(doc, nodeId, { sees, begun, before, catalog: nodeTypes }).map(({ path }) => path);
}

test('templates and conditions of lists can use the item with its fields, and its index', () => {
  expect(at('names', 'item')).toEqual(['item', 'item.name', 'item.tags', 'item.age', 'loop.index']);
  expect(at('old', 'item', 'item.tags.')).toContain('item.tags.0');
  expect(at('names', 'item')).not.toContain('people.value');
});

test('cases of a switch can use the value', () => {
  expect(at('way', 'value')).toEqual(['value', 'value.name', 'value.tags', 'value.age']);
});

describe('a template can use the input of its node', () => {
  test('by name, including nested fields', () => {
    expect(at('page', 'input')).toEqual(['people', 'title', 'all']);
    expect(at('page', 'input', 'all.')).toContain('all.count');
  });

  test('as blocks after #: lists can be iterated, and any value can be tested', () => {
    expect(at('page', 'input', '#')).toEqual(['#each people', '#if people', '#if title', '#if all']);
  });

  test('inside a block as the item, with the surrounding values and the end of the block', () => {
    const inside = at('page', 'input', '', '{{title}} {{#each people}} - ');
    expect(inside.slice(0, 6)).toEqual(['this', 'name', 'tags', 'age', '@index', '@first']);
    expect(inside).toEqual(expect.arrayContaining(['../title', '/each']));
    expect(at('page', 'input', '/', '{{#each people}} {{#if age}}')).toEqual(['/if']);
    expect(at('page', 'input', '', '{{#each people as |one|}}')).toContain('one');
    expect(at('page', 'input', 'one.', '{{#each people as |one|}}')).toContain('one.name');
    expect(at('page', 'input', 'this.', '{{#each people}}')).toContain('this.name');
    expect(at('page', 'input', '', '{{#with all}}')).toEqual(['count', '/with']);
  });

  test('after the end of a block as before it', () => {
    expect(at('page', 'input', '', '{{#each people}}{{name}}{{/each}}')).toEqual(['people', 'title', 'all']);
    expect(at('page', 'input', '/', 'no block')).toEqual([]);
  });
});
