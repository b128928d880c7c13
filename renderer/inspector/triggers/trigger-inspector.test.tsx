import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ListedTrigger } from '../../stores/workspace/triggers.ts';
import { choose, element, field, path, show, type, window } from '../testing/test-inspector.tsx';
import { linesOf } from './trigger-inspector.tsx';

const text = `# Mail.
flow:
  name: Mail
  inputs:
    since: { type: string, required: true }
  triggers:
    - id: weekdays # every working day
      schedule: { cron: "30 7 * * 1-5", timezone: Europe/Berlin }
      inputs: { since: "{{event.previousAt}}" }
    - { id: hook, webhook: { path: shop, secret: "{{secret.SHOP}}" } }
nodes:
  - { id: read, type: echo, input: { text: "{{flow.input.since}}" } }
edges: []
`;

const key = '2026-11-27T06:30:00.000Z';
const event = { flow: path, trigger: 'weekdays', key, priority: 0, createdAt: Date.parse(key) };
const refused = { ...event, id: 7, state: 'refused' } as const;
const doc = { id: 'weekdays', schedule: { cron: '30 7 * * 1-5', timezone: 'Europe/Berlin' } };

let again: number[];
/** Why the trigger cannot start the flow. */
let problem: string | undefined;
beforeEach(async () => {
  again = [];
  problem = undefined;
  await show(
    null,
    {},
    {
      readFlow: () => ({ text }),
      listTriggers: () => [
        { flow: path, trigger: 'weekdays', doc, hash: 'h', state: 'on', ...(problem === undefined ? {} : { problem }) },
      ],
      listFirings: () => [{ ...refused, reason: 'The flow has no "since".' }],
      fireAgain: (id) => {
        again.push(id);
        return { ...refused, id: 8, state: 'waiting' };
      },
    },
  );
  await select('weekdays');
});
afterEach(() => window.close());

async function select(id: string): Promise<void> {
  act(() => window.stores.selection.getState().choose(path, { triggers: [id] }, null));
  await window.until(() => expect(element.querySelector('.inspector-name')?.textContent).toBe(id));
}

function textNow(): string {
  return window.stores.openFiles.getState().files.get(path)?.text ?? '';
}

function button(name: string): HTMLElement {
  const all = [...element.querySelectorAll<HTMLElement>('button')];
  const found = all.find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name);
  if (found === undefined) throw new Error(`No button ${name}`);
  return found;
}

async function press(name: string): Promise<void> {
  await act(async () => button(name).click());
  await window.settle();
}

async function openTab(name: string): Promise<void> {
  const tab = [...element.querySelectorAll<HTMLElement>('[role="tab"]')].find((one) =>
    one.textContent?.startsWith(name),
  );
  await act(async () => tab?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, button: 0 })));
  await window.settle();
}

test('weekdays and the time are edited as such, and only the expression changes in the file', async () => {
  expect(button('Friday').getAttribute('aria-pressed')).toBe('true');
  await press('Friday');
  expect(textNow()).toBe(text.replace('1-5', '1-4'));
  type('At', '9:05');
  await window.settle();
  expect(textNow()).toBe(text.replace('30 7 * * 1-5', '5 9 * * 1-4'));
  type('At', '25:00');
  await window.settle();
  expect(textNow()).toContain('5 9 * * 1-4');
  expect(element.textContent).toContain('Use hours and minutes, such as 07:30.');
});

test('another kind of schedule keeps the time, and the last weekday stays', async () => {
  await press('Daily');
  expect(textNow()).toContain('cron: "30 7 * * *"');
  await press('Every…');
  expect(textNow()).toMatch(/schedule:\s+every: 1h\n/);
  await press('Weekly');
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) await press(day);
  expect(textNow()).toMatch(/0 9 \* \* 5\W/);
});

test('a cron expression with a mistake is written and shows its problem at the field', async () => {
  await press('Cron');
  expect(textNow()).toBe(text);
  const cron = [...element.querySelectorAll('input')].find(({ value }) => value === '30 7 * * 1-5');
  const label = element.querySelector(`label[for="${cron?.id}"]`)?.textContent ?? '';
  type(label, '30 7 * * 8');
  await window.settle();
  expect(textNow()).toContain('30 7 * * 8');
  expect(element.querySelector('.field-problem')?.textContent).toContain('8');
});

test('a trigger of a flow with problems waits, and says why if they are elsewhere', async () => {
  problem = 'List them with a command.';
  window.engine.push('watchFlows', []);
  await window.until(() => expect(element.textContent).toContain('List them with a command.'));
  await act(async () => window.stores.edits.change(path, { do: 'set-node', id: 'read', path: ['type'], value: 'no' }));
  await window.until(() => expect(element.textContent).toContain('Its triggers wait until the problems are fixed.'));
  expect(element.textContent).not.toContain('List them with a command.');
});

