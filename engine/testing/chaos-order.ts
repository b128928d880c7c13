/**
 * What the chaos test and the processes that it kills say to each other.
 */
import type { RunId } from '../base/ids.ts';
import { askNodes } from './chaos-asks.ts';
import { blockNodes } from './chaos-blocks.ts';
import { bodyNodes } from './chaos-flow.ts';

/** What a process is to do. */
export interface ChaosOrder {
  /**
   * What a new run is of: the flow of `chaos-flow.ts`; of `chaos-agents.ts`, an agent or the flow with agents; the flows of
   * `chaos-calls.ts`; those of `chaos-blocks.ts`; those of `chaos-asks.ts`; or that of `chaos-tools.ts`.
   */
  readonly subject?: 'agent' | 'agents' | 'flows' | 'blocks' | 'asks' | 'tools';
  /** Which process of its run it is, from 0; goes into the journal. */
  readonly session: number;
  /** The run to go on with; without it a new one starts. */
  readonly runId?: RunId;
  readonly approve?: true;
  /** Full name of the node that was cut and is approved, where others wait too. */
  readonly nodeId?: string;
  /** Ends the process as a crash would, around the commit of the event with this number. */
  readonly crash?: { readonly seq: number; readonly when: 'before' | 'after' };
}

/** What stands in the journal, one JSON line each: written before and after the work, whatever the history says. */
export interface JournalLine {
  readonly session: number;
  readonly moment: 'start' | 'end';
  readonly work: string;
}

/** What the process says. */
export type ChaosNews =
  | { readonly type: 'accepted'; readonly runId: RunId }
  | { readonly type: 'told'; readonly seq: number }
  | { readonly type: 'over'; readonly status: string };

/** Nodes whose work is told by what they are given. */
const told = [...bodyNodes, ...blockNodes, ...askNodes];

/** Names one piece of work: a node, or what a node of a loop or a called flow does for what it is given. */
export function workOf(nodeId: string, input: unknown): string {
  return told.includes(nodeId) ? `${nodeId} ${JSON.stringify(input)}` : nodeId;
}
