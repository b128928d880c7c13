/**
 * Rules about runs as small flows that any host can run. Each case states what the log of the run must show, so that the
 * local host and a durable one are held to the same rules.
 */
import { expect } from 'vitest';
import type { JsonMap } from '../../language/json/json-value.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../../runtime/kernel/events/run-state.ts';
import { openScopes } from '../open-scopes.ts';

/** An answer to a request of the run. */
export interface GivenAnswer {
  /** Full name of the node. */
  readonly nodeId: string;
  readonly payload: JsonMap;
}

/** A rule, and a run that must obey it. */
export interface HostRule {
  /** Number and text of the rule: the title of its test. */
  readonly rule: string;
  readonly flow: string;
  readonly inputs?: JsonMap;
  /** Files of the workspace, by path, in addition to `hostRuleFiles`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Given when the run asks, in this order. */
  readonly answers?: readonly GivenAnswer[];
  /** The host restarts before the first answer. */
  readonly restarts?: true;
  /** The run is canceled after the first event for which this returns true. */
  readonly cancelsAt?: (event: RunEvent) => boolean;
  /** @throws if the log breaks the rule */
  check(run: RunLog): void;
}

/** Files that all cases share. */
export const hostRuleFiles: Readonly<Record<string, string>> = {
  'model.yaml': 'replies: [{ match: "^Fail", error: "the service is down" }, { match: "", reply: "A reply." }]\n',
  'asks.flow.yaml':
    'flow: { name: Asks, outputs: { ok: "{{may.approved}}" } }\nnodes: [{ id: may, type: human_approval, input: { title: "May it?" } }]\nedges: []\n',
};

/** The log of a run, and what a test asks of it. */
export class RunLog {
  readonly log: readonly EventEnvelope[];
  readonly state: RunState;

  constructor(log: readonly EventEnvelope[]) {
    this.log = log;
    this.state = foldRun(emptyRunState, log);
  }

  /** Events of the root run. */
  get events(): readonly RunEvent[] {
    return this.log.flatMap(({ rootRunId, event }) => (rootRunId === undefined ? [event] : []));
  }

  get types(): readonly string[] {
    return this.events.map(({ type }) => type);
  }

  of<Type extends RunEvent['type']>(type: Type): readonly Extract<RunEvent, { type: Type }>[] {
    return this.events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);
  }

  /** Nodes in the order in which their tasks started. */
  get started(): readonly string[] {
    return this.of('task:start').map(({ nodeId }) => nodeId ?? '');
  }

  /** Position of a node's first event of a type in the log; -1 if there is none. */
  at(type: RunEvent['type'], nodeId: string): number {
    return this.events.findIndex((event) => event.type === type && 'nodeId' in event && event.nodeId === nodeId);
  }

  output(nodeId: string): unknown {
    return this.state.nodes.get(nodeId)?.output;
  }

  status(nodeId: string): string | undefined {
    return this.state.nodes.get(nodeId)?.status;
  }

  /** Every log is complete and numbered without gaps, and opens nothing that it does not close. */
  checkWhole(): void {
    expect(this.log.map(({ seq }) => seq)).toEqual(this.log.map((_, index) => index));
    if (this.types[0] === 'run:refused') return;
    expect(openScopes(this.log)).toEqual([]);
    expect(this.types[0]).toBe('run:start');
    expect(this.types.at(-1)).toBe('run:end');
  }
}

/** A node that fails. */
export const fails = '{ id: bad, type: control.fail, input: { message: "no" } }';
/** Returns a node that repeats a text. */
export const echo = (id: string, text = id): string => `{ id: ${id}, type: echo, input: { text: "${text}" } }`;
/** Returns the text of a flow. @param more further fields of `flow` */
export const flow = (nodes: readonly string[], edges: readonly string[] = [], more = ''): string =>
  `flow: { name: Rule${more} }\nnodes:\n${nodes.map((node) => `  - ${node}\n`).join('')}edges:${
    edges.length === 0 ? ' []' : `\n${edges.map((edge) => `  - ${edge}\n`).join('')}`
  }\n`;
/** Returns an edge. */
export const edge = (from: string, to: string): string => `{ from: ${from}, to: ${to} }`;
/** A policy under which the flow goes on after failures. */
export const tolerant = ', policy: { failFast: false }';
