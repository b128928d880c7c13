/**
 * Messages between the chaos test and the processes that it kills.
 */
import type { RunId } from '../base/ids.ts';
import { askNodes } from './chaos-asks.ts';
import { blockNodes } from './chaos-blocks.ts';
import { bodyNodes } from './chaos-flow.ts';

/** Instructions for a process. */
export interface ChaosOrder {
  /**
   * What a new run executes: the flow of `chaos-flow.ts` by default; an agent or the flow with agents of
   * `chaos-agents.ts`; the flows of `chaos-calls.ts`, `chaos-blocks.ts` or `chaos-asks.ts`; or that of
   * `chaos-tools.ts`.
   */
  readonly subject?: 'agent' | 'agents' | 'flows' | 'blocks' | 'asks' | 'tools';
  /** Index of the process within its run, from 0; recorded in the journal. */
  readonly session: number;
  /** The run to resume; without it a new one starts. */
  readonly runId?: RunId;
  readonly approve?: true;
  /** Full name of the interrupted node to approve if others are waiting too. */
  readonly nodeId?: string;
  /** Ends the process like a crash, around the commit of the event with this number. */
  readonly crash?: { readonly seq: number; readonly when: 'before' | 'after' };
}

/** Content of the journal, one JSON line each: written before and after the work, independently of the history. */
export interface JournalLine {
  readonly session: number;
  readonly moment: 'start' | 'end';
  readonly work: string;
}

/** Messages of the process. */
export type ChaosNews =
  | { readonly type: 'accepted'; readonly runId: RunId }
  | { readonly type: 'told'; readonly seq: number }
  | { readonly type: 'over'; readonly status: string };

/** Nodes that are identified by their input. */
const told = [...bodyNodes, ...blockNodes, ...askNodes];

/** Returns the name of a piece of work: the node, with its input for nodes in loops and called flows. */
export function workOf(nodeId: string, input: unknown): string {
  return told.includes(nodeId) ? `${nodeId} ${JSON.stringify(input)}` : nodeId;
}
