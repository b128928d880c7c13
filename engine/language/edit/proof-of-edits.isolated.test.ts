/**
 * Tests that the verification of an edit does not depend on the fast parser: here that parser misreads, and the writers
 * make mistakes that only a correct parse of the result reveals.
 */
import { afterAll, expect, test, vi } from 'vitest';
import { applyEdits, editBetween } from '../../base/text-edit.ts';
import type { JsonMap } from '../json/json-value.ts';

/** The value that the fast parser returns for every text. */
const misread = vi.hoisted((): { value: JsonMap | undefined } => ({ value: undefined }));
vi.mock('../yaml/quick-yaml.ts', () => ({ readQuickly: () => misread.value }));
vi.mock('./yaml/yaml-patch.ts', { spy: true });
vi.mock('./yaml/format-lines.ts', { spy: true });
vi.mock('../yaml/yaml-source.ts', { spy: true });

// The files of one process share modules. The real ones may be loaded already, and the next file must not get these.
vi.resetModules();
afterAll(() => vi.resetModules());
const { editFlow } = await import('./edit-flow.ts');
const { formatLines } = await import('./yaml/format-lines.ts');
const { patchYaml } = await import('./yaml/yaml-patch.ts');
const { readYaml } = await import('../yaml/yaml-source.ts');

const text = 'flow:\n  name: Old\nnodes:\n  - id: a\n    type: echo\n    input: {}\nedges: []\n';

function editsTo(wrong: string) {
  const edit = editBetween(text, wrong);
  return edit === null ? [] : [edit];
}

const refused = { ok: false, error: { code: 'edit.refused' } };

test('rejects an incorrect edit, even if the fast parser considers it correct', () => {
  misread.value = { flow: { name: '12' }, nodes: [{ id: 'a', type: 'echo', input: {} }], edges: [] };
  vi.mocked(patchYaml).mockImplementation(() => editsTo(text.replace('Old', '12')));
  expect(editFlow(text, { do: 'set-flow', path: ['name'], value: '12' })).toMatchObject(refused);
});

test('rejects formatting that changes the meaning of a file, even if the fast parser sees no difference', () => {
  misread.value = { flow: { name: 'Old' }, nodes: [{ id: 'a', type: 'echo', input: {} }], edges: [] };
  vi.mocked(formatLines).mockImplementation(() => editsTo(text.replace('  name', 'name')));
  expect(editFlow(text, { do: 'format' })).toMatchObject(refused);
});

test('accepts a correct edit, even if the fast parser reads something else', () => {
  misread.value = {};
  vi.mocked(patchYaml).mockRestore();
  const edit = editFlow(text, { do: 'set-flow', path: ['name'], value: 'New' });
  expect(edit).toMatchObject({ ok: true, edits: [{ text: 'New' }] });
});

test('does not parse the verified text again for the next edit', () => {
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
