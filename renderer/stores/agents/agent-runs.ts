/**
 * What views of agents' runs ask of state and log, and what is selected in them.
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
import type { RunLog } from '../runs/run-log.ts';

/** The inputs of a run in their order; those that were not begun are not among them. */
export function inputsOf(state: RunState): readonly NodeState[] {
  return [...state.nodes.values()];
}

/** How many inputs the run has, as far as is known: a script may have chosen others than it was given. */
export function countInputs({ nodes, inputs }: RunState): number {
  return Math.max(nodes.size, isJsonList(inputs) ? inputs.length : 0);
}

/** Inputs that have ended in any way but by a stop. */
export function countEnded({ nodes }: RunState): number {
  let count = 0;
  for (const { status } of nodes.values()) {
    if (status === 'completed' || status === 'failed' || status === 'skipped') count += 1;
  }
  return count;
}

const longestName = 120;

/** What an input is called: by its agent, else by a name in it, else by its own text, else by its number. */
export function nameOfInput({ label, input, nodeId }: NodeState): string {
  if (label !== undefined && label !== '') return label;
  const shown = isJsonMap(input) ? (input['_display'] ?? input['path'] ?? input['name']) : input;
  if (typeof shown === 'string' && shown.trim() !== '') return shown.trim().slice(0, longestName);
  if (typeof shown === 'number' || typeof shown === 'boolean') return String(shown);
  return `Input ${Number(nodeId.slice(nodeId.indexOf(':') + 1)) + 1}`;
}

/** Tokens that an input used; 0 = none, or none are known. */
export function tokensOf({ usage }: NodeState): number {
  return usage === undefined ? 0 : usage.promptTokens + usage.completionTokens;
}

/** The model that a run asked last, as far as the kept part of its log says. */
export function modelOf({ events }: RunLog, runId: RunState['runId']): string | undefined {
  const asked = events.findLast((envelope) => envelope.runId === runId && envelope.event.type === 'model:request');
  return asked?.event.type === 'model:request' ? asked.event.model : undefined;
}

/** The events of one input, or, for null, of a run outside of its inputs. */
export function logOf({ events }: RunLog, runId: RunState['runId'], taskId: string | null): readonly EventEnvelope[] {
  return events.filter(
    (envelope) => envelope.runId === runId && (envelope.context.task?.id ?? taskOf(envelope)) === taskId,
  );
}

function taskOf({ event }: EventEnvelope): string | null {
  return 'taskId' in event ? (event.taskId ?? null) : null;
}

export interface AgentViews {
  /** By run: the task id of the input that is looked at. */
  readonly inputs: ReadonlyMap<string, string>;
  /** By the path of a tab: the run, below the one that is shown there, that is looked at. */
  readonly called: ReadonlyMap<string, RunId>;
  selectInput(runId: RunId, taskId: string): void;
  /** Shows a called run; null = the run that is shown over the tab. */
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
