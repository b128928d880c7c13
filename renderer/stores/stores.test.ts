import { afterEach, describe, expect, test, vi } from 'vitest';
import { EngineError, type EventEnvelope } from '../../engine/isomorphic.ts';
import { createEngineStandIn, type EngineStandIn, settled } from '../bridge/testing/engine-stand-in.ts';
import { createMainStandIn } from '../bridge/testing/main-stand-in.ts';
import { createRunTeller, nodeStart, type RunTeller, runEnd, runStart } from '../bridge/testing/run-events.ts';
import { flowOnScreen, selectShownDefinition, selectShownRun } from './runs/shown-run.ts';
import { createStores, type Stores } from './stores.ts';
import { createDirectDocuments } from './testing/direct-documents.ts';

const path = 'a.flow.yaml';

function flowText(name: string): string {
  return `flow: { name: ${name} }\nnodes:\n  - { id: a, type: echo, input: { text: hi } }\nedges: []\n`;
}

/** A window on a workspace with one flow. The test simulates the engine and main. */
interface Window {
  readonly engine: EngineStandIn;
  readonly stores: Stores;
  readonly file: { text: string | null };
  /** Runs in the engine's store, with the text that each one executes. */
  readonly stored: Map<string, { teller: RunTeller; definition: string; isDead: boolean }>;
  readonly started: { text?: string | undefined; inputs?: unknown; runId?: string | undefined }[];
  refuse: EngineError | null;
  startRun(runId: string, definition: string): RunTeller;
  tell(events: readonly EventEnvelope[]): Promise<void>;
}

const open = new Set<Stores>();
afterEach(() => {
  for (const stores of open) stores.dispose();
  open.clear();
});

function summaryOf(runId: string, { teller, isDead }: { teller: RunTeller; isDead: boolean }) {
  const end = teller.events.flatMap(({ event }) => (event.type === 'run:end' ? event.status : []))[0];
  const status: 'running' | 'interrupted' | NonNullable<typeof end> = end ?? (isDead ? 'interrupted' : 'running');
  return {
    runId,
    number: 1,
    kind: 'flow' as const,
    name: 'Flow',
    sourcePath: path,
    definitionHash: 'h',
    status,
    startedAt: 1,
    failedNodes: [],
  };
}

function openWindow(): Window {
  const file: Window['file'] = { text: flowText('One') };
  const stored: Window['stored'] = new Map();
  const started: Window['started'] = [];
  const find = (runId: string) => {
    const run = stored.get(runId);
    if (run === undefined) throw new EngineError({ code: 'run.not-found', message: `Run ${runId} does not exist.` });
    return run;
  };
  const request = (params: Window['started'][number]) => {
    if (window.refuse !== null) throw window.refuse;
    started.push(params);
    return { runId: `started-${started.length}` };
  };
  const engine = createEngineStandIn({
    readNotices: () => [],
    listFlows: () => (file.text === null ? [] : [{ path, change: null }]),
    readFlow: () => {
      if (file.text === null) throw new EngineError({ code: 'files.not-found', message: 'gone' });
      return { text: file.text };
    },
    startRun: ({ text, inputs }) => request({ text, inputs }),
    redo: ({ runId, text }) => request({ runId, text }),
    cancelRun: () => undefined,
    listRuns: () => [...stored].map(([runId, run]) => summaryOf(runId, run)),
    getRun: (runId) => summaryOf(runId, find(runId)),
    readDefinition: (runId) => find(runId).definition,
    readEvents: (runId, afterSeq) => find(runId).teller.events.filter(({ seq }) => seq > afterSeq),
  });
  const stores = createStores({
    engine: engine.client,
    main: createMainStandIn().client,
    documents: createDirectDocuments(),
    nextFrame(callback) {
      const timer = setTimeout(callback, 0);
      return () => clearTimeout(timer);
    },
  });
  open.add(stores);
  const window: Window = {
    engine,
    stores,
    file,
    stored,
    started,
    refuse: null,
    startRun(runId, definition) {
      const teller = createRunTeller(runId);
      stored.set(runId, { teller, definition, isDead: false });
      teller.tell(runStart(path));
      return teller;
    },
    async tell(events) {
      engine.push('subscribe', events);
      await settled();
    },
  };
  return window;
}

