import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { useSettledFlow } from '../stores/use-flow.ts';
import { typeInto } from '../ui/testing/type-into.ts';
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
      <CatalogueCanvas file={file} bar={() => null} openFile={(named) => opened.push(named)} />
      <CatalogueInspector file={file} />
    </>
  );
}

/** Null if the files cannot be listed. */
let files: readonly string[] | null;

async function show(text: string): Promise<void> {
  opened = [];
  files = ['check.lua', 'hooks/greet.js', 'notes.md'];
  window = openTestWindow({
    readFile: () => ({ text, isWritable: true }),
    readFlow: () => ({ text: 'flow: { name: Find }\nnodes: []\n' }),
    readModelSettings: () => ({ file: '', providers: [], defaultModel: 'a::b', aliases: {} }),
    readTrust: () => ({ isTrusted: true }),
    findFiles: () => {
      if (files === null) throw new EngineError({ code: 'files.unreadable', message: 'The disk is gone.' });
      return { paths: files, isCut: false };
    },
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path, 'dialogue');
  element = window.draw(<Both />);
  await window.until(() => expect(file()?.status).toBe('ready'));
  await window.settle();
}

beforeEach(() => show(desk));
afterEach(() => {
  window.close();
  localStorage.clear();
});

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
  const selector = found === undefined ? `[aria-label="${label}"]` : `[id="${found.htmlFor}"]`;
  return element.querySelector<HTMLInputElement>(selector)!;
}

