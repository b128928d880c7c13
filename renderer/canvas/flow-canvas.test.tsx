import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asRunId, asSessionId, type JsonValue, type RunEvent } from '../../engine/isomorphic.ts';
import { CommandProvider } from '../app/commands/command-context.tsx';
import { createDialogs } from '../app/commands/dialogs.ts';
import { createEngineClient } from '../bridge/engine-client.ts';
import { createMainClient } from '../bridge/main-client.ts';
import { createStores, type Stores } from '../stores/stores.ts';
import { StoresProvider } from '../stores/stores-context.tsx';
import { createDirectDocuments } from '../stores/testing/direct-documents.ts';
import { checkText } from '../stores/text/check.ts';
import { loadingFile, type OpenFile } from '../stores/text/file.ts';
import { TooltipProvider } from '../ui/tooltip.tsx';
import { FlowCanvas } from './flow-canvas.tsx';

const path = 'flows/demo.flow.yaml';
const runId = asRunId('run-1');
const error = { code: 'http.not-found', message: 'The page is not there.' };

const flowText = `
flow: { name: demo }
nodes:
  - { id: read, type: echo, input: { text: hello } }
  - { id: ask, type: prompt, input: { prompt: "About {{read.text}}" }, config: { model: fast } }
  - { id: try, type: echo, input: { text: hi }, policy: { continueOnError: true } }
  - { id: off, type: echo, input: { text: hi }, disabled: true }
  - { id: odd, type: nope, input: {} }
edges:
  - { from: read, to: ask }
  - { from: ask, to: try }
`;

let stores: Stores;
let host: HTMLElement;
let root: Root;
let nextSeq: number;

function openFlow(text: string): void {
  const flow: OpenFile = { ...loadingFile(path, 'flow'), ...checkText(text), status: 'ready' };
  stores.openFiles.setState({ files: new Map([[path, flow]]), activePath: path });
}

async function tell(...events: (RunEvent & { taskId?: string })[]): Promise<void> {
  await act(async () => {
    stores.liveRuns.getState().applyEvents(
      events.map((event) => ({
        seq: nextSeq++,
        at: 1_000,
        runId,
        context: { sessionId: asSessionId('s'), ...(event.taskId === undefined ? {} : { task: { id: event.taskId } }) },
        event,
      })),
    );
  });
}

const runStart: RunEvent = {
  type: 'run:start',
  kind: 'flow',
  name: 'demo',
  sourcePath: path,
  definitionHash: 'x',
  inputs: {},
};

function started(nodeId: string): RunEvent {
  return { type: 'task:start', taskId: `node:${nodeId}`, nodeId, nodeType: 'echo' };
}

function card(nodeId: string): HTMLElement {
  const found = host.querySelector<HTMLElement>(`[data-card="${nodeId}"]`);
  if (found === null) throw new Error(`No card for ${nodeId}`);
  return found;
}

async function press(code: string, change: KeyboardEventInit = {}): Promise<void> {
  await act(async () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { code, key: code, bubbles: true, ...change }));
  });
}

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  nextSeq = 0;
  stores = createStores({
    // No engine and no main process: the canvas reads only from the stores.
    engine: createEngineClient(() => undefined),
    main: createMainClient({ call: () => new Promise(() => undefined), onPush: () => () => undefined }),
    documents: createDirectDocuments(),
    nextFrame: () => () => undefined,
  });
  openFlow(flowText);
  host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
  await act(async () => {
    root.render(
      <StoresProvider stores={stores}>
        <CommandProvider context={{ stores, dialogs: createDialogs() }}>
          <TooltipProvider>
            <FlowCanvas path={path} />
          </TooltipProvider>
        </CommandProvider>
      </StoresProvider>,
    );
  });
});

afterEach(async () => {
  await act(async () => root.unmount());
  stores.dispose();
  host.remove();
});