async function openReadyWindow(): Promise<Window> {
  const window = openWindow();
  window.engine.connect();
  await settled();
  return window;
}

function shown({ stores }: Window) {
  return selectShownRun(stores.liveRuns.getState(), path);
}

function onScreen(window: Window) {
  const { openFiles, liveRuns } = window.stores;
  return flowOnScreen(openFiles.getState().files.get(path), selectShownDefinition(liveRuns.getState(), path));
}

describe('a window', () => {
  test('lists the flows of its workspace and opens the first', async () => {
    const window = await openReadyWindow();
    expect(window.stores.workspace.getState().flowsStatus).toBe('ready');
    expect(onScreen(window)?.doc?.flow.name).toBe('One');
  });

  test('reloads open files if anything may have changed, as before file watching started', async () => {
    const window = await openReadyWindow();
    window.file.text = flowText('Changed');
    window.engine.push('watchFiles', { paths: [], isTree: true });
    await vi.waitFor(() => expect(onScreen(window)?.text).toBe(flowText('Changed')), 20_000);
  });

  test('runs the text on screen and follows the run', async () => {
    const window = await openReadyWindow();
    await window.stores.runs.start(path, { who: 'me' });
    expect(window.started).toEqual([{ text: flowText('One'), inputs: { who: 'me' } }]);
    expect(shown(window)?.state.status).toBe('queued');
    const run = window.startRun('started-1', flowText('One'));
    await window.tell(run.events);
    expect(shown(window)?.state.status).toBe('running');
    expect(onScreen(window)?.isOldVersion).toBe(false);
  });

  test('a rejected run is reported with its problems', async () => {
    const window = await openReadyWindow();
    const range = { line: 2, column: 1, endLine: 2, endColumn: 4 };
    const found = { code: 'node.unknown-tool', severity: 'error', message: 'Tool "a" does not exist.', range };
    window.refuse = new EngineError({ code: 'flow.invalid', message: 'This flow has 2 errors.', details: [found] });
    await window.stores.runs.start(path, {});
    expect(window.stores.notices.getState().list).toMatchObject([{ tone: 'error', detail: 'This flow has 2 errors.' }]);
    expect(window.stores.panes.getState()).toMatchObject({ dockTab: 'problems', isOpen: { dock: true } });
    expect(window.stores.openFiles.getState().files.get(path)?.diagnostics).toEqual([found]);
    expect(shown(window)).toBeUndefined();
  });

  test('a run keeps showing its text while the file changes', async () => {
    const window = await openReadyWindow();
    await window.stores.runs.start(path, {});
    const run = window.startRun('started-1', flowText('One'));
    await window.tell(run.events);
    window.file.text = flowText('Two');
    window.engine.push('watchFlows', [path]);
    await settled();
    expect([onScreen(window)?.doc?.flow.name, onScreen(window)?.isOldVersion]).toEqual(['One', true]);
  });

  test('an ended run stays over its changed file, under the new text; a selected one keeps its own text', async () => {
    const window = await openReadyWindow();
    const run = window.startRun('r1', flowText('One'));
    run.tell(runEnd('completed'));
    await window.tell(run.events);
    window.file.text = flowText('Two');
    window.engine.push('watchFlows', [path]);
    await settled();
    expect([shown(window)?.runId, onScreen(window)?.doc?.flow.name, onScreen(window)?.isOldVersion]).toEqual([
      'r1',
      'Two',
      false,
    ]);

    await window.stores.runs.openRun(path, run.events[0]!.runId);
    window.file.text = flowText('Three');
    window.engine.push('watchFlows', [path]);
    await settled();
    expect([shown(window)?.runId, onScreen(window)?.doc?.flow.name]).toEqual(['r1', 'One']);
  });

  test('a past run is loaded completely and shown over the text it ran', async () => {
    const window = await openReadyWindow();
    const run = window.startRun('r1', flowText('Old'));
    run.tell(nodeStart('a'));
    run.tell(runEnd('failed'));
    await window.stores.runs.openRun(path, run.events[0]!.runId);
    expect(shown(window)?.state).toMatchObject({ status: 'failed', seq: 2 });
    expect(onScreen(window)).toMatchObject({ isOldVersion: true, text: flowText('Old') });
  });

  test('a past run that cannot be read is not shown', async () => {
    const window = await openReadyWindow();
    const gone = createRunTeller('gone').tell(runStart(path)).runId;
    await window.stores.runs.openRun(path, gone);
    expect(shown(window)).toBeUndefined();
    expect(window.stores.notices.getState().list[0]?.detail).toBe('Run gone does not exist.');
  });

  test('a crash of the engine interrupts the run and keeps completed work', async () => {
    const window = await openReadyWindow();
    const run = window.startRun('r1', flowText('One'));
    run.tell(nodeStart('a'));
    await window.tell(run.events);
    run.tell({ type: 'agent:text', content: 'stored, not told' }, 'a');
    window.engine.disconnect();
    window.stored.get('r1')!.isDead = true;
    window.engine.connect();
    await settled();
    expect(shown(window)?.state.status).toBe('interrupted');
    expect(shown(window)?.state.nodes.get('a')).toMatchObject({ status: 'cancelled', text: 'stored, not told' });
  });

  test('redo uses the current file, or the last text if the file was deleted', async () => {
    const window = await openReadyWindow();
    const run = window.startRun('r1', flowText('One'));
    run.tell(runEnd('completed'));
    await window.tell(run.events);
    window.startRun('started-1', flowText('One'));
    await window.stores.runs.redo(path, run.events[0]!.runId);
    window.file.text = null;
    window.engine.push('watchFlows', [path]);
    await settled();
    window.startRun('started-2', flowText('One'));
    await window.stores.runs.redo(path, shown(window)!.runId);
    expect(window.started).toEqual([
      { runId: 'r1', text: undefined },
      { runId: 'started-1', text: flowText('One') },
    ]);
  });

  test('redo without a run uses the latest one of the flow, or reports that there is none', async () => {
    const window = await openReadyWindow();
    await window.stores.runs.redo(path);
    expect(window.stores.notices.getState().list).toMatchObject([{ detail: expect.stringContaining('no runs yet') }]);
    window.startRun('r1', flowText('One'));
    window.startRun('started-1', flowText('One'));
    await window.stores.runs.redo(path);
    expect(window.started).toEqual([{ runId: 'r1', text: undefined }]);
    expect(shown(window)?.runId).toBe('started-1');
  });

  test('a rejected cancel request is reverted', async () => {
    const window = await openReadyWindow();
    const run = window.startRun('r1', flowText('One'));
    await window.tell(run.events);
    const cancelling = window.stores.runs.cancel(run.events[0]!.runId);
    expect(shown(window)?.isCancelling).toBe(true);
    window.engine.disconnect();
    await cancelling;
    expect(shown(window)?.isCancelling).toBe(false);
  });

  test('shows a run that started before the window, although it receives no events for it', async () => {
    const window = openWindow();
    const run = window.startRun('r1', flowText('One'));
    run.tell(nodeStart('a'));
    window.engine.connect();
    await settled();
    expect(shown(window)?.state.nodes.get('a')?.status).toBe('running');
  });

  test('follows a run of another process from its first event to its last', async () => {
    const window = await openReadyWindow();
    const run = window.startRun('elsewhere', flowText('One'));
    window.engine.push('watchHistory', undefined);
    await settled();
    expect(shown(window)?.state.status).toBe('running');
    run.tell(runEnd('completed'));
    window.engine.push('watchHistory', undefined);
    await settled();
    expect(shown(window)?.state.status).toBe('completed');
  });

  test('a cancel request detects that the process of a run in another process was killed', async () => {
    const window = await openReadyWindow();
    const run = window.startRun('elsewhere', flowText('One'));
    await window.tell(run.events);
    window.stored.get('elsewhere')!.isDead = true;
    await window.stores.runs.cancel(run.events[0]!.runId);
    expect(shown(window)).toMatchObject({ state: { status: 'interrupted' }, isCancelling: false });
  });
});
