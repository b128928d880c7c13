import { expect, test } from 'vitest';
import { type AgentDraft, emptyAgentDraft, orderOf, problemOf } from './agent-draft.ts';

test.each<[Partial<AgentDraft>, object]>([
  [{}, {}],
  [{ inputs: ['one', ' ', 'two\nlines'] }, { inputs: ['one', 'two\nlines'] }],
  [
    { inputs: ['one'], model: ' small ' },
    { inputs: ['one'], model: 'small' },
  ],
  [{ source: 'files', inputs: ['one'], files: ' a.md\n\n*.txt ' }, { files: ['a.md', '*.txt'] }],
])('the draft %j orders %j', (draft, order) => {
  expect(orderOf({ ...emptyAgentDraft, ...draft }, false)).toEqual({ ...order, isPreview: false });
});

test('files have to be named', () => {
  expect(problemOf({ ...emptyAgentDraft, source: 'files', files: ' \n' })).toContain('glob');
  expect(problemOf(emptyAgentDraft)).toBeUndefined();
});
