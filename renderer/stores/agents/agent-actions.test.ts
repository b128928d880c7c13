import { afterEach, describe, expect, test } from 'vitest';
import { asRunId, EngineError } from '../../../engine/isomorphic.ts';
import {
  createEngineStandIn,
  type EngineAnswers,
  type EngineStandIn,
  settled,
} from '../../bridge/testing/engine-stand-in.ts';
import { createMainStandIn } from '../../bridge/testing/main-stand-in.ts';
import { selectShownRun } from '../runs/shown-run.ts';
import { createStores, type Stores } from '../stores.ts';
import { createDirectDocuments } from '../testing/direct-documents.ts';

const path = 'agents/a.aip';
const work = { workId: 'w1', kind: 'install' as const, data: { packRef: 'demo@proof' } };

let stores: Stores;
let engine: EngineStandIn;
let orders: unknown[];
afterEach(() => stores.dispose());

async function openWindow(handlers: EngineAnswers = {}): Promise<void> {
  orders = [];
  engine = createEngineStandIn({
    listAgents: () => [{ agent: path, file: `/w/${path}` }],
    readAgent: (agent) => ({
      text: '# Instruction\n\nHi\n',
      ...(agent === 'demo@proof'
        ? { file: '/p/main.aip', path: null, isWritable: false }
        : { file: `/w/${path}`, path, isWritable: true }),
    }),
    listRuns: () => [],
    startAgent: (order) => {
      orders.push(order);
      return { runId: 'r1' };
    },
    ...handlers,
  });
  const nextFrame = (callback: () => void) => {
    const timer = setTimeout(callback, 0);
    return () => clearTimeout(timer);
  };
  stores = createStores({
    engine: engine.client,
    main: createMainStandIn().client,
    documents: createDirectDocuments(),
    nextFrame,
  });
  stores.workspace.setState({ folder: '/w' });
  engine.connect();
  await settled();
}

function pending() {
  return stores.agentWork.getState().pending;
}

describe('opening', () => {
  test('lists the agents of the workspace', async () => {
    await openWindow();
    expect(stores.workspace.getState().agents.map(({ agent }) => agent)).toEqual([path]);
  });

  test('an agent has one tab, whichever name it was opened by', async () => {
    await openWindow();
    for (const name of [path, 'agents/a', `/w/${path}`]) await stores.agents.open(name);
    expect(stores.openFiles.getState().tabs).toEqual([path]);
    expect(stores.openFiles.getState().files.get(path)).toMatchObject({ kind: 'agent', status: 'ready', doc: null });
  });

  test('an agent of a pack is identified by its reference', async () => {
    await openWindow();
    await stores.agents.open('demo@proof');
    expect(stores.openFiles.getState().activePath).toBe('demo@proof');
  });

  test('a missing agent has a tab with an explanation', async () => {
    await openWindow({
      readAgent: () => {
        throw new EngineError({ code: 'agent.not-found', message: 'No such agent' });
      },
    });
    await stores.agents.open('gone.aip');
    expect(stores.openFiles.getState().files.get('gone.aip')).toMatchObject({
      status: 'unreadable',
      readError: { message: 'No such agent' },
    });
  });

  test('problems in its text are reported', async () => {
    await openWindow({
      readAgent: () => ({
        text: '# Options\n\n```toml\nmodel =\n```\n',
        file: `/w/${path}`,
        path,
        isWritable: true,
      }),
    });
    await stores.agents.open(path);
    expect(stores.openFiles.getState().files.get(path)?.diagnostics).toMatchObject([{ severity: 'error' }]);
  });
});

describe('running', () => {
  test('sends the order and shows the run', async () => {
    await openWindow();
    await stores.agents.open(path);
    await stores.agents.start(path, { inputs: ['one', 'two'], model: 'small', isPreview: true });
    expect(orders).toEqual([{ agent: path, inputs: ['one', 'two'], options: { model: 'small' }, dry: 'req' }]);
    expect(selectShownRun(stores.liveRuns.getState(), path)?.runId).toBe('r1');
  });

  test('an error is shown with the message of the engine', async () => {
    await openWindow({
      startAgent: () => {
        throw new EngineError({ code: 'agent.bad-inputs', message: 'Neither of these' });
      },
    });
    await stores.agents.start(path, { files: ['*.md'], isPreview: false });
    expect(stores.notices.getState().list).toMatchObject([{ tone: 'error', detail: 'Neither of these' }]);
    expect(selectShownRun(stores.liveRuns.getState(), path)).toBeUndefined();
  });

  test('a run of the history opens over its agent, as it was defined then', async () => {
    await openWindow({
      readEvents: () => [],
      getRun: () => ({
        ...{
          runId: 'old',
          number: 1,
          kind: 'agent' as const,
          name: path,
          sourcePath: path,
          definitionHash: 'h',
          startedAt: 1,
        },
        ...{ status: 'completed' as const, failedNodes: [] },
      }),
      readDefinition: () => '# Instruction\n\nThen\n',
    });
    await stores.runs.openRun(path, asRunId('old'), 'agent');
    expect(stores.openFiles.getState().files.get(path)?.kind).toBe('agent');
    expect(selectShownRun(stores.liveRuns.getState(), path)?.definition?.text).toBe('# Instruction\n\nThen\n');
  });
});

describe('a missing pack', () => {
  const asking = { startAgent: () => ({ work }) };

  test('asks, installs it if the user agrees, and then runs its agent', async () => {
    await openWindow({ ...asking, confirmWork: () => ({ runId: 'r2' }) });
    await stores.agents.start('demo@proof', { isPreview: false });
    expect(pending()).toMatchObject({ packRef: 'demo@proof', status: 'asking' });
    await stores.agents.confirmWork();
    expect(pending()).toBeNull();
    expect(selectShownRun(stores.liveRuns.getState(), 'demo@proof')?.runId).toBe('r2');
  });

  test('is reported as still missing if the installation failed', async () => {
    const refuse = () => {
      throw new EngineError({ code: 'pack.not-reachable', message: 'The server is away' });
    };
    await openWindow({ ...asking, confirmWork: refuse });
    await stores.agents.start('demo@proof', { isPreview: false });
    await stores.agents.confirmWork();
    expect(pending()).toMatchObject({ status: 'failed', problem: 'The server is away' });
  });

  test('is not installed if the user declines', async () => {
    await openWindow({ ...asking, cancelWork: () => undefined });
    await stores.agents.start('demo@proof', { isPreview: false });
    await stores.agents.cancelWork();
    expect(pending()).toBeNull();
    expect(engine.calls.at(-1)).toBe('cancelWork');
  });
});
