import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { useOpenFile } from '../../stores/use-flow.ts';
import { typeInto } from '../../ui/testing/type-into.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { RunInputsDialog } from './run-inputs-dialog.tsx';

const path = 'a.flow.yaml';
const text = 'flow: { name: One, input: { who: me, count: 3 } }\nnodes: []\nedges: []\n';

function Shown() {
  const flow = useOpenFile(path);
  return flow === undefined ? null : <RunInputsDialog flow={flow} />;
}

let window: TestWindow;
let sent: unknown[];
afterEach(() => window.close());

async function openDialog(): Promise<void> {
  sent = [];
  window = openTestWindow({
    readFlow: () => ({ text }),
    startRun: ({ inputs }) => {
      sent.push(inputs);
      return { runId: 'r1' };
    },
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  window.draw(<Shown />);
  await window.settle();
  act(() => window.context.dialogs.getState().show('run-inputs'));
  await window.settle();
}

function field(index: number): HTMLInputElement {
  const input = document.querySelectorAll<HTMLInputElement>('[role="dialog"] input')[index];
  if (input === undefined) throw new Error(`The dialog has no field ${index}`);
  return input;
}

function type(input: HTMLInputElement, value: string): void {
  act(() => typeInto(input, value));
}

async function submit(): Promise<void> {
  act(() => document.querySelector('form')?.requestSubmit());
  await window.settle();
}

test.each([
  ['Ctrl', { ctrlKey: true }],
  ['Cmd', { metaKey: true }],
])('%s+Enter runs from any field', async (_, modifier) => {
  await openDialog();
  const press = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...modifier });
  act(() => field(1).dispatchEvent(press));
  await window.settle();
  expect(sent).toEqual([{ who: 'me', count: 3 }]);
});

test('the fields contain the defaults, the first has the focus, and submitting runs the flow', async () => {
  await openDialog();
  expect([field(0).value, field(1).value, document.activeElement === field(0)]).toEqual(['me', '3', true]);
  type(field(0), 'you');
  await submit();
  expect(sent).toEqual([{ who: 'you', count: 3 }]);
  expect(document.querySelector('[role="dialog"]')).toBeNull();
});

test('a value of the wrong type is reported at its field, and nothing is sent', async () => {
  await openDialog();
  type(field(1), 'many');
  await submit();
  expect(sent).toEqual([]);
  expect(field(1).getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(field(1).getAttribute('aria-describedby') ?? '')?.textContent).toContain('number');
});

test('the entered values are restored the next time', async () => {
  await openDialog();
  type(field(0), 'you');
  await submit();
  act(() => window.context.dialogs.getState().show('run-inputs'));
  await window.settle();
  expect(field(0).value).toBe('you');
});

const autonomyText = (level: string): string =>
  `flow: { name: One, input: { who: me }${level === '' ? '' : `, policy: { autonomy: ${level} }`} }\nnodes: []\nedges: []\n`;

/**
 * Returns the levels that the dialog offers for a flow of this level, and what is sent after the last one is selected.
 */
async function dialOf(level: string): Promise<{ readonly offered: readonly string[]; readonly started: unknown[] }> {
  const started: unknown[] = [];
  window = openTestWindow({
    readFlow: () => ({ text: autonomyText(level) }),
    startRun: ({ autonomy }) => {
      started.push(autonomy ?? 'as declared');
      return { runId: 'r1' };
    },
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  window.draw(<Shown />);
  await window.settle();
  act(() => window.context.dialogs.getState().show('run-inputs'));
  await window.settle();
  const dial = document.querySelector<HTMLButtonElement>('[role="combobox"]');
  if (dial === null) {
    await submit();
    return { offered: [], started };
  }
  act(() => dial.focus());
  act(() => dial.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
  await window.settle();
  const options = [...document.querySelectorAll<HTMLElement>('[role="option"]')];
  const offered = options.map(({ textContent }) => textContent ?? '');
  act(() => options.at(-1)?.focus());
  act(() => options.at(-1)?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
  await window.settle();
  await submit();
  return { offered, started };
}

test.each([
  ['', ['As declared: no level', 'Suggest only', 'Semi-auto'], 'semi_auto'],
  ['full_auto', ['As declared: Full auto', 'Suggest only', 'Semi-auto'], 'semi_auto'],
  ['semi_auto', ['As declared: Semi-auto', 'Suggest only'], 'suggest_only'],
  ['suggest_only', [], 'as declared'],
])('a flow with level "%s" offers only lower levels', async (level, names, sentLevel) => {
  const { offered, started } = await dialOf(level);
  expect(offered.map((text) => names.find((name) => text.startsWith(name)))).toEqual(names);
  expect(started).toEqual([sentLevel]);
});
