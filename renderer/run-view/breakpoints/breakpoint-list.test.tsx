import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Breakpoint, EngineError } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { useSettledFlow } from '../../stores/use-flow.ts';
import { BreakpointList, SideBreakpoints } from './breakpoint-list.tsx';

const path = 'a.flow.yaml';
const text = `flow: { name: F }
nodes:
  - { id: mails, type: echo, input: { text: a } }
  - { id: each, type: control.foreach, input: { items: [1, 2, 3], body: [send] } }
  - { id: send, name: Sender, type: echo, input: { text: "{{mails.text}}" } }
edges: [{ from: mails, to: each }]
`;
let window: TestWindow;
let page: HTMLElement;

function Shown() {
  const flow = useSettledFlow(path);
  return flow === undefined ? null : (
    <>
      <BreakpointList flow={flow} />
      <SideBreakpoints path={path} />
    </>
  );
}

async function open(breakpoints: readonly Breakpoint[]): Promise<void> {
  window = openTestWindow(
    {
      readFlow: () => ({ text }),
      listRuns: () => [],
      setBreakpoints(_, list) {
        if (list.some(({ when = '' }) => when.endsWith('>')))
          throw new EngineError({ code: 'condition.invalid', message: 'The condition is not valid at the end.' });
      },
    },
    { 'breakpoints.read': () => ({ flows: { [path]: breakpoints } }) },
  );
  window.engine.connect();
  await window.stores.openFiles.getState().open(path);
  await window.settle();
  page = window.draw(<Shown />);
  await window.settle();
}

beforeEach(() =>
  open([{ node: 'send', when: 'mails.text is "a"', item: 2 }, { node: 'mails', isOff: true }, { node: 'gone' }]),
);
afterEach(() => window.close());

const rows = (list = 0) => [
  ...(page.querySelectorAll('.breakpoints')[list]?.querySelectorAll<HTMLElement>('.breakpoint') ?? []),
];
const listed = () => window.stores.breakpoints.getState().flows.get(path) ?? [];
async function press(key: string): Promise<void> {
  await act(async () => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  });
  await window.settle();
}
async function type(label: string, value: string): Promise<void> {
  const field = [...page.querySelectorAll('.field')].find((one) => one.querySelector('label')?.textContent === label);
  const input = field?.querySelector('input');
  if (input == null) throw new Error(`There is no field ${label}.`);
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
    input.setSelectionRange(value.length, value.length);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
const submit = async () => {
  await act(async () => page.querySelector('form')?.requestSubmit());
  await window.settle();
};

test('breakpoints are listed in the order of the file with what they depend on, in the dock and beside the runs', () => {
  const all = ['mailsoff', 'Senderif mails.text is "a", item 2', 'gonethe node no longer exists'];
  expect([rows(0), rows(1)].map((list) => list.map(({ textContent }) => textContent))).toEqual([all, all]);
  expect(rows()[1]?.getAttribute('aria-label')).toBe('Sender, breakpoint if mails.text is "a", item 2');
});

test('keys turn a breakpoint off and on, remove it, and lead to its node', async () => {
  act(() => rows()[1]?.focus());
  await press(' ');
  expect(listed().find(({ node }) => node === 'send')?.isOff).toBe(true);
  await press(' ');
  expect(listed().find(({ node }) => node === 'send')?.isOff).toBe(undefined);
  await act(async () => rows()[1]?.click());
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('send');
  act(() => rows()[1]?.focus());
  await press('Delete');
  expect(listed().map(({ node }) => node)).toEqual(['mails', 'gone']);
  expect(document.activeElement?.textContent).toContain('gone');
});

test('the condition is edited with completions, and one that the engine refuses stays in the form', async () => {
  act(() => rows()[1]?.focus());
  await press('F2');
  expect(window.stores.panes.getState().dockTab).toBe('breakpoints');
  await type('Stop if', 'ma');
  const offered = () => [...page.querySelectorAll('.suggestion-text')].map(({ textContent }) => textContent);
  expect(offered()).toContain('mails.text');
  await type('Stop if', 'mails.text is ma');
  expect(offered()).toEqual([]);
  await type('Stop if', 'not inp');
  expect(offered()).toEqual(['input.text']);
  await type('Stop if', 'mails.text >');
  await submit();
  expect(page.querySelector('.field-problem')?.textContent).toBe('The condition is not valid at the end.');
  await type('Stop if', 'mails.text is "b"');
  await type('Item', 'two');
  await submit();
  expect(page.querySelector('.field-problem')?.textContent).toBe('Enter the number of an item, from 1.');
  await type('Item', '3');
  await submit();
  expect(page.querySelector('form')).toBe(null);
  expect(listed()[0]).toEqual({ node: 'send', when: 'mails.text is "b"', item: 3 });
});

test('without breakpoints, the dock says how to set one', async () => {
  window.close();
  await open([]);
  expect(page.textContent).toContain('press F9');
  expect(page.querySelector('.side-breakpoints')).toBe(null);
});