test('settings that are the default are not written', async () => {
  await choose('If still running', 'Wait');
  expect(textNow()).toContain('overlap: queue');
  await choose('If still running', 'Skip');
  expect(textNow()).not.toContain('overlap');
  type('BudgetUSD a run', '0.10');
  await window.settle();
  expect(textNow()).toContain('usd: 0.1');
  type('BudgetUSD a run', '');
  await window.settle();
  expect(textNow()).not.toContain('budget');
});

test('what a request or another flow starts waits by default, and all that was missed is started', async () => {
  await choose('Starts the flow', 'Request');
  await choose('If still running', 'Skip');
  expect(textNow()).toContain('overlap: skip');
  await choose('If still running', 'Wait');
  expect(textNow()).not.toContain('overlap');
  await choose('Starts the flow', 'Flow');
  await choose('If missed', 'Run once');
  expect(textNow()).toContain('missed: once');
  await choose('If missed', 'Run all');
  expect(textNow()).not.toContain('missed');
  await choose('Starts the flow', 'Files');
  expect(element.textContent).not.toContain('If missed');
});

test('inputs read the event, and a missing one is a problem of its field', async () => {
  expect(field('since').value).toBe('{{event.previousAt}}');
  type('since', '');
  act(() => field('since').blur());
  await window.settle();
  expect(textNow()).not.toContain('inputs: { since: "');
  await window.until(() => expect(element.querySelector('.field-problem')?.textContent).toContain('since'));
  type('since', '{{event.dueAt}}');
  act(() => field('since').blur());
  await window.settle();
  expect(textNow()).toContain('since: "{{event.dueAt}}"');
});

test('the next five times and what happened last week are shown', () => {
  const [next] = element.querySelectorAll('.trigger-times');
  expect(next?.children).toHaveLength(5);
  expect(next?.textContent).toContain('07:30');
  expect(element.textContent).toContain('millrace serve');
});

test('firings show why they started nothing, and one can be started again', async () => {
  await openTab('Firings');
  expect(element.querySelector('.trigger-firings')?.textContent).toContain('refusedThe flow has no "since".');
  await act(async () => element.querySelector<HTMLElement>('.trigger-firing .button')?.click());
  await window.settle();
  expect(again).toEqual([7]);
});

test('a path that an address cannot have is not written, and the secret is only a name', async () => {
  await select('hook');
  type('Path', 'shop event');
  await window.settle();
  expect(textNow()).toBe(text);
  type('Path', 'shop-event');
  await window.settle();
  await choose('Protected by', 'Stripe signature');
  expect(textNow()).toContain('webhook: { path: shop-event, signature: { style: stripe, secret: "{{secret.SHOP}}" } }');
  await choose('Starts the flow', 'Files');
  expect(textNow()).toMatch(/id: hook, files: \{ glob: inbox\/\*, "on": \[created\], debounce: 2s \} \}/);
});

test('the lines of a trigger are found in its file', () => {
  expect(linesOf(text, 'weekdays')).toEqual({ first: 7, text: text.split('\n').slice(6, 9).join('\n') });
  expect(linesOf(text, 'hook')?.first).toBe(10);
  expect(linesOf(text, 'read')?.first).toBe(12);
  expect(linesOf(text, 'none')).toBeNull();
});

test('a time that is typed right after a click on a weekday keeps the weekday', async () => {
  // The text has not been parsed again when the second change is made.
  act(() => button('Friday').click());
  type('At', '9:05');
  await window.settle();
  expect(textNow()).toBe(text.replace('30 7 * * 1-5', '5 9 * * 1-4'));
});

test('in a workspace that is not trusted, the switch is locked, and the note leads to the trust setting', async () => {
  window.close();
  const entry: ListedTrigger = {
    flow: path,
    trigger: 'weekdays',
    doc,
    hash: 'h',
    state: 'off',
    problem: 'Not trusted.',
    needsTrust: true,
  };
  await show(null, {}, { readFlow: () => ({ text }), listTriggers: () => [entry], listFirings: () => [] });
  await select('weekdays');
  expect(element.querySelector<HTMLButtonElement>('[role="switch"]')?.disabled).toBe(true);
  expect(element.querySelector('.trigger-note')?.textContent).toContain("you don't trust this one");
  await press('Trust this workspace…');
  expect(window.stores.preferences.getState().tab).toBe('trust');
});
