/**
 * Selectors on the state and log of agents' runs, and the selection in their views.
 */

import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type EventEnvelope,
  isJsonList,
  isJsonMap,
  type NodeState,
  type RunId,
  type RunState,
} from '../../../engine/isomorphic.ts';
import type { WindowRunLog } from '../runs/live/run-log.ts';
import { text } from './text.ts';

/** Returns the inputs of a run in order, without those that have not started. */
export function inputsOf(state: RunState): readonly NodeState[] {
  return [...state.nodes.values()];
}

/** Returns the number of inputs as far as it is known. A script may have chosen other inputs than it received. */
export function countInputs({ nodes, inputs }: RunState): number {
  return Math.max(nodes.size, isJsonList(inputs) ? inputs.length : 0);
}

/** Returns the number of inputs that have ended, except those that were canceled. */
export function countEnded({ nodes }: RunState): number {
  let count = 0;
  for (const { status } of nodes.values()) {
    if (status === 'completed' || status === 'failed' || status === 'skipped') count += 1;
  }
  return count;
}

const longestName = 120;

/** Returns the name of an input: the label set by its agent, or else a name in it, its text, or its number. */
export function nameOfInput({ label, input, nodeId }: NodeState): string {
  if (label !== undefined && label !== '') return label;
  const shown = isJsonMap(input) ? (input['_display'] ?? input['path'] ?? input['name']) : input;
  if (typeof shown === 'string' && shown.trim() !== '') return shown.trim().slice(0, longestName);
  if (typeof shown === 'number' || typeof shown === 'boolean') return String(shown);
  return text.runs.inputNumber({ number: Number(nodeId.slice(nodeId.indexOf(':') + 1)) + 1 });
}

/** Returns the tokens used by an input, or 0 if there are none or they are not known. */
export function tokensOf({ usage }: NodeState): number {
  return usage === undefined ? 0 : usage.promptTokens + usage.completionTokens;
}

/** Returns the last model that a run prompted, according to the available part of its log. */
export function modelOf({ events }: WindowRunLog, runId: RunState['runId']): string | undefined {
  const asked = events.findLast((envelope) => envelope.runId === runId && envelope.event.type === 'model:request');
  return asked?.event.type === 'model:request' ? asked.event.model : undefined;
}

/** Returns the events of one input, or for null those of a run outside its inputs. */
export function logOf(
  { events }: WindowRunLog,
  runId: RunState['runId'],
  taskId: string | null,
): readonly EventEnvelope[] {
  return events.filter(
    (envelope) => envelope.runId === runId && (envelope.context.task?.id ?? taskOf(envelope)) === taskId,
  );
}

function taskOf({ event }: EventEnvelope): string | null {
  return 'taskId' in event ? (event.taskId ?? null) : null;
}

export interface AgentViews {
  /** By run: the task ID of the selected input. */
  readonly inputs: ReadonlyMap<string, string>;
  /** By path of a tab: the selected child run of the run shown there. */
  readonly called: ReadonlyMap<string, RunId>;
  selectInput(runId: RunId, taskId: string): void;
  /** Shows a child run. Null for the run shown over the tab. */
  showCalled(path: string, runId: RunId | null): void;
}

export function createAgentViews(): StoreApi<AgentViews> {
  return createStore<AgentViews>()((set, get) => ({
    inputs: new Map(),
    called: new Map(),
    selectInput: (runId, taskId) => set({ inputs: new Map(get().inputs).set(runId, taskId) }),
    showCalled(path, runId) {
      const called = new Map(get().called);
      if (runId === null) called.delete(path);
      else called.set(path, runId);
      set({ called });
    },
  }));
}
