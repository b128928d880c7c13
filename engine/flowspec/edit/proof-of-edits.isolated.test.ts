/**
 * The proof of an edit must not lean on the quick reader: here that one misreads, and the writers make mistakes that only
 * a true reading of the result shows.
 */
import { afterAll, expect, test, vi } from 'vitest';
import { applyEdits, editBetween } from '../../base/text-edit.ts';
import type { JsonMap } from '../json-value.ts';

/** What the quick reader takes every text for. */
const misread = vi.hoisted((): { value: JsonMap | undefined } => ({ value: undefined }));
vi.mock('../quick-yaml.ts', () => ({ readQuickly: () => misread.value }));
vi.mock('./yaml-patch.ts', { spy: true });
vi.mock('./format-lines.ts', { spy: true });
vi.mock('../yaml-source.ts', { spy: true });

// Files of one process share its modules: the real ones may be there already, and the next file must not get these.
vi.resetModules();
afterAll(() => vi.resetModules());
const { editFlow } = await import('./edit-flow.ts');
const { formatLines } = await import('./format-lines.ts');
const { patchYaml } = await import('./yaml-patch.ts');
const { readYaml } = await import('../yaml-source.ts');

const text = 'flow:\n  name: Old\nnodes:\n  - id: a\n    type: echo\n    input: {}\nedges: []\n';

function editsTo(wrong: string) {
  const edit = editBetween(text, wrong);
  return edit === null ? [] : [edit];
}

const refused = { ok: false, error: { code: 'edit.refused' } };

test('a change written wrongly is refused, although the quick reader takes it for right', () => {
  misread.value = { flow: { name: '12' }, nodes: [{ id: 'a', type: 'echo', input: {} }], edges: [] };
  vi.mocked(patchYaml).mockImplementation(() => editsTo(text.replace('Old', '12')));
  expect(editFlow(text, { do: 'set-flow', path: ['name'], value: '12' })).toMatchObject(refused);
});

test('formatting that changes what a file means is refused, although the quick reader takes it for the same', () => {
  misread.value = { flow: { name: 'Old' }, nodes: [{ id: 'a', type: 'echo', input: {} }], edges: [] };
  vi.mocked(formatLines).mockImplementation(() => editsTo(text.replace('  name', 'name')));
  expect(editFlow(text, { do: 'format' })).toMatchObject(refused);
});

test('a change written rightly is made, although the quick reader takes it for something else', () => {
  misread.value = {};
  vi.mocked(patchYaml).mockRestore();
  const edit = editFlow(text, { do: 'set-flow', path: ['name'], value: 'New' });
  expect(edit).toMatchObject({ ok: true, edits: [{ text: 'New' }] });
});

test('the text that an edit was proven with is not read again by the edit that follows', () => {
  vi.mocked(patchYaml).mockRestore();
  const readings = vi.mocked(readYaml);
  const edited = (before: string, name: string): string => {
    readings.mockClear();
    const edit = editFlow(before, { do: 'set-flow', path: ['name'], value: name });
    if (!edit.ok) throw edit.error;
    return applyEdits(before, edit.edits);
  };
  const first = edited(`# a text of its own\n${text}`, 'One');
  expect(readings).toHaveBeenCalledTimes(2);
  const second = edited(first, 'Two');
  expect(second).toContain('name: Two');
  expect(readings.mock.calls).toEqual([[second]]);
});
