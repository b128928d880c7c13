/**
 * Rules about runs as small flows that any host can run. Each case states what the log of the run must show, so that the
 * local host and a durable one are held to the same rules.
 */
import { expect } from 'vitest';
import type { JsonMap } from '../../language/json/json-value.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState, type WaitStatus } from '../../runtime/kernel/events/run-state.ts';
import { openScopes } from '../open-scopes.ts';

/** An answer to a request of the run. */
export interface GivenAnswer {
  /** Full name of the node. */
  readonly nodeId: string;
  readonly payload: JsonMap;
  /** Another answer to the same request, given directly afterwards by another person. It must be rejected. */
  readonly rival?: JsonMap;
}

/** A rule, and a run that must obey it. */
export interface HostRule {
  /** Number and text of the rule: the title of its test. */
  readonly rule: string;
  readonly flow: string;
  /** Another flow that runs in the same way, to compare the two. */
  readonly twin?: string;
  readonly inputs?: JsonMap;
  /** Files of the workspace, by path, in addition to `hostRuleFiles`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Given when the run asks, in this order. */
  readonly answers?: readonly GivenAnswer[];
  /** How long the run waits before the first answer, in milliseconds. */
  readonly waitsMs?: number;
  /** The host restarts before the first answer. */
  readonly restarts?: true;
  /** The run is canceled after the first event for which this returns true. */
  readonly cancelsAt?: (event: RunEvent) => boolean;
  /** @throws if the log breaks the rule. @param twin the run of the other flow; that of the same flow without one */
  check(run: RunLog, twin: RunLog): void;
}

/** A rule about flows that must not start, and a flow that breaks it. */
export interface RefusedFlow {
  /** Number and text of the rule: the title of its test. */
  readonly rule: string;
  readonly flow: string;
  /** Code of the finding. */
  readonly code: string;
}

/** Returns files that all cases share. @param modelUrl base URL of a model server that keeps connections open */
export const hostRuleFiles = (modelUrl: string): Readonly<Record<string, string>> => ({
  'no-home/config-user.toml': `[providers.open]\nkind = "openai-compatible"\nbase_url = "${modelUrl}"\n`,
  'millrace.policy.yaml': 'allow_full_autonomy: true\nblocked_tools: [core.file_list, act_blocked]\n',
  // Returns its parameters.
  'tools/repeat.tool.yaml':
    'tool_id: repeat\ndescription: Repeats.\nrisk: low\ninput_schema: { type: object }\nrun: { js: "return { ...input };" }\n',
  'model.yaml': 'replies: [{ match: "^Fail", error: "the service is down" }, { match: "", reply: "A reply." }]\n',
  'asks.flow.yaml':
    'flow: { name: Asks, outputs: { ok: "{{may.approved}}" } }\nnodes: [{ id: may, type: human_approval, input: { title: "May it?" } }]\nedges: []\n',
});

/** The log of a run, and what a test asks of it. */
export class RunLog {
  readonly log: readonly EventEnvelope[];
  readonly state: RunState;
  /** What the history said that the run waited for before the first answer; undefined if there was none. */
  readonly waited: WaitStatus | undefined;

  constructor(log: readonly EventEnvelope[], waited: WaitStatus | undefined) {
    this.log = log;
    this.waited = waited;
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

  /** Milliseconds during which the run was suspended. */
  get suspendedMs(): number {
    const own = this.log.filter(({ rootRunId }) => rootRunId === undefined);
    return own.reduce((sum, { event, at }, index) => {
      const before = own.slice(0, index).findLast(({ event: { type } }) => type === 'run:suspended');
      return event.type === 'run:resumed' && before !== undefined ? sum + at - before.at : sum;
    }, 0);
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
/** Returns a flow as a list of steps, each in one line. Nothing in it requires approval by itself. */
export const steps = (...list: readonly string[]): string =>
  `id: rule\nautonomy_level: full_auto\nsteps:\n${list.map((step) => `  - ${step}\n`).join('')}`;
