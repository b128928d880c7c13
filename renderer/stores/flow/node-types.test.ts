import { expect, test } from 'vitest';
import type * as NodeTypes from './node-types.ts';

// A separate instance of the module, because recently used types are remembered for the lifetime of the page.
const ownCopy = './node-types.ts?own';
const { insteadOf, nodeTypes, noteRecentType, offeredType, typeChoice }: typeof NodeTypes = await import(ownCopy);

function shape(query: string, neighbour: Parameters<typeof typeChoice>[1]): Record<string, string[]> {
  return Object.fromEntries(
    typeChoice(query, neighbour).map(({ title, types }) => [title ?? '', types.map(({ key }) => key)]),
  );
}

test('types that fit the neighbor come first, and none are omitted', () => {
  const behindList = shape('', { side: 'before', node: { type: 'list.filter', input: {} } });
  const takeLists = ['control.foreach', 'list.filter', 'list.map', 'list.sort', 'list.unique', 'text.join'];
  expect(behindList['Fits']?.slice(0, 6).sort()).toEqual(takeLists);
  expect(behindList['Fits']).toContain('agent');
  const all = nodeTypes
    .list()
    .flatMap(({ type, variants = [] }) => [type, ...variants.map(({ id }) => `${type}#${id}`)]);
  expect(Object.values(behindList).flat().sort()).toEqual(all.sort());
  const beforeList = shape('', { side: 'behind', node: { type: 'list.map', input: {} } });
  const giveLists = [
    'control.foreach',
    'control.loop',
    'list.filter',
    'list.map',
    'list.sort',
    'list.unique',
    'text.split',
  ];
  expect(beforeList['Fits']?.sort()).toEqual(giveLists);
});

test('matching names take precedence over everything else', () => {
  expect(shape('const', { side: 'before', node: { type: 'list.filter', input: {} } })['']?.[0]).toBe('constant');
  expect(shape('nothing at all like it', null)).toEqual({ '': [] });
});

test('recently used types come next, most recent first', () => {
  noteRecentType('echo');
  noteRecentType('control.wait');
  expect(shape('', null)['Recently used']).toEqual(['control.wait', 'echo']);
  const behindText = shape('', { side: 'before', node: { type: 'prompt', input: {} } });
  expect([behindText['Fits']?.[0], behindText['Flow control']?.[0]]).toEqual(['echo', 'control.wait']);
});

test('without a query, all types are listed under familiar groups', () => {
  const sections = shape('', null);
  expect(Object.keys(sections).filter((title) => title !== 'Recently used')).toEqual([
    'Models',
    'Flow control',
    'Data',
    'Files',
    'Web',
  ]);
  expect(sections['Models']).toEqual(['prompt', 'prompt#json', 'agent']);
  expect(sections['Web']).toContain('http.request');
});

test.each(['json', 'structured', 'schema', 'ask for json', 'JSON mode', 'output parser'])(
  '"%s" finds the type for JSON responses of a model first',
  (query) => {
    expect(shape(query, null)['']?.[0]).toBe('prompt#json');
    expect(offeredType('prompt#json')).toMatchObject({ type: 'prompt', title: 'Prompt for JSON' });
  },
);

test('names from other tools find the equivalent type first, with the reason', () => {
  const firstOf = (query: string) => shape(query, null)['']?.[0];
  expect(firstOf('if')).toBe('control.if');
  expect(firstOf('set')).toBe('constant');
  expect(firstOf('delay')).toBe('control.wait');
  expect(firstOf('sub-workflow')).toBe('flow');
  expect(firstOf('subflow')).toBe('flow');
  expect(firstOf('execute workflow')).toBe('flow');
  expect(firstOf('call')).toBe('flow');
  expect(insteadOf('merge').reasons.get('template')).toContain('can merge branches');
});

test('a name without an equivalent node shows an explanation', () => {
  expect(insteadOf('webhook').hints[0]).toContain('Add a trigger');
  expect(insteadOf('start').hints[0]).toContain('No start node is needed');
  expect(insteadOf('').hints).toEqual([]);
});

test('a title takes precedence over a name from other tools', () => {
  expect(shape('switch', null)['']?.[0]).toBe('control.switch');
  expect(shape('template', null)['']?.[0]).toBe('template');
  expect(shape('for', null)['']?.[0]).toBe('control.foreach');
  for (const words of ['ForEach', 'control.foreach', 'For each', 'foreach'])
    expect(shape(words, null)['']?.[0]).toBe('control.foreach');
  expect(shape('JSON query', null)['']?.[0]).toBe('json.query');
});
