import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import { checkFlow } from '../../language/flow/check-flow.ts';
import type { NodeDoc } from '../../language/flow/flow-doc.ts';
import { builtinNodes } from './builtin-nodes.ts';
import { builtinTypes } from './builtin-types.ts';
import { createNodeRegistry } from './node-registry.ts';
import { starterNode } from './starter-node.ts';

const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test('every folder contains one listed type, and every listed type has a folder', () => {
  const expected = builtinNodes.map(({ type }) => type.replace(/[._]/g, '-'));
  expect(folders.map(({ name }) => name).sort()).toEqual(expected.sort());
  for (const { name } of folders) {
    const files = readdirSync(`${import.meta.dirname}/${name}`).sort();
    expect(files).toEqual([`${name}-node.test.ts`, `${name}-node.ts`, `${name}-type.ts`]);
  }
});

describe.each(builtinNodes.map((nodeType) => [nodeType.type, nodeType] as const))('%s', (_type, nodeType) => {
  test('the type has a description, and one for each of its fields', () => {
    expect(nodeType.title).not.toBe('');
    expect(nodeType.description).toMatch(/\.$/);
    // One line below the title, in a panel that is at least 264 pixels wide.
    expect(nodeType.example?.length ?? 0).toBeGreaterThan(10);
    expect(nodeType.example?.length ?? 0).toBeLessThan(70);
    expect(nodeType.example).toMatch(/[.]$/);
    for (const schema of [nodeType.inputSchema, nodeType.configSchema]) {
      const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
      for (const field of Object.values(properties)) expect(field).toHaveProperty('description');
    }
  });

  const catalog = createNodeRegistry(builtinNodes);
  const checked = (nodes: readonly NodeDoc[]): readonly string[] => {
    const edges = nodes.slice(1).map(({ id }, index) => ({ from: nodes[index]?.id, to: id }));
    const { diagnostics } = checkFlow(JSON.stringify({ flow: { name: 'New' }, nodes, edges }), catalog);
    return diagnostics.map(({ code }) => code).filter((code) => code !== 'loop.empty-body');
  };

  test('a new node is valid without changes, alone and after a node of any type', () => {
    expect(checked([starterNode(nodeType, 'new', null)])).toEqual([]);
    for (const other of builtinNodes) {
      const before = starterNode(other, 'before', null);
      const after = starterNode(nodeType, 'new', { id: 'before', spec: other });
      expect([other.type, ...checked([before, after])]).toEqual([other.type]);
    }
  });

  test('each of its variants is valid without changes, alone and after a node of any type', () => {
    for (const { start, title, description, example } of nodeType.variants ?? []) {
      expect([title, example]).not.toContain('');
      expect(description).toMatch(/\.$/);
      const spec = { ...nodeType, start };
      expect(checked([starterNode(spec, 'new', null)])).toEqual([]);
      for (const other of builtinNodes) {
        const after = starterNode(spec, 'new', { id: 'before', spec: other });
        expect([other.type, ...checked([starterNode(other, 'before', null), after])]).toEqual([other.type]);
      }
    }
  });

  test('the default inputs are derived from the schemas if the type declares none', () => {
    const { start: _, ...silent } = nodeType;
    const made = starterNode(silent, 'new', null);
    const needed = z.toJSONSchema(nodeType.inputSchema, { io: 'input' })['required'] ?? [];
    expect(Object.keys(made.input)).toEqual(needed);
  });

  test('its summary accepts any content of an unfinished file', () => {
    const keys = fc.constantFrom('text', 'prompt', 'path', 'globs', 'ms', 'message', 'value', 'left', 'right', 'model');
    const unfinished = fc.dictionary(
      keys,
      fc.oneof(fc.jsonValue(), fc.constantFrom('{{', '{{a.b}}', '{{?a | default:', '}}')),
    );
    fc.assert(
      fc.property(unfinished, unfinished, (config, input) => {
        const parts = nodeType.summary?.(config as never, input as never) ?? [];
        const texts = parts.map((part) => (typeof part === 'string' ? part : part.chip));
        expect(texts.join('').length).toBeLessThan(200);
      }),
      { examples: [[{ globs: [{ toString: {} }] }, { globs: [{ toString: {} }] }]] },
    );
  });
});

test('implementations are in the order of the descriptions, each with its own', () => {
  expect(builtinNodes.map(({ type }) => type)).toEqual(builtinTypes.map(({ type }) => type));
  for (const [index, nodeType] of builtinNodes.entries()) expect(nodeType).toMatchObject(builtinTypes[index] ?? {});
});

describe('the registry', () => {
  test('finds types by id and lists them in order', () => {
    const registry = createNodeRegistry(builtinNodes);
    expect(registry.get('echo')?.title).toBe('Echo');
    expect([registry.get('no.such'), registry.get('constructor')]).toEqual([undefined, undefined]);
    expect(registry.list()).toEqual(builtinNodes);
  });

  test('rejects two types with the same id', () => {
    const [first] = builtinNodes;
    const twice = (): unknown => createNodeRegistry([first!, first!]);
    expect(twice).toThrow(EngineError);
    expect(twice).toThrow(expect.objectContaining({ code: 'node-type.duplicate' }));
  });
});
