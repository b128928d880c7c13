/**
 * Random flows with every feature, and a model that predicts how each of their nodes must end.
 */
import fc from 'fast-check';
import { z } from 'zod';
import { compileFlow } from '../language/flow/compile-flow.ts';
import type { CompiledFlow } from '../language/flow/compiled-flow.ts';
import type { EdgeDoc, NodeDoc, WhenExpr } from '../language/flow/flow-doc.ts';
import type { NodeEffects } from '../language/types/node-type-spec.ts';
import { defineNodeType, type NodeType } from '../runtime/flow/node-type.ts';
import { stuckNode, testNode } from './test-node.ts';

type Kind =
  | 'echo'
  | 'wait'
  | 'fail'
  | 'late'
  | 'flaky'
  | 'act'
  | 'loop'
  | 'failing loop'
  | 'tolerant loop'
  | 'late loop'
  | 'stuck'
  | 'asks'
  | 'asks outside'
  | 'call';

/** How a node must end, unless the run ends before it. */
export type Fate = 'completed' | 'failed' | 'skipped: disabled' | 'skipped: edge' | 'skipped: when';

/** When an edge fires, depending on the result of its source. */
type EdgeCondition = 'always' | 'never' | 'if failed' | 'unless skipped';

const kinds: readonly Kind[] = [
  'echo',
  'wait',
  'fail',
  'late',
  'flaky',
  'act',
  'loop',
  'failing loop',
  'tolerant loop',
  'late loop',
];

/** Kinds of nodes that wait for people, or call a flow that does. */
const waitingKinds: readonly Kind[] = [...kinds, 'asks', 'asks', 'asks outside', 'call'];

const nodePlansOf = (from: readonly Kind[]) =>
  fc.record({
    kind: fc.constantFrom(...from),
    /** Result of its `when`; undefined if it has none. */
    when: fc.constantFrom(undefined, undefined, undefined, true, false),
    isDisabled: fc.constantFrom(false, false, false, false, true),
    continueOnError: fc.constantFrom(undefined, true, false),
    ms: fc.integer({ min: 1, max: 20 }),
  });

const links = fc.tuple(
  fc.nat(9),
  fc.nat(9),
  fc.constantFrom<EdgeCondition>('always', 'always', 'always', 'never', 'if failed', 'unless skipped'),
);

const flowPlansOf = (from: readonly Kind[]) =>
  fc.record({
    nodes: fc.array(nodePlansOf(from), { minLength: 1, maxLength: 10 }),
    /** Pairs of positions. The smaller one of a pair comes first, to avoid cycles. */
    links: fc.array(links, { maxLength: 16 }),
    failFast: fc.boolean(),
    maxParallel: fc.integer({ min: 1, max: 4 }),
    /** How far the nodes are rotated in the file, which determines which starts first. */
    turn: fc.nat(9),
  });

/** Random plans of flows. */
export const flowPlans = flowPlansOf(kinds);

/** Random plans that include nodes that ask and nodes that call a flow, which needs the capability. */
export const waitingFlowPlans = flowPlansOf(waitingKinds);

export type FlowPlan = typeof flowPlans extends fc.Arbitrary<infer Plan> ? Plan : never;
type NodePlan = FlowPlan['nodes'][number];

/** Returns the plan with one node replaced by a node that never settles and ignores its signal. */
export function withStuckNode(plan: FlowPlan, place: number): FlowPlan {
  const at = place % plan.nodes.length;
  // Random plans never contain it, because without cancellation such a run does not end.
  const stuck = { ...plan.nodes[at], kind: 'stuck' } as unknown as NodePlan;
  return { ...plan, nodes: plan.nodes.map((node, index) => (index === at ? stuck : node)) };
}

