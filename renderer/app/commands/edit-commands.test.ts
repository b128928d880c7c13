import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { type CommandId, findCommand, runCommand } from './commands.ts';

const path = 'a.flow.yaml';
const untidy = `flow:
    name:   Wide
nodes:
- id:  a
  type: echo
  input: {text: hi}
- id:  b
  type: echo
  input: {text: hi}
edges: []
`;

let window: TestWindow;
let text: string;
beforeEach(() => {
  text = untidy;
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path, change: null }],
    readFlow: () => ({ text }),
  });
});
afterEach(() => window.close());

async function open(): Promise<void> {
  window.engine.connect();
  await window.settle();
}

async function run(id: CommandId): Promise<boolean> {
  const command = findCommand(id);
  const isDone = command !== undefined && runCommand(command, window.context);
  await window.settle();
  return isDone;
}

const file = () => window.stores.openFiles.getState().files.get(path);

describe('formatting', () => {
  test('formatting the file is a single undoable step', async () => {
    await open();
    expect(await run('format.file')).toBe(true);
    expect(file()).toMatchObject({
      text: `flow:
  name: Wide
nodes:
  - id: a
    type: echo
    input: { text: hi }
  - id: b
    type: echo
    input: { text: hi }
edges: []
`,
      undoLabel: 'Format file',
    });
    await run('edit.undo');
    expect(file()?.text).toBe(untidy);
  });

  test('formatting the selection changes those lines while the text is visible', async () => {
    await open();
    window.stores.cursors.getState().mark(path, { first: 4, last: 4 });
    expect(await run('format.selection')).toBe(false);
    window.stores.selection.getState().setMode(path, 'split');
    expect(await run('format.selection')).toBe(true);
    expect(file()?.text).toBe(untidy.replace('id:  a', 'id: a'));
    window.stores.cursors.getState().mark(path, null);
    expect(await run('format.selection')).toBe(false);
  });

  test('formatting the selected node changes the node', async () => {
    await open();
    expect(await run('format.node')).toBe(false);
    window.stores.selection.getState().selectNode(path, 'b');
    expect(await run('format.node')).toBe(true);
    expect(file()).toMatchObject({
      text: untidy.replace('id:  b\n  type: echo\n  input: {text: hi}', 'id: b\n  type: echo\n  input: { text: hi }'),
      undoLabel: 'Format b',
    });
  });

  test('formatting invalid YAML changes nothing and reports the position of the error', async () => {
    text = 'flow:\n  name: [a\nnodes: []\n';
    await open();
    await run('format.file');
    const notice = window.stores.notices.getState().list.at(-1);
    expect(notice).toMatchObject({ tone: 'error', detail: expect.stringContaining('Line 3, column 1') });
    expect(file()).toMatchObject({ text, isDirty: false });
  });
});

test('saving a file that others also changed shows both texts, and explains what to do about a deleted one', async () => {
  await open();
  const conflict = (diskText: string | null) => ({ diskText, baseText: untidy });
  window.stores.openFiles.getState().patch(path, { conflict: conflict('- no flow') });
  expect(await run('file.save')).toBe(true);
  await window.until(() => expect(window.context.dialogs.getState().open).toBe('conflict'));
  expect(JSON.stringify(window.stores.notices.getState().list)).not.toContain('merge');
  window.context.dialogs.getState().close();
  window.stores.openFiles.getState().patch(path, { conflict: conflict(null) });
  await run('file.save');
  expect(window.context.dialogs.getState().open).toBeNull();
  expect(JSON.stringify(window.stores.notices.getState())).toContain(`${path} was deleted by another program`);
});
