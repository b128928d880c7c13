import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { asSessionId, EngineError } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { nodeStart, runEnd } from '../../bridge/testing/run-events.ts';
import { useOpenFile } from '../../stores/use-flow.ts';
import { Inspector } from '../inspector.tsx';

const path = 'a.flow.yaml';
const catalogue = 'desk/support.dialogue.yaml';
const text = 'flow: { name: Propose }\nnodes:\n  - { id: plan, type: plan_proposal, input: { plan: {} } }\nedges: []\n';

let window: TestWindow;
let element: HTMLElement;
afterEach(() => window.close());

function Shown() {
  const flow = useOpenFile(path);
  return flow === undefined ? null : <Inspector flow={flow} />;
}

/** Shows the inspector of the node that has proposed a plan. Its run has completed. */
async function show(files: readonly string[], listing = { isBroken: false }): Promise<readonly unknown[]> {
  const asked: unknown[] = [];
  const sessionId = asSessionId('s1');
  window = openTestWindow({
    readFlow: () => ({ text }),
    readFile: () => ({ text: '', isWritable: true }),
    findFiles: () => {
      if (listing.isBroken) throw new EngineError({ code: 'files.unreadable', message: 'The disk is gone.' });
      return { paths: files, isCut: false };
    },
    startConversation: (request) => {
      asked.push(request);
      return { sessionId };
    },
    runProposedPlan: (request) => {
      asked.push(request);
      return { messageId: 'm' };
    },
  });
  window.engine.connect();
  void window.stores.openFiles.getState().open(path);
  element = window.draw(<Shown />);
  act(() => window.stores.selection.getState().selectNode(path, 'plan'));
  await window.settle();
  const result = { proposal: { steps: [] } };
  const done = {
    type: 'task:complete',
    taskId: 'node:plan',
    nodeId: 'plan',
    result,
    durationMs: 1,
    attempts: 1,
  } as const;
  await window.tellRun(path, nodeStart('plan'), done);
  expect(element.textContent).not.toContain('Run this plan');
  await window.tellRun(path, nodeStart('plan'), done, runEnd('completed'));
  await window.settle();
  return asked;
}

test('a proposed plan is started in a conversation of a catalog, which is then shown', async () => {
  const asked = await show(['notes.md', catalogue]);
  const button = [...element.querySelectorAll('button')].find((one) => one.textContent === 'Run this plan with…');
  act(() => void button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
  const [item] = document.querySelectorAll<HTMLElement>('[role="menuitem"]');
  expect(item?.textContent).toBe(catalogue);
  act(() => item?.click());
  await window.settle();
  expect(asked).toEqual([{ path: catalogue }, { sessionId: 's1', runId: expect.any(String), nodeId: 'plan' }]);
  await window.until(() => expect(window.stores.openFiles.getState().activePath).toBe(catalogue));
  expect(window.stores.selection.getState().views.get(catalogue)?.mode).toBe('chat');
});

test('without a catalog it explains what a plan needs', async () => {
  await show(['notes.md']);
  expect(element.textContent).toContain('add a catalog');
});

test('an error while listing files is not reported as a missing catalog, and they can be listed again', async () => {
  const listing = { isBroken: true };
  await show([catalogue], listing);
  expect(element.textContent).toContain("Couldn't list the files: The disk is gone.");
  expect(element.textContent).not.toContain('add a catalog');
  listing.isBroken = false;
  const again = [...element.querySelectorAll('button')].find((one) => one.textContent === 'Try again');
  act(() => again?.click());
  await window.settle();
  expect(element.textContent).toContain('Run this plan with…');
});
