import { expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { NodeTypeSpec } from '../../language/types/node-type-spec.ts';
import { builtinNodes } from './builtin-nodes.ts';
import { createNodeRegistry } from './node-registry.ts';
import { nodeFit } from './starter-node.ts';

const registry = createNodeRegistry(builtinNodes);

function spec(type: string): NodeTypeSpec {
  const found = registry.get(type);
  if (found === undefined) throw new Error(`Type ${type} does not exist.`);
  return found;
}

/** Returns the types that fit the output of a type best. */
function best(before: string): string[] {
  return registry
    .list()
    .filter((one) => nodeFit(one, { spec: spec(before) }) === 2)
    .map(({ type }) => type);
}

test('suggests list nodes after a list and text nodes after text', () => {
  expect(best('list.filter').sort()).toEqual([
    'control.foreach',
    'list.filter',
    'list.map',
    'list.sort',
    'list.unique',
    'text.join',
  ]);
  expect(best('control.foreach')).toEqual(best('list.filter'));
  expect(best('prompt').sort()).toEqual(['echo', 'file.write', 'json.parse', 'prompt', 'text.split']);
  expect(best('file.read')).toEqual(best('prompt'));
});

test('types that accept any value fit every type that returns one', () => {
  expect(nodeFit(spec('json.query'), { spec: spec('control.wait') })).toBe(1);
  expect(nodeFit(spec('template'), { spec: spec('prompt') })).toBe(1);
  expect(nodeFit(spec('echo'), { spec: spec('http.request') })).toBe(1);
});

test('a constant fits by its value', () => {
  const behind = (value: JsonValue, type: string) => nodeFit(spec(type), { spec: spec('constant'), input: { value } });
  expect([behind([1, 2], 'control.foreach'), behind([1, 2], 'echo')]).toEqual([2, 0]);
  expect([behind('text', 'control.foreach'), behind('text', 'echo')]).toEqual([0, 2]);
  expect([behind('{{a.b}}', 'control.foreach'), behind('{{a.b}}', 'echo')]).toEqual([0, 1]);
});

test('files that match a pattern fit as a list and as text', () => {
  const behind = (type: string, input: JsonMap) => nodeFit(spec(type), { spec: spec('file.read'), input });
  expect([behind('control.foreach', { globs: ['*.md'] }), behind('echo', { globs: ['*.md'] })]).toEqual([2, 2]);
  expect(behind('control.foreach', { path: 'a.md' })).toBe(0);
});

test('types that accept or return nothing fit none', () => {
  expect(nodeFit(spec('constant'), { spec: spec('prompt') })).toBe(0);
  expect(nodeFit(spec('echo'), { spec: spec('control.fail') })).toBe(0);
  expect(nodeFit(spec('list.map'), { spec: spec('prompt') })).toBe(0);
});