/** Types that random flows use in addition to the built-in ones. `acted` receives the id of each `act` that runs. */
export function randomFlowTypes(acted: string[] = []): readonly NodeType[] {
  const failures = new Map<string, number>();
  const act = testNode(
    'test.act',
    async ({ nodeId }) => {
      acted.push(nodeId);
      return { text: nodeId };
    },
    'external',
  );
  const flaky = testNode('test.flaky', async ({ nodeId }) => {
    const before = failures.get(nodeId) ?? 0;
    failures.set(nodeId, before + 1);
    if (before < 2) throw new Error(`failure ${before}`);
    return { text: nodeId };
  });
  return [act, flaky, stuckNode, askingNode('test.asks', 'pure'), askingNode('test.asks-outside', 'external')];
}

/** Asks two questions at once, then calls a model, then asks a third question. */
function askingNode(type: string, effects: NodeEffects): NodeType {
  return defineNodeType(
    {
      ...{ type, title: type, description: 'Made for a test.', category: 'flow', icon: 'box', effects },
      inputSchema: z.object({}),
      configSchema: z.object({}),
      outputSchema: z.object({ text: z.string() }),
    },
    {
      capabilities: ['ask', 'model'],
      async run({ nodeId, can, signal }) {
        const ask = (key: string) => can.ask(key, { kind: 'approval', title: `${nodeId} ${key}` });
        const both = await Promise.all([ask('one'), ask('other')]);
        const messages = [{ role: 'user', content: nodeId }] as const;
        const { text } = await can.model.ask({ model: undefined, messages }, { signal, onText: () => undefined });
        const last = await ask('last');
        return { text: [text, ...[...both, last].map(({ by = '' }) => by)].join(' ') };
      },
    },
  );
}

export interface RandomFlow {
  readonly flow: CompiledFlow;
  readonly fates: ReadonlyMap<string, Fate>;
  /** Whether the node's failure ends the run. */
  endsRun(nodeId: string): boolean;
}

/** Returns the flow of a plan and its expected results. */
export function randomFlow(plan: FlowPlan): RandomFlow {
  const edges = edgesOf(plan);
  const nodes = plan.nodes.flatMap((node, index) => nodesOf(node, idOf(index), edges));
  const turned = [...nodes.slice(plan.turn), ...nodes.slice(0, plan.turn)];
  const { failFast, maxParallel } = plan;
  const docs = edges.map(({ from, to, condition }): EdgeDoc => {
    const when = whenOf(condition, from);
    return when === undefined ? { from, to } : { from, to, when };
  });
  // Adds an edge in the body of a tolerant loop, because the output of a node parallel to a failing one would depend on
  // timing.
  const inBodies = plan.nodes.flatMap(({ kind }, index): EdgeDoc[] =>
    kind === 'tolerant loop' ? [{ from: `said_${idOf(index)}`, to: `last_${idOf(index)}` }] : [],
  );
  return {
    flow: compileFlow({
      flow: { name: 'random', policy: { failFast, maxParallel } },
      nodes: turned,
      edges: [...docs, ...inBodies],
    }),
    fates: fatesOf(plan, edges),
    endsRun(nodeId) {
      const own = plan.nodes[Number(nodeId.slice(1))]?.continueOnError;
      return own === undefined ? failFast : !own;
    },
  };
}

interface PlannedEdge {
  readonly from: string;
  readonly to: string;
  readonly condition: EdgeCondition;
}

function idOf(index: number): string {
  return `n${index}`;
}

function edgesOf({ nodes, links: pairs }: FlowPlan): readonly PlannedEdge[] {
  return pairs.flatMap(([one, other, condition]) => {
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    return from === to || to >= nodes.length ? [] : [{ from: idOf(from), to: idOf(to), condition }];
  });
}

function whenOf(condition: EdgeCondition, from: string): WhenExpr | undefined {
  switch (condition) {
    case 'always':
      return undefined;
    case 'never':
      return { exists: `${from}.nothing` };
    case 'if failed':
      return { equals: { var: `${from}.failed`, value: true } };
    case 'unless skipped':
      return { not: { equals: { var: `${from}.skipped`, value: true } } };
  }
}

