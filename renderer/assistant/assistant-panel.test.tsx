import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { EngineArgs, EngineResult } from '../bridge/engine-client.ts';
import { AssistantPanel } from './assistant-panel.tsx';

const path = 'a.flow.yaml';
const flow = `flow: { name: One }
nodes:
  - { id: a, type: echo, input: { text: hi } }
edges: []
`;
const proposed = flow.replace('text: hi', 'text: hello');
const summary = {
  id: 'p1',
  file: path,
  title: 'Be polite',
  by: 'Ask Millrace',
  at: 1,
  baseHash: 'b',
  status: 'pending',
};
const context = { model: 'p::tiny', isPriced: true, instructions: 'Help.', data: '<data name="open flow">' };

let window: TestWindow;
let asked: EngineArgs<'assist'>[0][];
let answer: () => Promise<EngineResult<'assist'>>;
let sent: EngineResult<'previewAssistance'>;

beforeEach(async () => {
  localStorage.clear();
  asked = [];
  sent = context;
  answer = async () => ({ text: 'Says `hello` now.', proposal: summary as never, tokens: 30, costUsd: 0.021 });
  window = openWindow();
  window.engine.connect();
  await act(() => window.stores.openFiles.getState().open(path));
});

afterEach(() => {
  window.close();
  localStorage.clear();
});

function openWindow(): TestWindow {
  return openTestWindow({
    listFlows: () => [],
    readNotices: () => [],
    readFlow: () => ({ text: flow }),
    previewAssistance: () => sent,
    assist: (request) => {
      asked.push(request);
      return answer();
    },
    renameFile: () => undefined,
    listFolder: () => ({ entries: [], isCut: false }),
    readProposal: () => ({ ...summary, version: 1, base: flow, text: proposed }) as never,
  });
}

function field(panel: HTMLElement): HTMLTextAreaElement {
  const found = panel.querySelector('textarea');
  if (found === null) throw new Error('There is no field.');
  return found;
}

async function type(panel: HTMLElement, message: string): Promise<void> {
  await act(async () => window.stores.assistant.getState().type(path, message));
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
  await act(async () => void field(panel).dispatchEvent(enter));
}

function button(panel: HTMLElement, name: string): HTMLButtonElement {
  const found = [...panel.querySelectorAll('button')].find(
    (one) => one.textContent === name || one.getAttribute('aria-label') === name,
  );
  if (found === undefined) throw new Error(`There is no button ${name}.`);
  return found;
}

test('13.7 shows what is sent before the first message, and opens the proposal as a review', async () => {
  const panel = window.draw(<AssistantPanel path={path} setUp={null} />);
  await type(panel, 'Be polite');
  await window.until(() => expect(panel.textContent).toContain('<data name="open flow">'));
  expect(panel.textContent).toContain('p::tiny');
  expect(asked).toEqual([]);
  expect(document.activeElement?.textContent).toBe('Send');
  await act(async () => button(panel, 'Send').click());
  await window.until(() => expect(panel.textContent).toContain('$0.021 of $0.25'));
  expect(asked).toMatchObject([{ file: path, text: flow, message: 'Be polite', budget: { usd: 0.25 } }]);
  await window.until(() => expect(window.stores.reviews.getState().reviews.get(path)?.title).toBe('Be polite'));
  expect(window.stores.openFiles.getState().files.get(path)?.text).toBe(flow);
  expect(button(panel, 'Review: Be polite').disabled).toBe(false);
});

test('streams the answer, sends the conversation with the next message, and cancels', async () => {
  const panel = window.draw(<AssistantPanel path={path} setUp={null} />);
  answer = async () => ({ text: 'Because.', tokens: 5 });
  await type(panel, 'Why?');
  await window.until(() => expect(panel.querySelector('.assistant-decision')).not.toBeNull());
  await act(async () => button(panel, 'Send').click());
  await window.until(() => expect(panel.textContent).toContain('Because.'));
  answer = () => new Promise(() => undefined);
  sent = { ...context, data: '<data name="problems">\nNone' };
  await type(panel, 'And now?');
  await window.until(() => expect(asked).toHaveLength(2));
  expect(asked.map(({ seen }) => seen)).toEqual([context.data, sent.data]);
  expect([...panel.querySelectorAll('.assistant-asked pre')].map(({ textContent }) => textContent)).toEqual([
    context.data,
    sent.data,
  ]);
  expect(panel.querySelectorAll('.assistant-asked details')[1]?.textContent).toContain('Contains: problems.');
  expect(asked[1]?.earlier).toEqual([
    { by: 'person', text: 'Why?' },
    { by: 'assistant', text: 'Because.' },
  ]);
  const id = asked[1]?.id ?? '';
  await act(async () => {
    window.engine.push('watchAssistance', { id, type: 'tool', tool: 'read_flow' });
    window.engine.push('watchAssistance', { id, type: 'text', text: 'It is ' });
    window.engine.push('watchAssistance', { id, type: 'text', text: 'so' });
  });
  await window.until(() => expect(panel.textContent).toContain('It is so'));
  expect(panel.textContent).toContain('Reads a flow');
  await act(async () => button(panel, 'Cancel').click());
  await window.until(() => expect(panel.textContent).toContain('Canceled.'));
});

