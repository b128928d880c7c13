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

  test('an agent has one tab, whatever it was called by', async () => {
    await openWindow();
    for (const name of [path, 'agents/a', `/w/${path}`]) await stores.agents.open(name);
    expect(stores.openFiles.getState().tabs).toEqual([path]);
    expect(stores.openFiles.getState().files.get(path)).toMatchObject({ kind: 'agent', status: 'ready', doc: null });
  });

  test('an agent of a pack goes by its reference', async () => {
    await openWindow();
    await stores.agents.open('demo@proof');
    expect(stores.openFiles.getState().activePath).toBe('demo@proof');
  });

  test('one that is not there has a tab that says so', async () => {
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

  test('what is wrong with its text is told', async () => {
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
  test('what was ordered is sent, and the run is shown', async () => {
    await openWindow();
    await stores.agents.open(path);
    await stores.agents.start(path, { inputs: ['one', 'two'], model: 'small', isPreview: true });
    expect(orders).toEqual([{ agent: path, inputs: ['one', 'two'], options: { model: 'small' }, dry: 'req' }]);
    expect(selectShownRun(stores.liveRuns.getState(), path)?.runId).toBe('r1');
  });

  test('a refusal is shown with the message of the engine', async () => {
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

describe('a pack that is missing', () => {
  const asking = { startAgent: () => ({ work }) };

  test('is asked about, installed when the person agrees, and its agent then runs', async () => {
    await openWindow({ ...asking, confirmWork: () => ({ runId: 'r2' }) });
    await stores.agents.start('demo@proof', { isPreview: false });
    expect(pending()).toMatchObject({ packRef: 'demo@proof', status: 'asking' });
    await stores.agents.confirmWork();
    expect(pending()).toBeNull();
    expect(selectShownRun(stores.liveRuns.getState(), 'demo@proof')?.runId).toBe('r2');
  });

  test('is said to be missing still when it could not be installed', async () => {
    const refuse = () => {
      throw new EngineError({ code: 'pack.not-reachable', message: 'The server is away' });
    };
    await openWindow({ ...asking, confirmWork: refuse });
    await stores.agents.start('demo@proof', { isPreview: false });
    await stores.agents.confirmWork();
    expect(pending()).toMatchObject({ status: 'failed', problem: 'The server is away' });
  });

  test('is left alone when the person says no', async () => {
    await openWindow({ ...asking, cancelWork: () => undefined });
    await stores.agents.start('demo@proof', { isPreview: false });
    await stores.agents.cancelWork();
    expect(pending()).toBeNull();
    expect(engine.calls.at(-1)).toBe('cancelWork');
  });
});