function nodesOf(plan: NodePlan, id: string, edges: readonly PlannedEdge[]): readonly NodeDoc[] {
  const { kind, when, isDisabled, continueOnError } = plan;
  const policy = continueOnError === undefined ? {} : { continueOnError };
  const sources = [...new Set(edges.filter(({ to }) => to === id).map(({ from }) => from))];
  const text = `${id}(${sources.map((from) => `{{?${from}.text}}`).join(' ')})`;
  const shared = {
    id,
    ...(when === undefined ? {} : { when: when ? { not: { exists: 'flow.none' } } : { exists: 'flow.none' } }),
    ...(isDisabled ? { disabled: true } : {}),
  };
  if (kind.endsWith('loop')) return loopOf(plan, { ...shared, policy: { ...policy, ...limitsOf(kind) } }, text);
  return [{ ...shared, ...workOf(plan, text), policy: { ...policy, ...limitsOf(kind) } }];
}

function workOf({ kind, ms }: NodePlan, text: string): Pick<NodeDoc, 'type' | 'input'> {
  switch (kind as Kind) {
    case 'wait':
      return { type: 'control.wait', input: { ms } };
    case 'late':
      return { type: 'control.wait', input: { ms: 100 + ms } };
    case 'fail':
      return { type: 'control.fail', input: { message: text } };
    case 'flaky':
      return { type: 'test.flaky', input: {} };
    case 'act':
      return { type: 'test.act', input: {} };
    case 'stuck':
      return { type: 'stuck', input: {} };
    case 'asks':
      return { type: 'test.asks', input: {} };
    case 'asks outside':
      return { type: 'test.asks-outside', input: {} };
    case 'call':
      return { type: 'flow', input: { flow: 'called.flow.yaml' } };
    default:
      return { type: 'echo', input: { text } };
  }
}

function limitsOf(kind: Kind): NodeDoc['policy'] {
  if (kind === 'late loop') return { timeoutMs: 50 };
  if (kind === 'late') return { timeoutMs: 50, retry: { maxAttempts: 2, backoffMs: 3 } };
  if (kind === 'fail') return { retry: { maxAttempts: 2, backoffMs: 0 } };
  return kind === 'flaky' ? { retry: { maxAttempts: 6, backoffMs: 2 } } : {};
}

/** Returns a loop over three items, and its body. In the failing kinds, the body of the second item fails. */
function loopOf({ kind, ms }: NodePlan, shared: Omit<NodeDoc, 'type' | 'input'>, text: string): readonly NodeDoc[] {
  const [said, last] = [`said_${shared.id}`, `last_${shared.id}`];
  const input = { items: [0, 1, 2], body: [said, last], maxParallel: 1 + (ms % 3), tolerate: kind === 'tolerant loop' };
  const fails = { type: 'control.fail', input: { message: 'item' }, when: { equals: { var: 'item', value: 1 } } };
  const waits = { type: 'control.wait', input: { ms: kind === 'late loop' ? 100 + ms : ms } };
  const own = kind === 'loop' || kind === 'late loop' ? waits : { ...fails, policy: { continueOnError: false } };
  return [
    { ...shared, type: 'control.foreach', input },
    { id: said, type: 'echo', input: { text: `${text} {{item}}` } },
    { id: last, ...own },
  ];
}

function fatesOf({ nodes }: FlowPlan, edges: readonly PlannedEdge[]): ReadonlyMap<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const [index, plan] of nodes.entries()) {
    const id = idOf(index);
    const incoming = edges.filter(({ to }) => to === id);
    const isReached = incoming.length === 0 || incoming.some((edge) => fires(edge, fates));
    fates.set(id, fateOf(plan, isReached));
  }
  return fates;
}

function fateOf({ kind, when, isDisabled }: NodePlan, isReached: boolean): Fate {
  if (isDisabled) return 'skipped: disabled';
  if (!isReached) return 'skipped: edge';
  if (when === false) return 'skipped: when';
  return ['fail', 'late', 'failing loop', 'late loop'].includes(kind) ? 'failed' : 'completed';
}

function fires({ from, condition }: PlannedEdge, fates: ReadonlyMap<string, Fate>): boolean {
  const fate = fates.get(from);
  if (condition === 'if failed') return fate === 'failed';
  return condition === 'always' || (condition === 'unless skipped' && fate?.startsWith('skipped') === false);
}
