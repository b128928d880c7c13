import { describe, expect, test } from 'vitest';
import { asRunId, type RunEvent } from '../../../../engine/isomorphic.ts';
import {
  agentStart,
  createRunTeller,
  inputStart,
  nodeComplete,
  nodeStart,
  runEnd,
  runStart,
} from '../../../bridge/testing/run-events.ts';
import { checkText } from '../../text/check.ts';
import { loadingFile } from '../../text/file.ts';
import { flowOnScreen, selectShownDefinition, selectShownRun } from '../shown-run.ts';
import { createLiveRuns } from './live-runs.ts';

const path = 'a.flow.yaml';

function startedRun(runId: string) {
  const run = createRunTeller(runId);
  run.tell(runStart(path));
  return run;
}

function nodeOf(store: ReturnType<typeof createLiveRuns>, nodeId: string) {
  return selectShownRun(store.getState(), path)?.state.nodes.get(nodeId);
}

describe('live runs', () => {
  test('a token of one node keeps the selected state of another identical', () => {
    const store = createLiveRuns();
    const run = startedRun('r1');
    run.tell(nodeStart('a'));
    run.tell(nodeStart('b'));
    store.getState().applyEvents(run.events);
    const before = nodeOf(store, 'b');
    const edges = selectShownRun(store.getState(), path)?.state.firedEdges;
    store.getState().applyEvents([run.tell({ type: 'agent:text', content: 'Hel' }, 'a')]);
    store.getState().applyEvents([run.tell({ type: 'agent:text', content: 'lo' }, 'a')]);
    expect(nodeOf(store, 'a')?.text).toBe('Hello');
    expect(nodeOf(store, 'b')).toBe(before);
    expect(selectShownRun(store.getState(), path)?.state.firedEdges).toBe(edges);
  });

  test('a token for one run keeps another run identical', () => {
    const store = createLiveRuns();
    const first = startedRun('r1');
    const second = startedRun('r2');
    store.getState().applyEvents([...first.events, ...second.events]);
    const before = store.getState().runs.get('r1');
    store.getState().applyEvents([second.tell(nodeStart('a'))]);
    expect(store.getState().runs.get('r1')).toBe(before);
  });

  test('the run that started last is shown over its flow', () => {
    const store = createLiveRuns();
    store.getState().applyEvents(startedRun('r1').events);
    store.getState().applyEvents(startedRun('r2').events);
    expect(store.getState().shown.get(path)).toEqual({ runId: 'r2', isChosen: false });
  });

  test('a run of a conversation is shown over its catalog only on request, and as a flow', () => {
    const catalogue = 'desk.dialogue.yaml';
    const run = createRunTeller('r1');
    run.tell(runStart(catalogue));
    const store = createLiveRuns();
    store.getState().applyEvents(run.events);
    expect(store.getState().shown.size).toBe(0);
    store.getState().choose(catalogue, asRunId('r1'));
    store.getState().setDefinition(asRunId('r1'), checkText('flow: { name: Chat }\nnodes: []\nedges: []\n'));
    const file = { ...loadingFile(catalogue, 'dialogue'), status: 'ready', text: 'flows: []\n' } as const;
    const shown = flowOnScreen(file, selectShownDefinition(store.getState(), catalogue));
    expect(shown).toMatchObject({ kind: 'flow', isOldVersion: true, catalogue: null, doc: { flow: { name: 'Chat' } } });
  });

  test('nested child runs are part of their run, and are shown over no flow', () => {
    const store = createLiveRuns();
    const run = startedRun('r1');
    run.tellChild({ runId: 'c1', parentRunId: 'r1' }, agentStart('a.aip', 'node:n'));
    run.tellChild({ runId: 'c2', parentRunId: 'c1' }, agentStart('b.aip', 'input:0'));
    store.getState().applyEvents(run.events);
    expect([...store.getState().runs.keys()]).toEqual(['r1']);
    expect([...store.getState().shown.keys()]).toEqual([path]);
    expect([...(selectShownRun(store.getState(), path)?.state.children.keys() ?? [])]).toEqual(['c1', 'c2']);
  });

  test('losing the engine also interrupts child runs', () => {
    const store = createLiveRuns();
    const run = startedRun('r1');
    const child = { runId: 'c1', parentRunId: 'r1' };
    run.tellChild(child, agentStart('a.aip'));
    run.tellChild({ ...child, taskId: 'input:0' }, inputStart(0));
    store.getState().applyEvents(run.events);
    store.getState().markInterrupted(asRunId('r1'));
    const called = selectShownRun(store.getState(), path)?.state.children.get('c1');
    expect([called?.status, called?.nodes.get('input:0')?.status]).toEqual(['interrupted', 'cancelled']);
  });

  test('a redo replaces the run that it repeats, even a selected one', () => {
    const store = createLiveRuns();
    store.getState().choose(path, asRunId('old'));
    const redo = createRunTeller('r2');
    redo.tell({ ...runStart(path), redoOf: asRunId('old') } as RunEvent);
    store.getState().applyEvents(redo.events);
    expect(store.getState().shown.get(path)).toEqual({ runId: 'r2', isChosen: false });
  });

  test('a run selected from the history stays when another starts, until the user starts one', () => {
    const store = createLiveRuns();
    store.getState().choose(path, asRunId('old'));
    store.getState().applyEvents(startedRun('r1').events);
    expect(store.getState().shown.get(path)?.runId).toBe('old');
    store.getState().announce({ runId: asRunId('r2'), path, definition: null });
    expect(store.getState().shown.get(path)).toEqual({ runId: 'r2', isChosen: false });
  });

  test('an announced run is queued until its first event', () => {
    const store = createLiveRuns();
    store.getState().announce({ runId: asRunId('r1'), path, definition: null });
    const before = selectShownRun(store.getState(), path)?.state;
    store.getState().applyEvents(startedRun('r1').events);
    const after = selectShownRun(store.getState(), path)?.state;
    expect([before?.status, before?.sourcePath, after?.status]).toEqual(['queued', path, 'running']);
  });

  test('canceling is shown from the request to its event', () => {
    const store = createLiveRuns();
    const run = startedRun('r1');
    store.getState().applyEvents(run.events);
    store.getState().setCancelling(asRunId('r1'), true);
    store.getState().applyEvents([run.tell(nodeStart('a'))]);
    const meanwhile = selectShownRun(store.getState(), path)?.isCancelling;
    store.getState().applyEvents([run.tell(runEnd('cancelled'))]);
    const { isCancelling, state } = selectShownRun(store.getState(), path) ?? {};
    expect([meanwhile, isCancelling, state?.status]).toEqual([true, false, 'cancelled']);
  });

  test('nothing is running in an interrupted run, and completed work is kept', () => {
    const store = createLiveRuns();
    const run = startedRun('r1');
    for (const event of [nodeStart('a'), nodeComplete('a'), nodeStart('b')]) run.tell(event);
    run.tell({ type: 'agent:text', content: 'half' }, 'b');
    store.getState().applyEvents(run.events);
    const done = nodeOf(store, 'a');
    store.getState().markInterrupted(asRunId('r1'));
    expect(selectShownRun(store.getState(), path)?.state.status).toBe('interrupted');
    expect(nodeOf(store, 'a')).toBe(done);
    expect(nodeOf(store, 'b')).toMatchObject({ status: 'cancelled', text: 'half' });
  });

  test('a resumed run continues from the state of its stored events', () => {
    const store = createLiveRuns();
    const run = startedRun('r1');
    run.tell(nodeStart('a'));
    store.getState().applyEvents(run.events);
    store.getState().markInterrupted(asRunId('r1'));
    store.getState().markInterrupted(asRunId('r1'));
    store.getState().applyEvents([run.tell({ type: 'run:resumed' })]);
    expect(selectShownRun(store.getState(), path)?.state.status).toBe('running');
    expect(nodeOf(store, 'a')).toMatchObject({ status: 'running' });
  });

  test('an ended run that no flow shows is dropped, an active one is kept', () => {
    const store = createLiveRuns();
    const ended = startedRun('r1');
    ended.tell(runEnd('completed'));
    const running = startedRun('r2');
    store.getState().applyEvents(ended.events);
    store.getState().applyEvents(running.events);
    store.getState().applyEvents(startedRun('r3').events);
    expect([...store.getState().runs.keys()]).toEqual(['r2', 'r3']);
  });

  test('BB-34 a child run is shown live over its own file, with a link back to where it was opened', () => {
    const store = createLiveRuns();
    const run = startedRun('r1');
    run.tell(nodeStart('call'));
    const called = asRunId('called');
    const child = (event: RunEvent, task?: string) => {
      const told = run.tell(event, task);
      return { ...told, runId: called, parentRunId: asRunId('r1'), rootRunId: asRunId('r1') };
    };
    const begin = { ...runStart('sub.flow.yaml'), parentTaskId: 'node:call' } as RunEvent;
    const events = [...run.events, child(begin), child(nodeStart('inner'), 'inner')];
    store.getState().applyEvents(events);
    store.getState().chooseCalled(path, asRunId('r1'), called);
    const shown = () => selectShownRun(store.getState(), 'sub.flow.yaml');
    expect(shown()).toMatchObject({ runId: called, caller: { path, runId: 'r1' } });
    expect(shown()?.state.nodes.get('inner')?.status).toBe('running');
    store.getState().applyEvents([child(nodeComplete('inner'), 'inner'), child(runEnd('completed'))]);
    expect(shown()?.state).toMatchObject({ status: 'completed', sourcePath: 'sub.flow.yaml' });
    expect(shown()?.state.nodes.get('inner')?.status).toBe('completed');
    expect(selectShownRun(store.getState(), path)?.runId).toBe('r1');
  });
});
