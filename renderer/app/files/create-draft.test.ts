import { expect, test } from 'vitest';
import { parseCatalogue } from '../../../engine/isomorphic.ts';
import {
  type CreateDraft,
  catalogueText,
  folderProblemOf,
  freeName,
  manifestOfDraft,
  nameProblemOf,
  pathOfDraft,
  productProblemOf,
} from './create-draft.ts';

const draft: CreateDraft = {
  kind: 'flow',
  name: 'Sum up',
  folder: '',
  beginning: 'empty',
  example: null,
  description: '',
  steps: [],
  product: 'shop',
};
const nothingThere = (): boolean => false;

test('the path is derived from the name, and slashes are folders', () => {
  expect(pathOfDraft(draft)).toBe('sum-up.flow.yaml');
  expect(pathOfDraft({ ...draft, folder: 'flows', name: 'Weekly/Überblick 2' })).toBe(
    'flows/weekly/uberblick-2.flow.yaml',
  );
  expect(pathOfDraft({ ...draft, kind: 'agent' })).toBe('sum-up.aip');
  expect(pathOfDraft({ ...draft, kind: 'pack', name: 'my@pack' })).toBe('.aipack/pack/custom/my/pack');
});

test('a name may be written with the ending of its file', () => {
  expect(pathOfDraft({ ...draft, name: 'reply.flow.yaml' })).toBe('reply.flow.yaml');
  expect(pathOfDraft({ ...draft, kind: 'agent', name: 'notes/reply.aip' })).toBe('notes/reply.aip');
  expect(pathOfDraft({ ...draft, kind: 'steps', name: 'reply.yaml' })).toBe('products/shop/flows/reply.yaml');
  expect(pathOfDraft({ ...draft, name: '.flow.yaml' })).toBe('flow-yaml.flow.yaml');
});

test('a new conversation is valid under any name', () => {
  expect(pathOfDraft({ ...draft, kind: 'dialogue', name: 'Help desk' })).toBe('help-desk.dialogue.yaml');
  const { doc, diagnostics } = parseCatalogue(catalogueText('The "best": desk'));
  expect(doc?.name).toBe('The "best": desk');
  expect(diagnostics).toEqual([]);
});

test('a step flow is put into the flows folder of its product', () => {
  const steps: CreateDraft = { ...draft, kind: 'steps', folder: 'elsewhere' };
  expect(pathOfDraft(steps)).toBe('products/shop/flows/sum-up.yaml');
  expect(productProblemOf(steps)).toBeNull();
  expect(productProblemOf({ ...steps, product: '' })).toBe('Enter a product name.');
  expect(productProblemOf({ ...steps, product: 'core' })).toContain('A product cannot be named core');
  expect(productProblemOf({ ...draft, product: '' })).toBeNull();
  expect(folderProblemOf({ ...steps, folder: '../out' })).toBeNull();
});

test('the suggested name is not taken', () => {
  const there = new Set(['new-flow.flow.yaml', 'new-flow-2.flow.yaml']);
  expect(freeName(draft, (path) => there.has(path))).toBe('New flow 3');
});

test('reports problems before anything is written', () => {
  expect(nameProblemOf(draft, nothingThere)).toBeNull();
  expect(nameProblemOf({ ...draft, name: ' ' }, nothingThere)).toBe('Enter a name.');
  expect(nameProblemOf({ ...draft, name: '***' }, nothingThere)).toBe('The name needs a letter or a digit.');
  expect(nameProblemOf(draft, (path) => path === 'sum-up.flow.yaml')).toBe(
    'sum-up.flow.yaml already exists. Choose another name.',
  );
  expect(nameProblemOf({ ...draft, kind: 'pack', name: 'nope' }, nothingThere)).toContain('my@pack');
  expect(nameProblemOf({ ...draft, name: 'con' }, nothingThere)).toBe('Windows reserves this name for a device.');
  expect(folderProblemOf({ ...draft, folder: '/etc' })).toContain('without a "/"');
  expect(folderProblemOf({ ...draft, folder: 'a//b' })).toContain('folder without a name');
  expect(folderProblemOf({ ...draft, folder: '../out' })).toBe('A name cannot end with a dot or a space.');
});

test('returns the manifest that may list a new flow', () => {
  expect(manifestOfDraft(draft)).toBeUndefined();
  expect(manifestOfDraft({ ...draft, kind: 'agent', folder: 'products/shop/flows' })).toBeUndefined();
  expect(manifestOfDraft({ ...draft, folder: 'products/shop/flows' })).toBe('products/shop/manifest.yaml');
  expect(manifestOfDraft({ ...draft, kind: 'steps', folder: '' })).toBe('products/shop/manifest.yaml');
});