describe('a flow without a run', () => {
  test('shows one card per node, named for screen readers, in file order', () => {
    const labels = [...host.querySelectorAll('[data-card]')].map((element) => element.getAttribute('aria-label'));
    expect(labels).toEqual([
      'read, echo',
      'ask, prompt',
      'try, echo',
      'off, echo, disabled',
      'odd, nope, invalid, unknown type',
    ]);
  });

  test('shows type, summary, rows and footer on the card', () => {
    expect(card('ask').textContent).toContain('prompt');
    expect(card('ask').querySelector('.chip')?.textContent).toBe('read.text');
    expect(card('ask').querySelector('dl')?.textContent).toBe('Modelfast');
    expect(card('try').textContent).toContain('continues on error');
  });

  test('draws a node of an unknown type with its problem', () => {
    expect(card('odd').dataset['state']).toBe('invalid');
    expect(card('odd').textContent).toContain('nope');
  });
});

describe('a run over the flow', () => {
  beforeEach(() => tell(runStart));

  test('shows unreached nodes as queued', () => {
    expect(card('read').dataset['state']).toBe('queued');
    expect(card('read').textContent).toContain('queued');
    expect(card('off').dataset['state']).toBe('disabled');
  });

  test('shows a running node with its streamed text instead of its rows', async () => {
    await tell(started('ask'), { type: 'agent:text', content: 'Once upon a time', taskId: 'node:ask' });
    expect(card('ask').dataset['state']).toBe('running');
    expect(card('ask').textContent).toContain('Once upon a time');
    expect(card('ask').querySelector('dl')).toBeNull();
    expect(card('ask').getAttribute('aria-label')).toBe('ask, prompt, running');
  });

  test('shows how long a completed node took', async () => {
    await tell(started('read'), {
      type: 'task:complete',
      taskId: 'node:read',
      nodeId: 'read',
      result: {},
      durationMs: 204,
      attempts: 1,
    });
    expect(card('read').dataset['state']).toBe('completed');
    expect(card('read').getAttribute('aria-label')).toBe('read, echo, completed, 0.2 s');
  });

  test('summarizes the output of a node in one line, with a thumbnail for a picture', async () => {
    const gave = (nodeId: string, result: JsonValue) => {
      const end = {
        type: 'task:complete',
        taskId: `node:${nodeId}`,
        nodeId,
        result,
        durationMs: 2,
        attempts: 1,
      } as const;
      return tell(started(nodeId), end);
    };
    await gave('read', { files: ['a', 'b', 'c'], text: 'all' });
    expect(card('read').querySelector('.card-output')?.textContent).toBe('files: 3 items');
    expect(card('read').getAttribute('aria-description')).toBe('output: files: 3 items');
    await gave('ask', { image: 'data:image/png;base64,AAAA', text: 'A mill\nby the water' });
    const line = card('ask').querySelector('.card-output');
    expect([line?.textContent, line?.querySelector('img')?.getAttribute('src')]).toEqual([
      'A mill',
      'data:image/png;base64,AAAA',
    ]);
    await gave('try', {});
    expect([card('try').querySelector('.card-output'), card('try').dataset['output']]).toEqual([null, 'false']);
  });

  test('shows the attempt of a node that is retried', async () => {
    await tell(started('read'), { type: 'node:retry', nodeId: 'read', attempt: 1, delayMs: 250, error });
    expect(card('read').dataset['state']).toBe('retrying');
    expect(card('read').textContent).toContain('attempt 2');
  });

  test('shows the cause of a failure, and marks a tolerated one differently', async () => {
    const failed = { type: 'task:failed', error, durationMs: 5, attempts: 1 } as const;
    await tell(started('read'), { ...failed, taskId: 'node:read', nodeId: 'read' });
    await tell(started('try'), { ...failed, taskId: 'node:try', nodeId: 'try' });
    expect(card('read').dataset['state']).toBe('failed');
    expect(card('read').textContent).toContain('not found');
    expect(card('read').querySelector('[title="The page is not there."]')).not.toBeNull();
    expect(card('try').dataset['state']).toBe('tolerated');
    expect(card('try').textContent).toContain('failed, tolerated');
  });

  test('shows why a node was skipped', async () => {
    const detail = { op: 'equals', var: 'read.text', value: 'x', actual: 'y', result: false } as const;
    await tell({ type: 'node:skipped', nodeId: 'ask', reason: 'when', detail });
    expect(card('ask').dataset['state']).toBe('skipped');
    expect(card('ask').querySelector('[title^="Skipped: read.text is"]')).not.toBeNull();
  });

  test('shows canceling from the request until the run is canceled', async () => {
    await tell(started('read'));
    await act(async () => stores.liveRuns.getState().setCancelling(runId, true));
    expect(card('read').dataset['state']).toBe('cancelling');
    await tell({ type: 'task:cancelled', taskId: 'node:read', nodeId: 'read', reason: 'cancel' });
    expect(card('read').dataset['state']).toBe('cancelled');
  });

  test('has an icon beside the word in every state except idle', async () => {
    await tell(started('read'));
    for (const id of ['read', 'ask', 'off', 'odd']) {
      expect(card(id).querySelector('.state-icon')?.getAttribute('data-state')).toBe(card(id).dataset['state']);
    }
  });
});

