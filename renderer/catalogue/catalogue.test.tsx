import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { useSettledFlow } from '../stores/use-flow.ts';
import { CatalogueCanvas } from './catalogue-canvas.tsx';
import { CatalogueInspector } from './catalogue-inspector.tsx';

const path = 'desk.dialogue.yaml';
const desk = `name: Desk   # ours
intents:
  Read: {}
  Change: { hooks: { check: { script: check.lua } } }
flows:
  - name: find_order
    intent: Read
    description: Finds an order.
    slots:
      number: { type: exact, priority: required }   # two letters
    policy: { flow: flows/find.flow.yaml }
  - name: refund
    intent: Change
    description: Pays money back.
    policy: { builtin: chat }
    fallback: find_order
`;

let window: TestWindow;
let element: HTMLElement;
let opened: string[];

function Both() {
  const file = useSettledFlow(path);
  return file === undefined ? null : (
    <>
      <CatalogueCanvas file={file} bar={null} openFile={(named) => opened.push(named)} />
      <CatalogueInspector file={file} />
    </>
  );
}

async function show(text: string): Promise<void> {
  opened = [];
  window = openTestWindow({
    readFile: () => ({ text, isWritable: true }),
    readFlow: () => ({ text: 'flow: { name: Find }\nnodes: []\n' }),
    readModelSettings: () => ({ file: '', providers: [], defaultModel: 'a::b', aliases: {} }),
    readTrust: () => ({ isTrusted: true }),
    findFiles: () => ({ paths: [], isCut: false }),
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path, 'dialogue');
  element = window.draw(<Both />);
  await window.until(() => expect(file()?.status).toBe('ready'));
  await window.settle();
}

beforeEach(() => show(desk));
afterEach(() => window.close());

const file = () => window.stores.openFiles.getState().files.get(path);
const card = (name: string) => element.querySelector<HTMLElement>(`[data-flow="${name}"]`);

function button(name: string): HTMLElement {
  const found = [...element.querySelectorAll<HTMLElement>('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent)?.startsWith(name) === true,
  );
  if (found === undefined) throw new Error(`No button ${name}`);
  return found;
}

function input(label: string): HTMLInputElement {
  const found = [...element.querySelectorAll('label')].find((one) => one.textContent?.trim() === label);
  return element.querySelector<HTMLInputElement>(`[id="${found?.htmlFor}"]`)!;
}

async function type(field: HTMLInputElement, value: string): Promise<void> {
  act(() => {
    field.focus();
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await press(field, 'Enter');
}

async function press(target: HTMLElement, key: string): Promise<void> {
  act(() => void target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));
  await window.settle();
}

async function click(target: HTMLElement | null): Promise<void> {
  act(() => target?.click());
  await window.settle();
}

test('intents, flows and policies are drawn with what each needs', () => {
  const lanes = [...element.querySelectorAll('.catalogue-lane')].map((lane) => lane.getAttribute('aria-label'));
  expect(lanes).toEqual(['Intent Read', 'Intent Change']);
  expect(element.textContent).toContain('hooks: check');
  expect(card('find_order')?.textContent).toContain('number, required');
  expect(card('refund')?.textContent).toContain('falls back to find_order');
});

test('a flow is added, renamed by keyboard and removed again, and undo leads back to the first byte', async () => {
  await click(button('Add a flow to Read'));
  await window.until(() => expect(card('new_flow')).not.toBeNull());
  expect(file()?.text).toContain('  - name: new_flow\n    intent: Read\n');
  await press(card('new_flow')!, 'F2');
  await type(element.querySelector<HTMLInputElement>('.name-field')!, 'summarise');
  await window.until(() => expect(card('summarise')?.getAttribute('aria-pressed')).toBe('true'));
  await press(card('find_order')!, 'Delete');
  await window.until(() => expect(card('find_order')).toBeNull());
  expect(file()?.text).not.toContain('fallback');
  expect(file()?.diagnostics).toEqual([]);
  for (let step = 0; step < 3; step += 1) act(() => window.stores.edits.undo(path));
  await window.until(() => expect(file()?.text).toBe(desk));
  expect(file()?.isDirty).toBe(false);
});

test('a slot is renamed, another one added, and comments stay', async () => {
  await click(card('find_order'));
  await click(button('number'));
  await type(input('Slot name'), 'order');
  await window.until(() =>
    expect(file()?.text).toContain('order: { type: exact, priority: required }   # two letters'),
  );
  await click(button('Add a slot'));
  await window.until(() => expect(file()?.text).toContain('\n      value: { type: exact, priority: required }\n'));
  await click(button('Remove the slot value'));
  await window.until(() => expect(file()?.text).not.toContain('value:'));
});

test('a name that is taken is refused at its field, and nothing is written', async () => {
  await click(card('refund'));
  await type(input('Name'), 'find_order');
  expect(element.querySelector('.field-problem')?.textContent).toBe('find_order is there already.');
  expect(file()?.text).toBe(desk);
});

test('an intent is renamed with its flows, and one without flows can go', async () => {
  await click(button('Read'));
  await type(input('Name'), 'Look');
  await window.until(() => expect(file()?.text).toContain('    intent: Look\n'));
  await click(button('Add an intent'));
  await window.until(() => expect(file()?.text).toContain('  Intent: {}\n'));
  await click(button('Remove the intent'));
  await window.until(() => expect(file()?.text).not.toContain('Intent: {}'));
});

test('a policy leads to its file', async () => {
  await click(button('flows/find.flow.yaml'));
  await window.until(() => expect(window.stores.openFiles.getState().activePath).toBe('flows/find.flow.yaml'));
});

test('a text that is no catalogue keeps the last drawing and locks it; one that never was says what to do', async () => {
  act(() => window.stores.edits.replace(path, desk.replace('\nflows:', '\nflowz:'), 'Break'));
  await window.until(() => expect(file()?.isDocStale).toBe(true));
  expect(card('refund')).not.toBeNull();
  expect(element.textContent).not.toContain('Add an intent');
  expect(file()?.diagnostics.length).toBeGreaterThan(0);
  window.close();
  await show('flows: []\n');
  expect(element.textContent).toContain('The catalogue cannot be drawn yet');
});

test('an error stands on the card of its flow', async () => {
  act(() => window.stores.edits.replace(path, desk.replace('fallback: find_order', 'fallback: fnd_order'), 'Break'));
  await window.until(() => expect(card('refund')?.querySelector('[aria-label="has errors"]')).not.toBeNull());
  expect(card('find_order')?.querySelector('[aria-label="has errors"]')).toBeNull();
});
