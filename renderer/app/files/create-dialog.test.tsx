import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError } from '../../../engine/isomorphic.ts';
import { FlowCanvas } from '../../canvas/flow-canvas.tsx';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { CreateDialog } from './create-dialog.tsx';

let window: TestWindow;
let finish: (refusal?: EngineError) => void;
let created: unknown[];
let trashed: unknown[];
let previewed: unknown[];
let problems: { model: string | null; code: string; message: string }[];

beforeEach(async () => {
  created = [];
  trashed = [];
  previewed = [];
  problems = [];
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path: 'a.flow.yaml', change: null }],
    listFolder: () => ({ entries: [], isCut: false }),
    readFlow: (path) => {
      if (path !== 'a.flow.yaml') throw new EngineError({ code: 'files.not-found', message: `${path} is missing.` });
      return { text: 'flow: { name: A }\nnodes:\n  - { id: a, type: echo }\nedges: []\n' };
    },
    checkModels: () => problems,
    previewAssistance: (subject) => {
      previewed.push(subject);
      return { model: 'p::tiny', isPriced: false, instructions: 'Help.', data: 'The data' };
    },
    trashFile: (path) => void trashed.push(path),
    createFlow: (params) => {
      created.push(params);
      return new Promise((resolve, reject) => {
        finish = (refusal) =>
          refusal === undefined ? resolve({ path: 'new-flow.flow.yaml', files: [] }) : reject(refusal);
      });
    },
  });
  window.engine.connect();
  await window.settle();
  window.draw(
    <>
      <button type="button" id="new">
        New
      </button>
      <FlowCanvas path="a.flow.yaml" />
      <CreateDialog />
    </>,
  );
  act(() => window.stores.selection.getState().selectNode('a.flow.yaml', 'a'));
  document.querySelector<HTMLElement>('#new')?.focus();
  act(() => window.context.dialogs.getState().askNew({ kind: 'flow', folder: '', beginning: 'empty' }));
  await window.settle();
});

afterEach(() => window.close());

const dialog = () => document.querySelector<HTMLElement>('[role="dialog"]');
const nameField = () => dialog()?.querySelector<HTMLInputElement>('[data-first-focus]');
const isDisabled = (element: Element | null | undefined): boolean =>
  element?.closest('[disabled]') !== null && element !== undefined;

async function submit(): Promise<void> {
  act(
    () =>
      void dialog()
        ?.querySelector('form')
        ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })),
  );
  await window.settle();
}

function press(key: string, held: KeyboardEventInit = {}): void {
  const target = document.activeElement ?? document.body;
  act(() => void target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held })));
}

test('accepts no input and cannot be closed while it creates', async () => {
  await submit();
  const controls = [...(dialog()?.querySelectorAll('.create-form :is(input, button)') ?? [])];
  expect([controls.length > 5, controls.every(isDisabled)]).toEqual([true, true]);
  press('Escape');
  await submit();
  await window.settle();
  expect([dialog() === null, created.length]).toEqual([false, 1]);
});

test.each([
  ['in the dialog', () => undefined],
  ['nowhere, as after a press on a button that was disabled', () => (document.activeElement as HTMLElement).blur()],
])('keys pressed while it creates do not change the open flow, with the focus %s', async (_where, leave) => {
  await submit();
  leave();
  const before = window.stores.openFiles.getState().files.get('a.flow.yaml')?.text;
  for (const key of ['F2', 'd', 'n', 'Delete', 'Backspace', 'Enter', 'r', 'x']) press(key);
  for (const key of ['d', 'v', 'g', 'z']) press(key, { ctrlKey: true });
  await window.settle();
  expect(window.stores.openFiles.getState().files.get('a.flow.yaml')?.text).toBe(before);
  expect(document.querySelector('.rename-field, .quick-add')).toBeNull();
  expect(window.context.dialogs.getState().open).toBe('new');
  expect([created.length, trashed]).toEqual([1, []]);
});

test('focuses the canvas after creating a flow', async () => {
  await submit();
  act(() => finish());
  await window.until(() => expect(dialog()?.textContent).toBeUndefined());
  await window.until(() => expect(document.activeElement?.matches('.flow-canvas > .react-flow')).toBe(true));
});

test('restores the input and focuses the name after an error', async () => {
  await submit();
  act(() => finish(new EngineError({ code: 'files.exists', message: 'new-flow.flow.yaml already exists.' })));
  await window.until(() => expect(dialog()?.textContent).toContain('already exists.'));
  expect([isDisabled(nameField()), document.activeElement === nameField()]).toEqual([false, true]);
});

test('returns the focus to its previous element when it is canceled', async () => {
  act(() => window.context.dialogs.getState().close());
  await window.until(() => expect(document.activeElement?.id).toBe('new'));
});

const choose = async (name: string) => {
  const option = [...(dialog()?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === name);
  await act(async () => option?.click());
};

test('a described flow is opened with what would be sent, and nothing is on disk', async () => {
  await choose('A description');
  await submit();
  expect(previewed).toEqual([]);
  const area = dialog()?.querySelector('textarea');
  if (area == null) throw new Error('The field is missing.');
  const setValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
  act(() => {
    setValue?.call(area, 'Sort my mails');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await submit();
  await window.until(() => expect(dialog()).toBeNull());
  const file = window.stores.openFiles.getState().files.get('new-flow.flow.yaml');
  expect(file).toMatchObject({ isMissing: true, isDirty: true, doc: { flow: { name: 'New flow' }, nodes: [] } });
  expect(previewed).toMatchObject([{ file: 'new-flow.flow.yaml', text: file?.text }]);
  const talk = window.stores.assistant.getState().talkOf('new-flow.flow.yaml');
  expect(talk).toMatchObject({ unsent: 'Sort my mails', isConfirming: true, sent: { data: 'The data' } });
  expect([created, window.engine.calls.includes('writeFile')]).toEqual([[], false]);
});

test('without a model, a description leads to the settings', async () => {
  problems = [{ model: null, code: 'model.missing', message: 'No model is set.' }];
  await act(() => window.stores.models.getState().refresh());
  act(() => window.stores.workspace.setState({ folder: '/w' }));
  await choose('A description');
  await window.until(() => expect(dialog()?.textContent).toContain('No model is set.'));
  expect(dialog()?.querySelector('textarea')).toBeNull();
  await choose('Set up a model…');
  expect(window.stores.preferences.getState().tab).toBe('models');
});