describe('keys', () => {
  const selected = (): string | null | undefined => stores.selection.getState().views.get(path)?.nodeId;

  test('arrows select along the edges', async () => {
    await press('ArrowRight');
    expect(selected()).toBe('read');
    await press('ArrowRight');
    expect(selected()).toBe('ask');
    expect(card('ask').getAttribute('aria-pressed')).toBe('true');
    await press('ArrowLeft');
    expect(selected()).toBe('read');
  });

  test('Shift and an arrow select all nodes that follow', async () => {
    await press('ArrowRight');
    await press('ArrowRight', { shiftKey: true });
    expect(host.querySelectorAll('[data-card][aria-pressed="true"]')).toHaveLength(3);
    expect(selected()).toBe('read');
  });

  test('Enter opens the inspector for the selected node, Escape clears the selection', async () => {
    stores.panes.getState().setOpen('inspector', false);
    await press('Enter');
    expect(stores.panes.getState().isOpen.inspector).toBe(false);
    await press('ArrowRight');
    await press('Enter');
    expect(stores.panes.getState().isOpen.inspector).toBe(true);
    await press('Escape');
    expect(selected()).toBeNull();
  });

  test('move the focus from card to card', async () => {
    await act(async () => card('read').focus());
    expect(selected()).toBe('read');
    await press('ArrowRight');
    expect(document.activeElement).toBe(card('ask'));
  });

  test('do not override Enter on the buttons of the canvas', async () => {
    stores.panes.getState().setOpen('inspector', false);
    await press('ArrowRight');
    const button = host.querySelector('.flow-canvas')!.appendChild(document.createElement('button'));
    await act(async () => {
      button.dispatchEvent(new KeyboardEvent('keydown', { code: 'Enter', key: 'Enter', bubbles: true }));
    });
    button.remove();
    expect(stores.panes.getState().isOpen.inspector).toBe(false);
  });

  test('M toggles the minimap', async () => {
    expect(host.querySelector('.canvas-minimap')).toBeNull();
    await press('KeyM');
    expect(host.querySelector('.canvas-minimap')).not.toBeNull();
  });

  test('do nothing while the user types elsewhere', async () => {
    const field = document.body.appendChild(document.createElement('input'));
    await act(async () => {
      field.dispatchEvent(new KeyboardEvent('keydown', { code: 'ArrowRight', bubbles: true }));
    });
    field.remove();
    expect(selected()).toBeUndefined();
  });
});

describe('a text that cannot be drawn', () => {
  test('is explained with a position and a message, once it is checked', async () => {
    const unchecked: OpenFile = { ...loadingFile(path, 'flow'), text: 'nodes: [', status: 'ready' };
    await act(async () => stores.openFiles.setState({ files: new Map([[path, unchecked]]) }));
    expect(host.textContent).toBe('');
    await act(async () => openFlow('nodes: ['));
    expect(host.textContent).toContain('Line 1 cannot be read');
    const way = [...host.querySelectorAll('button')].find(({ textContent }) => textContent === 'Go to line 1');
    await act(async () => way?.click());
    expect(stores.selection.getState().views.get(path)?.mode).not.toBe('canvas');
  });

  test('is distinguished from a flow without nodes', async () => {
    await act(async () => openFlow('flow: { name: x }\nnodes: []\nedges: []\n'));
    expect(host.textContent).toContain('This flow has no nodes yet');
  });
});
