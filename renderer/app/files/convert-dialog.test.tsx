import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError, parseFlow } from '../../../engine/isomorphic.ts';
import { findCommand } from '../commands/commands.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { ConvertDialog } from './convert-dialog.tsx';

const path = 'products/shop/flows/refund.yaml';
const text = `id: refund
steps:
  - { id: ok, type: human_approval, message: Pay? }
  - { id: pay, type: tool, tool: core.file_list, params: { glob: "{{payload.glob}}" } }
`;

let window: TestWindow;
let disk: Map<string, string>;

beforeEach(async () => {
  disk = new Map([[path, text]]);
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path, change: null }],
    listRuns: () => [],
    readFlow: (asked) => ({ text: disk.get(asked) ?? '' }),
    listFolder: () => ({ entries: [], isCut: false }),
    createFile: (request) => {
      if (disk.has(request.path))
        throw new EngineError({ code: 'files.exists', message: `${request.path} already exists.` });
      disk.set(request.path, request.text ?? '');
      return undefined;
    },
  });
  window.engine.connect();
  window.draw(<ConvertDialog />);
  await window.stores.openFiles.getState().open(path);
  await window.until(() => expect(file()?.doc?.steps?.steps).toHaveLength(2));
});
afterEach(() => window.close());

const file = () => window.stores.openFiles.getState().files.get(path);
const dialog = () => document.querySelector('[role="dialog"]');

function ask(): void {
  const command = findCommand('file.convert');
  expect(command?.isAvailable?.(window.context)).toBe(true);
  act(() => command?.run(window.context));
}

test('writes the nodes to a new file beside the steps, leaves the steps unchanged, and opens the file', async () => {
  ask();
  await window.until(() => expect(dialog()?.textContent).toContain('products/shop/flows/refund-nodes.flow.yaml'));
  expect(dialog()?.querySelector('[aria-label="Lost in the conversion"]')?.textContent).toContain(
    'A step flow returns the last output',
  );
  act(() => dialog()?.querySelector('form')?.requestSubmit());
  await window.until(() =>
    expect(window.stores.openFiles.getState().activePath).toBe('products/shop/flows/refund-nodes.flow.yaml'),
  );
  const written = parseFlow(disk.get('products/shop/flows/refund-nodes.flow.yaml') ?? '');
  expect(written.steps).toBeUndefined();
  expect(written.doc?.edges).toEqual([expect.objectContaining({ from: 'ok', to: 'pay' })]);
  expect(disk.get(path)).toBe(text);
  expect(file()?.isDirty).toBe(false);
});

test('rejects a name that exists on disk and stays open', async () => {
  disk.set('products/shop/flows/refund-nodes.flow.yaml', 'mine');
  ask();
  await window.until(() => expect(dialog()).not.toBeNull());
  act(() => dialog()?.querySelector('form')?.requestSubmit());
  await window.until(() => expect(dialog()?.textContent).toContain('already exists.'));
  expect(disk.get('products/shop/flows/refund-nodes.flow.yaml')).toBe('mine');
});
