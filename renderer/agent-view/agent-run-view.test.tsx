import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { RunEvent } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import {
  agentStart,
  createRunTeller,
  inputComplete,
  inputStart,
  type RunTeller,
  runEnd,
} from '../bridge/testing/run-events.ts';
import { AgentRunView } from './agent-run-view.tsx';

const path = 'a.aip';

let window: TestWindow;
/** Answers that were sent. */
const sent: unknown[] = [];
afterEach(() => window.close());

/** Draws the run that `tell` emits, from its start. */
async function drawRun(tell: (run: RunTeller) => void): Promise<HTMLElement> {
  sent.length = 0;
  window = openTestWindow({
    listRuns: () => [],
    rerunFrom: (request) => {
      sent.push(request);
      return { runId: 'r2' };
    },
    resumeRun: (answer) => {
      sent.push(answer);
      return { runId: 'r1', traceId: 't' };
    },
  });
  window.engine.connect();
  const view = window.draw(<AgentRunView path={path} errorHelp={({ code }) => <i>mend {code}</i>} />);
  const run = createRunTeller('r1');
  run.tell(agentStart(path));
  tell(run);
  window.engine.push('subscribe', run.events);
  await window.settle();
  // Happy DOM has no sizes, so a list draws only its first rows.
  return view;
}

function textOf(view: HTMLElement, selector: string): string {
  return view.querySelector(selector)?.textContent ?? '';
}

function click(view: HTMLElement, text: string): void {
  const button = [...view.querySelectorAll('button')].find((candidate) => candidate.textContent?.includes(text));
  if (button === undefined) throw new Error(`No button ${text} in: ${view.textContent}`);
  act(() => {
    button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, button: 0 }));
    button.click();
  });
}

const pin = (iden: string, content: string, priority?: number): RunEvent => ({
  type: 'pin',
  iden,
  label: iden,
  content,
  ...(priority === undefined ? {} : { priority }),
});

test('shows pins in order with all of their lines', async () => {
  const view = await drawRun((run) => {
    run.tell(pin('last', 'one\ntwo'));
    run.tell(pin('first', 'before all', 1));
  });
  const pins = [...view.querySelectorAll('.pin')].map((row) => [
    row.querySelector('.pin-label')?.textContent,
    row.querySelector('.pin-content')?.textContent,
  ]);
  expect(pins).toEqual([
    ['first', 'before all'],
    ['last', 'one\ntwo'],
  ]);
});

test('shows the first input until another one is selected', async () => {
  const view = await drawRun((run) => {
    for (const [index, word] of ['one', 'two'].entries()) {
      run.tell(inputStart(index));
      run.tell({ type: 'label', text: word, taskId: `input:${index}` });
      run.tell(inputComplete(index, `said ${word}`));
    }
  });
  expect(textOf(view, '.input-detail')).toContain('said one');
  click(view, 'two');
  expect(textOf(view, '.input-detail')).toContain('said two');
});

test('shows why an input failed and how to fix it', async () => {
  const view = await drawRun((run) => {
    run.tell(inputStart(0));
    const error = { code: 'model.missing-key', message: 'No key' } as const;
    run.tell({ type: 'task:failed', taskId: 'input:0', error, durationMs: 1, attempts: 1 });
  });
  expect(textOf(view, '.input-detail')).toContain('No keymodel.missing-keymend model.missing-key');
});

test('streams text, and shows the events of an input without an output', async () => {
  const view = await drawRun((run) => {
    run.tell(inputStart(0));
    run.tellInput(0, { type: 'agent:text', content: 'Once upon' });
  });
  expect(textOf(view, '.value-text')).toContain('Once upon');
});

test('shows the model calls of an input', async () => {
  const request = { type: 'model:request', provider: 'p', model: 'm', messagesHash: 'h' } as const;
  const messages = [{ role: 'user', content: 'Rhyme on bees' }];
  const view = await drawRun((run) => {
    run.tell(inputStart(0));
    run.tellInput(0, { ...request, messages });
    run.tellInput(0, { type: 'agent:text', content: 'Knees' });
  });
  click(view, 'Messages');
  expect(textOf(view, '.model-call')).toContain('p::m');
  expect(textOf(view, '.model-call')).toContain('Rhyme on bees');
  expect(textOf(view, '.model-call')).toContain('Knees');
});

test('shows prompts immediately if the run only previews them', async () => {
  const view = await drawRun((run) => {
    run.tell(inputStart(0));
    run.tellInput(0, { type: 'log', level: 'info', text: '-- user:\nHello' });
    run.tell(inputComplete(0, null));
  });
  expect(textOf(view, '.task-log')).toContain('-- user:\nHello');
});

test('shows a child run with its pins and inputs, and a link back', async () => {
  const view = await drawRun((run) => {
    run.tell(inputStart(0));
    const called = { runId: 'c1', parentRunId: 'r1' };
    run.tellChild(called, agentStart('lib/b.aip', 'input:0'));
    run.tellChild(called, pin('note', 'from below'));
    run.tellChild({ ...called, taskId: 'input:0' }, inputStart(0));
    run.tellChild(called, inputComplete(0, 'below'));
    run.tell(inputComplete(0, 'above'));
  });
  expect(view.textContent).not.toContain('from below');
  click(view, 'b');
  expect([textOf(view, '.pin-content'), textOf(view, '.called-header-name')]).toEqual(['from below', 'b']);
  expect(textOf(view, '.input-detail')).toContain('below');
  click(view, 'Back to a');
  expect(textOf(view, '.input-detail')).toContain('above');
});

test("12.1 shows the form of an input's question, and those of child runs by their full name", async () => {
  const request = { kind: 'approval', title: 'Send it?' } as const;
  const asks = { type: 'approval:requested', nodeId: 'input:0', key: 'ok', requestHash: 'h', request } as const;
  const waits = { reason: 'approval', message: 'Send it?' } as const;
  const view = await drawRun((run) => {
    run.tell(inputStart(0));
    const called = { runId: 'c1', parentRunId: 'r1' };
    run.tellChild(called, agentStart('lib/b.aip', 'input:0'));
    run.tellChild({ ...called, taskId: 'input:0' }, inputStart(0));
    run.tellChild({ ...called, taskId: 'input:0' }, asks);
    run.tellChild(called, { type: 'node:suspended', nodeId: 'input:0', request: waits });
    run.tell({ type: 'node:suspended', nodeId: 'input:0', request: { ...waits, message: 'Something below waits' } });
    run.tell({ type: 'run:suspended', reason: 'approval', nodeId: 'input:0/input:0' });
  });
  expect(view.querySelector('.ask-form')).toBeNull();
  click(view, 'b');
  expect(textOf(view, '.ask-title')).toBe('Send it?');
  click(view, 'Approve');
  await window.settle();
  expect(sent).toMatchObject([{ runId: 'r1', nodeId: 'input:0/input:0', key: 'ok', payload: { approved: true } }]);
});

test('13.15 reruns one input by its task once the run is over', async () => {
  const inputs = [inputStart(0), inputComplete(0, 'one'), inputStart(1), inputComplete(1, 'two')];
  const drawAll = (events: readonly RunEvent[]) =>
    drawRun((run) => {
      for (const event of events) run.tell(event);
    });
  const view = await drawAll(inputs);
  expect(view.textContent).not.toContain('Run this input again');
  window.close();
  const ended = await drawAll([...inputs, runEnd('completed')]);
  click(ended, 'Run this input again');
  await window.settle();
  expect(sent).toMatchObject([{ runId: 'r1', nodeId: 'input:0' }]);
});