test('names of nodes in an answer are links, and any other name is not', async () => {
  const panel = window.draw(<AssistantPanel path={path} setUp={null} />);
  answer = async () => ({ text: '`a` says hi. `gone` does not exist. [a](https://evil.example)', tokens: 5 });
  act(() => window.stores.assistant.getState().explain(path, 'Explain this flow', [['One.']]));
  await type(panel, 'Explain');
  await window.until(() => expect(panel.querySelector('.assistant-decision')).not.toBeNull());
  await act(async () => button(panel, 'Send').click());
  await window.until(() => expect(panel.querySelector('.assistant-node')).not.toBeNull());
  expect([...panel.querySelectorAll('.assistant-node, .markdown-text code')].map((one) => one.outerHTML)).toEqual([
    '<button type="button" class="assistant-node" title="a">a</button>',
    '<code>gone</code>',
  ]);
  expect(panel.querySelector('a')).toBeNull();
  await act(async () => button(panel, 'a').click());
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('a');
  // Facts are in no request.
  await type(panel, 'And now?');
  await window.until(() => expect(asked).toHaveLength(2));
  expect(asked[1]?.earlier?.map(({ text }) => text)).toEqual(['Explain', expect.stringContaining('says hi')]);
});

test('keeps the conversation in the window until the person deletes it', async () => {
  let panel = window.draw(<AssistantPanel path={path} setUp={null} />);
  await type(panel, 'Be polite');
  await window.until(() => expect(panel.textContent).toContain('p::tiny'));
  await act(async () => button(panel, 'Send').click());
  await window.until(() => expect(panel.textContent).toContain('30 tokens'));
  window.close();
  window = openWindow();
  window.engine.connect();
  panel = window.draw(<AssistantPanel path={path} setUp={null} />);
  expect(panel.textContent).toContain('Be polite');
  await act(async () => button(panel, 'Delete this conversation').click());
  expect(panel.textContent).not.toContain('Be polite');
  expect(localStorage).toHaveLength(0);
});

test('data that has changed since it was shown is shown again, and nothing is lost', async () => {
  const panel = window.draw(<AssistantPanel path={path} setUp={null} />);
  await type(panel, 'Be polite');
  await window.until(() => expect(panel.textContent).toContain('<data name="open flow">'));
  sent = { ...context, data: '<data name="workspace">' };
  answer = async () => ({ text: '', problem: { code: 'assistant.changed', message: 'It changed.' }, tokens: 0 });
  await act(async () => button(panel, 'Send').click());
  await window.until(() => expect(panel.textContent).toContain('<data name="workspace">'));
  expect(window.stores.assistant.getState().talkOf(path)).toMatchObject({
    ...{ entries: [], unsent: 'Be polite', isConfirming: true, request: null },
  });
});

test('a renamed file keeps its conversation, also if it is not open', async () => {
  const { assistant } = window.stores;
  const facts = [['One.']];
  assistant.getState().explain(path, 'Explain this flow', facts);
  assistant.getState().explain('old/b.flow.yaml', 'Explain this flow', facts);
  window.close();
  window = openWindow();
  window.engine.connect();
  await act(() => window.stores.openFiles.getState().open(path));
  await act(async () => void (await window.stores.files.rename(path, 'c.flow.yaml')));
  await act(async () => void (await window.stores.files.rename('old', 'new')));
  const { talkOf } = window.stores.assistant.getState();
  const kept = ['c.flow.yaml', 'new/b.flow.yaml', path, 'old/b.flow.yaml'].map((file) => talkOf(file).entries.length);
  expect(kept).toEqual([1, 1, 0, 0]);
});

test('without a model, it says why and offers the settings', async () => {
  sent = { ...context, model: null, problem: { code: 'model.missing', message: 'No model is set.' } };
  const panel = window.draw(<AssistantPanel path={path} setUp={<button type="button">Set up a model…</button>} />);
  await type(panel, 'Be polite');
  await window.until(() => expect(panel.textContent).toContain('No model is set.'));
  expect(button(panel, 'Set up a model…').disabled).toBe(false);
  expect(panel.querySelector('.assistant-decision')).toBeNull();
  expect(asked).toEqual([]);
});
