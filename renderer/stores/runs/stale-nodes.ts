/**
 * Finds the nodes of an edited flow that are stale in the run shown over it: those that the engine would run again.
 */
import type { StoreApi } from 'zustand/vanilla';
import { type FlowDoc, hasErrors, type JsonValue, jsonEquals } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import { loopsAround } from '../flow/loop-bodies.ts';
import type { OpenFile } from '../text/file.ts';
import type { OpenFiles } from '../text/files.ts';
import { isOver, type LiveRun, type LiveRuns } from './live/live-runs.ts';
import type { PinStore } from './pins.ts';
import { reasonText } from './run-actions.ts';
import { flowOnScreen, selectRunNow, selectShownDefinition } from './shown-run.ts';
import { text } from './text.ts';

/**
 * Milliseconds between two requests to the engine. The first edit causes a request at once; those that follow closely
 * share one.
 */
export const staleAskDelayMs = 120;

/** By node ID: why it would run again. */
type StaleNodes = ReadonlyMap<string, string>;

const nothingStale: StaleNodes = new Map();

/** Returns what a run depends on, without positions, notes, names, or the handling of failures. */
function meaningOf({ flow, nodes, edges }: FlowDoc): JsonValue {
  const meant = {
    input: flow.input,
    inputs: flow.inputs,
    nodes: nodes.map(({ id, type, input, config, when, disabled }) => ({ id, type, input, config, when, disabled })),
    edges: edges.map(({ from, to, when }) => ({ from, to, when })),
  };
  return JSON.parse(JSON.stringify(meant)) as JsonValue;
}

/**
 * Returns the plan by node. A node of a body runs again together with its loop. Nodes excluded from a partial run are
 * never stale.
 */
function staleIn({ doc, nesting }: OpenFile, { state }: LiveRun, plan: EngineResult<'planRerun'>): StaleNodes {
  const names = new Map(doc?.nodes.map(({ id, name }) => [id, name]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  const changed = plan.filter(({ fate, fromRunId }) => fate === 'runs' || fate === 'maybe' || fromRunId !== undefined);
  const whys = new Map(changed.map((step) => [step.nodeId, reasonText(step, nameOf) || text.stale.otherRun]));
  const stale = new Map<string, string>();
  for (const { id } of doc?.nodes ?? []) {
    const [loop] = loopsAround(nesting, id);
    const why = whys.get(loop ?? id);
    const isLeftOut = (state.scope !== null || state.pinned.length > 0) && !state.nodes.has(loop ?? id);
    if (why !== undefined && !isLeftOut)
      stale.set(id, loop === undefined ? why : text.stale.inLoop({ loop: nameOf(loop), reason: why }));
  }
  return stale;
}

/** An ended run over an edited text. */
interface Compared {
  readonly run: LiveRun;
  readonly file: OpenFile;
}

/**
 * Returns what is compared at a path. `same` if there is nothing to compare, `undecided` while the text cannot be run.
 */
function comparedAt(path: string, { files }: OpenFiles, runs: LiveRuns): Compared | 'same' | 'undecided' {
  const run = selectRunNow(runs, path);
  const file = files.get(path);
  if (run === undefined || file?.kind !== 'flow' || file.status !== 'ready' || !isOver(run.state)) return 'same';
  const definition = run.definition?.doc ?? null;
  if (definition === null || flowOnScreen(file, selectShownDefinition(runs, path)) !== file) return 'same';
  if (file.doc === null || file.isDocStale || file.isCheckStale || hasErrors(file.diagnostics)) return 'undecided';
  // Only the engine knows what the files used by the run's text contained.
  if (file.schemas.size > 0) return { run, file };
  return file.text === run.definition?.text || jsonEquals(meaningOf(definition), meaningOf(file.doc))
    ? 'same'
    : { run, file };
}

interface ComparedStores {
  readonly engine: EngineClient;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly pins: StoreApi<Pick<PinStore, 'forRun'>>;
}

/** Keeps the stale nodes of runs up to date. Returns a function that stops it. */
export function followStaleNodes({ engine, openFiles, liveRuns, pins }: ComparedStores): () => void {
  /** By path: the last inputs, so that unrelated changes cause no work. */
  const looked = new Map<string, readonly unknown[]>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** By path: time of the last request to the engine. */
  const askedAt = new Map<string, number>();

  const ask = async (path: string, { run, file }: Compared): Promise<void> => {
    askedAt.set(path, performance.now());
    const { runId } = run;
    const own = pins.getState().forRun(file);
    const pinned = Object.keys(own).length === 0 ? {} : { pins: own };
    const plan = await engine.call('planRerun', { runId, text: file.text, ...pinned }).catch(() => null);
    // If planning fails, such as for a deleted run, the marks do not change.
    const isMeant = openFiles.getState().files.get(path)?.doc === file.doc;
    if (plan !== null && isMeant) liveRuns.getState().setStale(runId, staleIn(file, run, plan));
  };

  const look = (path: string): void => {
    const runs = liveRuns.getState();
    const run = selectRunNow(runs, path);
    const file = openFiles.getState().files.get(path);
    const seen = [
      run?.runId,
      run?.definition,
      run?.state.status,
      runs.shown.get(path)?.isLoose,
      file?.doc,
      file?.isCheckStale,
      file?.schemas,
    ];
    if (looked.get(path)?.every((part, index) => part === seen[index]) === true) return;
    looked.set(path, seen);
    const compared = comparedAt(path, openFiles.getState(), runs);
    if (compared === 'undecided') return;
    clearTimeout(timers.get(path));
    if (compared !== 'same') {
      const pause = (askedAt.get(path) ?? Number.NEGATIVE_INFINITY) + staleAskDelayMs - performance.now();
      timers.set(
        path,
        setTimeout(() => void ask(path, compared), Math.max(0, pause)),
      );
    } else if (run !== undefined) runs.setStale(run.runId, nothingStale);
  };

  const lookAll = (): void => {
    for (const path of liveRuns.getState().shown.keys()) look(path);
  };
  const ends = [openFiles.subscribe(lookAll), liveRuns.subscribe(lookAll)];
  return () => {
    for (const end of ends) end();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