async function type(field: HTMLInputElement, value: string): Promise<void> {
  act(() => {
    field.focus();
    typeInto(field, value);
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

test('intents, flows and policies are drawn with their requirements', () => {
  const lanes = [...element.querySelectorAll('.catalogue-lane')].map((lane) => lane.getAttribute('aria-label'));
  expect(lanes).toEqual(['Intent Read', 'Intent Change']);
  expect(element.textContent).toContain('hooks: check');
  expect(card('find_order')?.textContent).toContain('number, required');
  expect(card('refund')?.textContent).toContain('falls back to find_order');
});

test('a flow is added, renamed by keyboard and removed again, and undo restores the original bytes', async () => {
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

test('renames a slot, adds another, and keeps comments', async () => {
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

test('13.12 a flow that is answered at once has a label on its card, and the question of a slot is edited in its form', async () => {
  window.close();
  await show(desk.replace('    policy: { flow', '    aside: true\n    policy: { flow'));
  expect(card('find_order')?.textContent).toContain('answered at once');
  expect(card('refund')?.textContent).not.toContain('answered at once');
  await click(card('find_order'));
  expect(element.textContent).toContain('Answer at once');
  await click(button('number'));
  await type(input('Question'), 'Which order?');
  await window.until(() => expect(file()?.text).toContain('question: Which order?'));
  expect(file()?.diagnostics).toEqual([]);
});

test('a name that is taken is rejected at its field, and nothing is written', async () => {
  await click(card('refund'));
  await type(input('Name'), 'find_order');
  expect(element.querySelector('.field-problem')?.textContent).toBe('find_order already exists.');
  expect(file()?.text).toBe(desk);
});

test('an intent is renamed together with its flows, and an intent without flows can be removed', async () => {
  await click(button('Read'));
  await type(input('Name'), 'Look');
  await window.until(() => expect(file()?.text).toContain('    intent: Look\n'));
  await click(button('Add an intent'));
  await window.until(() => expect(file()?.text).toContain('  Intent: {}\n'));
  await click(button('Remove the intent'));
  await window.until(() => expect(file()?.text).not.toContain('Intent: {}'));
});

test('a policy links to its file', async () => {
  await click(button('flows/find.flow.yaml'));
  await window.until(() => expect(window.stores.openFiles.getState().activePath).toBe('flows/find.flow.yaml'));
});

test('an invalid text keeps the last drawing and locks it; a text that was never valid explains what to do', async () => {
  act(() => window.stores.edits.replace(path, desk.replace('\nflows:', '\nflowz:'), 'Break'));
  await window.until(() => expect(file()?.isDocStale).toBe(true));
  expect(card('refund')).not.toBeNull();
  expect(element.textContent).not.toContain('Add an intent');
  expect(file()?.diagnostics.length).toBeGreaterThan(0);
  window.close();
  await show('flows: []\n');
  expect(element.textContent).toContain('The catalog cannot be drawn yet');
});

/** Selects an option in a list by keyboard. */
async function choose(label: string, option: string): Promise<void> {
  await press(input(label), 'Enter');
  const found = [...document.querySelectorAll<HTMLElement>('[role="option"]')].find(
    (one) => one.querySelector('.menu-text, span')?.textContent === option || one.textContent?.startsWith(option),
  );
  if (found === undefined) throw new Error(`No option ${option}`);
  await press(found, 'Enter');
}

const problems = () => [...element.querySelectorAll('.field-problem')].map((one) => one.textContent);

test('an optional slot gets a default, and a default of the wrong type is reported at its field', async () => {
  window.close();
  await show(desk.replace('priority: required', 'priority: optional'));
  await click(card('find_order'));
  await click(button('number'));
  await choose('Type', 'level');
  await window.until(() =>
    expect(file()?.text).toContain('number: { type: level, priority: optional }   # two letters'),
  );
  await type(input('Default'), '7');
  await window.until(() => expect(file()?.text).toContain('priority: optional, default: 7 }'));
  await type(input('Threshold'), '9');
  await window.until(() => expect(problems()).toEqual(['default does not fill the slot.']));
  act(() => window.stores.edits.undo(path));
  await window.until(() => expect(problems()).toEqual([]));
});

test('options are added one after the other, and only named options are written to the file', async () => {
  await click(card('find_order'));
  await click(button('number'));
  await choose('Type', 'category');
  await window.until(() =>
    expect(problems()).toEqual(['A slot of type category needs 2 to 8 options: write options: [one, two].']),
  );
  for (const option of ['small', 'large']) {
    await click(button('Add to options'));
    await type(input(option === 'small' ? 'Option 1' : 'Option 2'), option);
  }
  await window.until(() => expect(file()?.text).toContain('options: [small, large]'));
  expect(problems()).toEqual([]);
  await click(button('Add to options'));
  expect(input('Option 3').value).toBe('');
  expect(file()?.isDocStale).toBe(false);
});

test('a value that would make the catalog invalid is rejected at its field and stays there to be corrected', async () => {
  await click(card('find_order'));
  await type(input('Name'), 'find_order');
  await click(button('Add to examples'));
  await type(input('Example 1'), 'x'.repeat(501));
  await window.until(() => expect(problems()[0]).toContain('must have at most 500 characters'));
  expect(file()?.text).toBe(desk);
  expect(window.stores.notices.getState().list.map(({ title }) => title)).not.toContain("Couldn't change the catalog");
  await type(input('Example 1'), 'where is it');
  await window.until(() => expect(file()?.text).toContain('examples: [where is it]'));
  expect(problems()).toEqual([]);
});

test('hooks are selected from the scripts of the workspace, and removed together with their intent', async () => {
  await click(button('Read'));
  await click(button('start'));
  act(() => input('Script').focus());
  await press(input('Script'), 'ArrowDown');
  const offered = [...element.querySelectorAll('[role="option"]')].map((one) => one.textContent);
  expect(offered).toEqual(['check.lua', 'hooks/greet.js']);
  await type(input('Script'), 'hooks/greet.js');
  await window.until(() => expect(file()?.text).toContain('  Read: { hooks: { start: { script: hooks/greet.js } } }'));
  await choose('start', 'Nothing');
  await window.until(() => expect(file()?.text).toBe(desk));
});

test('an error while listing files is shown in place of the list, with a way to try again', async () => {
  await click(button('Read'));
  await click(button('start'));
  files = null;
  act(() => input('Script').focus());
  await window.until(() => expect(problems()[0]).toContain("Couldn't list the files: The disk is gone."));
  files = ['check.lua'];
  await click(button('Try again'));
  await window.until(() => expect(problems()).toEqual([]));
});

test('a slot type is added, renamed with its uses, and cannot be removed while a slot uses it', async () => {
  await click(button('Slot types'));
  await click(button('Add a type'));
  await window.until(() => expect(file()?.text).toContain('slotTypes:\n  own_type: { base: exact }\n'));
  await type(input('Type name'), 'order_id');
  await window.until(() => expect(file()?.text).toContain('  order_id: { base: exact }\n'));
  await click(card('find_order'));
  await click(button('number'));
  await choose('Type', 'order_id');
  await window.until(() =>
    expect(file()?.text).toContain('number: { type: order_id, priority: required }   # two letters'),
  );
  act(() => window.stores.selection.getState().selectNode(path, null));
  await window.settle();
  await click(button('order_id'));
  expect(element.textContent).toContain('Used by find_order.number');
  expect(() => button('Remove the type order_id')).toThrow();
});

test('settings of plans and dependencies of housekeeping flows are under More and beside the turn settings', async () => {
  const more = `  - { name: tidy, intent: Internal, policy: { builtin: summary } }\n  - { name: sweep, intent: Internal, policy: { builtin: memory_cleanup } }\n`;
  window.close();
  await show(desk.replace('intent: Change\n', 'intent: Plan\n') + more);
  await click(card('refund'));
  await click(button('More'));
  await choose('Compare plans', 'always');
  await window.until(() => expect(file()?.text).toContain('lats: { when: always }'));
  await click(card('tidy'));
  await choose('Add to waits for', 'sweep');
  await window.until(() => expect(file()?.text).toContain('dependsOn: [sweep]'));
  expect(file()?.diagnostics).toEqual([]);
  await click(card('sweep'));
  await press(input('Add to waits for'), 'Enter');
  expect(document.querySelector('[role="option"]')?.textContent).toContain('It waits for this flow.');
  await press(document.querySelector<HTMLElement>('[role="option"]')!, 'Escape');
});

test('an error is shown on the card of its flow', async () => {
  act(() => window.stores.edits.replace(path, desk.replace('fallback: find_order', 'fallback: fnd_order'), 'Break'));
  await window.until(() => expect(card('refund')?.querySelector('[aria-label="has errors"]')).not.toBeNull());
  expect(card('find_order')?.querySelector('[aria-label="has errors"]')).toBeNull();
});
