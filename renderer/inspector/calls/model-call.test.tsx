import { act, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { asRunId } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import type { ModelCall } from '../../stores/runs/live/model-calls.ts';
import { CallsTab } from './calls-tab.tsx';

let window: TestWindow;
afterEach(() => window.close());

const call: ModelCall = {
  seq: 1,
  runId: asRunId('r1'),
  taskId: 'node:a',
  place: 'a',
  callKey: 'k',
  model: 'p::m',
  messages: [
    { role: 'system', content: 'Be short' },
    { role: 'user', content: 'Hello' },
  ],
  thinking: 'They greet me',
  text: 'Good day',
  startedAt: 1000,
  firstAt: 1380,
  rate: undefined,
  end: {
    at: 2380,
    response: { durationMs: 1380, finishReason: 'stop', usage: { promptTokens: 1182, completionTokens: 31 } },
    problem: undefined,
  },
};

const streaming: ModelCall = {
  ...call,
  seq: 9,
  messages: [],
  thinking: '',
  text: 'So far',
  rate: { since: 0, characters: 0, tokensPerSecond: 41.7 },
  end: undefined,
};

const none = { endedCalls: [], openCalls: [], toolCalls: [], decisions: [], failedAttempts: [] };
const running = { status: 'running' } as NonNullable<Parameters<typeof CallsTab>[0]['nodeState']>;

function show(calls: Partial<Parameters<typeof CallsTab>[0]>): HTMLElement {
  window = openTestWindow({ listRuns: () => [], readEvents: () => [] });
  return window.draw(<CallsTab {...none} nodeState={running} {...calls} />);
}

function button(element: HTMLElement, label: string): HTMLButtonElement {
  const found = [...element.querySelectorAll<HTMLButtonElement>('.call-part-head')].find(
    ({ textContent }) => textContent?.startsWith(label) === true,
  );
  if (found === undefined) throw new Error(`No ${label}`);
  return found;
}

test('an ended call shows its parts, folded where they are rarely read, and its facts', () => {
  const element = show({ endedCalls: [call] });
  const heads = [...element.querySelectorAll('.call-part-head')].map((head) => [
    head.querySelector('.call-part-label')?.textContent,
    head.getAttribute('aria-expanded'),
  ]);
  expect(heads).toEqual([
    ['System', 'false'],
    ['User', 'true'],
    ['Thinking', 'false'],
    ['Response', 'true'],
  ]);
  expect(button(element, 'System').textContent).toContain('Be short');
  act(() => button(element, 'System').click());
  expect(element.querySelector('[aria-label="System"]')?.textContent).toContain('Be short');
  expect(element.querySelector('.model-call-facts')?.textContent).toBe(
    'first token after 0.3 s · 31 tokens/s · prompt 1,182 tokens · response 31 tokens',
  );
});

test('a streaming call shows its text so far and its speed; of long text, only the end', () => {
  const element = show({ openCalls: [{ ...streaming, text: `${'x'.repeat(30_000)} the end` }] });
  expect(element.querySelector('.model-call-state')?.textContent).toBe('streaming at 42 tokens/s');
  expect(element.querySelector('.stream-caret')).not.toBeNull();
  const shown = element.querySelector('.value-text')?.textContent ?? '';
  expect([shown.length, shown.endsWith('the end')]).toEqual([20_000, true]);
  expect(element.textContent).toContain('10,008 earlier characters');
});

test('calls of models and tools are in their order, with the attempt after a failed one', () => {
  const tool = { seq: 5, tool: 'files.read', attempts: 1, failedTries: [], endedAt: 5, isError: false } as never;
  const failed = { attempt: 1, at: 1500, delayMs: 5, error: { code: 'c', message: 'Gone' } };
  const again = { ...call, seq: 7, startedAt: 2000 };
  const element = show({ endedCalls: [call, again], toolCalls: [tool], failedAttempts: [failed] });
  const names = [...element.querySelectorAll('.model-call-title, .tool-call-name')].map((name) => name.textContent);
  expect(names).toEqual(['Call 1', 'files.read', 'Call 2, attempt 2']);
});

test('an interrupted call, a failed one and unexpected messages are shown with what is known', () => {
  const failed = { ...call, seq: 2, end: { at: 5, response: undefined, problem: 'Gone' } };
  const odd = { ...call, seq: 3, messages: ['odd', { role: 'judge', content: 'Guilty' }] };
  const elsewhere = { ...call, seq: 4, messages: { $value: 'h', bytes: 50_000, preview: '[{"role":"user"' } };
  const element = show({
    endedCalls: [failed, odd, elsewhere],
    openCalls: [streaming],
    nodeState: { ...running, status: 'cancelled' },
  });
  for (const part of ['Gone', 'judge', 'Guilty', '[{"role":"user"', 'The engine stopped during this call.', 'So far'])
    expect(element.textContent).toContain(part);
});

test('an ended call is not rendered again while another one streams', () => {
  let reads = 0;
  const counted = Object.defineProperty({ ...call }, 'messages', {
    get: () => {
      reads++;
      return call.messages;
    },
  });
  const endedCalls = [counted];
  let stream: (text: string) => void = () => undefined;
  function Streaming() {
    const [text, setText] = useState('');
    stream = setText;
    return (
      <CallsTab {...none} nodeState={{ ...running }} endedCalls={endedCalls} openCalls={[{ ...streaming, text }]} />
    );
  }
  window = openTestWindow({ listRuns: () => [], readEvents: () => [] });
  const element = window.draw(<Streaming />);
  const before = reads;
  act(() => stream('More'));
  expect(element.textContent).toContain('More');
  expect(reads).toBe(before);
});
