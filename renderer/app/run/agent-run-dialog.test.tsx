import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { useOpenFile } from '../../stores/use-flow.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import type { AgentDraft } from '../commands/dialogs.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { AgentRunDialog, emptyAgentDraft, orderOf, problemOf } from './agent-run-dialog.tsx';
import { AgentWorkDialog } from './agent-work-dialog.tsx';

const path = 'a.aip';

function Shown() {
  const flow = useOpenFile(path);
  return flow === undefined ? null : <AgentRunDialog flow={flow} />;
}

let window: TestWindow;
let orders: unknown[];
afterEach(() => window.close());

type Answer =
  | { readonly runId: string }
  | { readonly work: { workId: string; kind: 'install'; data: { packRef: string } } };

async function openDialog(answer: Answer = { runId: 'r1' }): Promise<void> {
  orders = [];
  window = openTestWindow({
    readAgent: () => ({ text: '# Instruction\n\nHi\n', file: `/w/${path}`, path, isWritable: true }),
    startAgent: (order) => {
      orders.push(order);
      return answer;
    },
    confirmWork: () => ({ runId: 'r2' }),
    cancelWork: () => undefined,
  });
  window.engine.connect();
  window.stores.workspace.setState({ folder: '/w' });
  await act(() => window.stores.openFiles.getState().open(path, 'agent'));
  window.draw(
    <>
      <Shown />
      <AgentWorkDialog />
    </>,
  );
  act(() => window.context.dialogs.getState().show('agent-run'));
  await window.settle();
}

function dialog(): HTMLElement {
  const found = document.querySelector<HTMLElement>('[role="dialog"]');
  if (found === null) throw new Error('No dialog is open');
  return found;
}

async function press(name: string): Promise<void> {
  const button = [...dialog().querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === name);
  if (button === undefined) throw new Error(`The dialog has no button ${name}`);
  act(() => button.click());
  await window.settle();
}

function type(index: number, value: string): void {
  const area = dialog().querySelectorAll('textarea')[index];
  if (area === undefined) throw new Error(`The dialog has no text ${index}`);
  act(() => typeInto(area, value));
}

test('adds inputs one by one and runs with them on Ctrl+Enter', async () => {
  await openDialog();
  type(0, 'one');
  await press('Add input');
  type(1, 'two\nlines');
  const keys = new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true });
  act(() => dialog().querySelector('textarea')?.dispatchEvent(keys));
  await window.settle();
  expect(orders).toEqual([{ agent: path, inputs: ['one', 'two\nlines'] }]);
  expect(document.querySelector('[role="dialog"]')).toBeNull();
});

test('requests only prompts for a preview', async () => {
  await openDialog();
  await press('Preview prompts');
  expect(orders).toEqual([{ agent: path, dry: 'req' }]);
});

test('does not run without file patterns and shows an error at the field', async () => {
  await openDialog();
  await press('Files');
  await press('Run');
  expect(orders).toEqual([]);
  expect(dialog().textContent).toContain('Enter at least one file');
  type(0, 'notes/*.md');
  await press('Run');
  expect(orders).toEqual([{ agent: path, files: ['notes/*.md'] }]);
});

test('installs a missing pack only if the user agrees', async () => {
  await openDialog({ work: { workId: 'w1', kind: 'install', data: { packRef: 'demo@proof' } } });
  await press('Run');
  expect(dialog().textContent).toContain('Install demo@proof?');
  expect(window.engine.calls).not.toContain('confirmWork');
  await press('Install');
  expect(window.engine.calls).toContain('confirmWork');
  expect(document.querySelector('[role="dialog"]')).toBeNull();
});

test('does not install a missing pack if the user declines', async () => {
  await openDialog({ work: { workId: 'w1', kind: 'install', data: { packRef: 'demo@proof' } } });
  await press('Run');
  await press('Cancel');
  expect(window.engine.calls).toContain('cancelWork');
  expect(window.engine.calls).not.toContain('confirmWork');
});

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

test('requires file patterns', () => {
  expect(problemOf({ ...emptyAgentDraft, source: 'files', files: ' \n' })).toContain('glob');
  expect(problemOf(emptyAgentDraft)).toBeUndefined();
});
