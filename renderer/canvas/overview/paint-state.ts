/**
 * Tracks the state that painted cards depend on: the run, the selected items and the theme.
 */

import type { CardContent } from '../../card/card-content.ts';
import { restState } from '../../card/card-state.ts';
import { type PaintTokens, readTokens } from '../../card/card-tokens.ts';
import type { LiveRun } from '../../stores/runs/live/live-runs.ts';
import { shownItems } from '../../stores/runs/live/shown-items.ts';
import { placeInRun, selectShownRun, shownStateOf } from '../../stores/runs/shown-run.ts';
import type { Stores } from '../../stores/stores.ts';
import { type FlowViewState, initialFlowView } from '../../stores/window/selection.ts';
import type { VisualState } from '../../ui/state-icon.tsx';
import { type EdgeState, edgeInRun } from '../edges/edge-state.ts';
import type { SceneEdge } from './overview-scene.ts';

/** A canvas that shows the cards of a flow. */
export interface PaintedFlow {
  readonly canvas: HTMLCanvasElement;
  readonly stores: Stores;
  readonly path: string;
}

export interface PaintState {
  readonly states: OverviewStates;
  readonly tokens: PaintTokens;
}

interface PaintStateFollower {
  current(): PaintState;
  stop(): void;
}

/** Tracks the states and style tokens of a flow. Calls `onChange` when they change. */
export function followPaintState({ canvas, stores, path }: PaintedFlow, onChange: () => void): PaintStateFollower {
  let tokens = readTokens(canvas);
  let states = readStates(stores, path);
  const ends = [
    followStates(stores, path, (next) => {
      states = next;
      onChange();
    }),
    followTheme(() => {
      tokens = readTokens(canvas);
      onChange();
    }),
  ];
  return {
    current: () => ({ states, tokens }),
    stop() {
      for (const end of ends) end();
    },
  };
}

/**
 * Runs work on the first request of a frame, so that it moves together with the page. Runs it once more if further
 * requests arrive in the same frame.
 */
export function oncePerFrame(work: () => void): { ask: () => void; stop: () => void } {
  let frame = 0;
  let isOutdated = false;
  const ask = (): void => {
    isOutdated = frame !== 0;
    if (isOutdated) return;
    work();
    frame = requestAnimationFrame(() => {
      frame = 0;
      if (isOutdated) ask();
    });
  };
  return { ask, stop: () => cancelAnimationFrame(frame) };
}

/** Resizes a canvas to a size in CSS pixels, at the resolution of the screen. */
export function fitSize(canvas: HTMLCanvasElement, { width, height }: { width: number; height: number }): void {
  const [pixelWidth, pixelHeight] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
  // Setting the size clears the canvas, even if the size is the same.
  if (canvas.width === pixelWidth && canvas.height === pixelHeight) return;
  canvas.width = pixelWidth;
  canvas.height = pixelHeight;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}

function readStates({ liveRuns, selection }: Stores, path: string): OverviewStates {
  return overviewStates(selectShownRun(liveRuns.getState(), path), itemsOf(selection.getState().views, path));
}

function itemsOf(views: ReadonlyMap<string, FlowViewState>, path: string): FlowViewState['items'] {
  return (views.get(path) ?? initialFlowView).items;
}

function followStates(stores: Stores, path: string, onChange: (states: OverviewStates) => void): () => void {
  const { liveRuns, selection } = stores;
  const update = (): void => onChange(readStates(stores, path));
  const ends = [
    liveRuns.subscribe((state, before) => {
      if (selectShownRun(state, path) !== selectShownRun(before, path)) update();
    }),
    selection.subscribe(({ views }, before) => {
      if (itemsOf(views, path) !== itemsOf(before.views, path)) update();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function followTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-contrast'] });
  return () => observer.disconnect();
}

export interface OverviewStates {
  ofCard(content: CardContent): VisualState;
  ofEdge(edge: SceneEdge): EdgeState;
}

/** Returns the states in a run. The run is undefined if none is shown. */
function overviewStates(run: LiveRun | undefined, items: FlowViewState['items']): OverviewStates {
  if (run === undefined) return { ofCard: (content) => restState(content, 'idle'), ofEdge: () => 'idle' };
  return {
    ofCard(content) {
      const { nodeId, isTolerated, compared } = content;
      if (compared?.isSame === false) return 'stale';
      const all = shownItems(run, nodeId, { chosen: items, isTolerated });
      if (all !== null) return all.state;
      const place = placeInRun(run, nodeId, items);
      const node = run.state.nodes.get(place);
      const shown = shownStateOf(run, { nodeId, place, isTolerated });
      return node === undefined ? restState(content, shown) : shown;
    },
    ofEdge: (edge) => edgeInRun(run, edge, items),
  };
}
