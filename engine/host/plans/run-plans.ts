/**
 * Plans and simulates runs without starting anything.
 */

import type { RunId } from '../../base/ids.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { AutonomyLevel } from '../../language/flow/autonomy.ts';
import { productsAt } from '../../language/flow/product-path.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import type { FlowEstimate } from '../../runtime/flow/estimate-flow.ts';
import type { NodeTypeLookup } from '../../runtime/flow/node-type.ts';
import { stepTypesOf } from '../../runtime/flow/step-run.ts';
import { refusedAutonomy } from '../../runtime/governance/autonomy.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { withAgentNodes } from '../../runtime/nodes/agent-as-type.ts';
import type { AgentJobs } from '../executor/agent-jobs.ts';
import type { FlowJobs } from '../executor/flow-jobs.ts';
import { type PreparedRun, prepareRun } from '../executor/prepare-run.ts';
import type { RerunFrom, StartRun } from '../executor/start-request.ts';
import { readLog } from '../reads/read-log.ts';
import { type LatestNodeOutput, latestOutputs, partThatRan } from '../rerun/latest-outputs.ts';
import { type NodePlan, type PlanNode, planNode } from '../rerun/node-plan.ts';
import { type PlanUpTo, planUpTo, type UpToPlan } from '../rerun/plan-up-to.ts';
import type { RerunStep } from '../rerun/rerun-step.ts';
import type { EstimateRun, RunEstimates } from './estimate-run.ts';
import {
  type PermissionPlan,
  type PermissionPlanWorld,
  type PlannedStart,
  planPermissions,
} from './permission-plan.ts';
import { predictSuggestions, whyUnpredictable } from './predict-suggestions.ts';
import { AutonomySimulation, type HeldAct, type SimulatedFlow } from './simulate-autonomy.ts';
import { type NotPredicted, sureActs } from './sure-acts.ts';

/** A request to plan a rerun. */
export type PlanRerun = RerunFrom;

/** A run in the history, and the autonomy level to simulate. */
export interface SimulateAutonomy {
  readonly runId: RunId;
  readonly level: AutonomyLevel;
}

/** The effects that another autonomy level would have held back in a run. */
export interface AutonomyReport {
  readonly level: AutonomyLevel;
  /** The run's level; null if it had none. */
  readonly ranAt: AutonomyLevel | null;
  /** How many times the run would have paused for a request, and how many suggestions it would have made. */
  readonly pauses: number;
  readonly suggestions: number;
  /** Held effects in log order; at most the first 1,000. */
  readonly acts: readonly HeldAct[];
  /** Full names of nodes that would have behaved differently, so that later effects are unknown. */
  readonly unknown?: readonly string[];
  /** Consequences of suggestions that were not predicted, with the reason; absent if there are none. */
  readonly notPredicted?: NotPredicted;
  /** Why current policies would not allow the run to start at this level; absent if they would. */
  readonly refused?: string;
}

/** Plans and simulations. None of them runs anything. */
export interface RunPlans {
  /**
   * Plans what `rerunFrom` would do, node by node in start order. Without a node, plans which nodes must run again
   * because of changes.
   */
  planRerun(request: PlanRerun): Promise<readonly RerunStep[]>;
  /**
   * Finds the earlier run to reuse when running up to a node, and plans the result; undefined if none of the flow's
   * runs has ended.
   * @throws EngineError as `rerunFrom` does
   */
  planUpTo(request: PlanUpTo): Promise<UpToPlan | undefined>;
  /**
   * Estimates the time, tokens and cost of a run of a flow, or of a rerun, from the latest runs. Undefined for a rerun of
   * an agent. @throws EngineError as the start does, except for missing secrets
   */
  estimate(request: EstimateRun): Promise<FlowEstimate | undefined>;
  /**
   * Plans what a node would receive and do if it ran alone, and which values are missing.
   * @throws EngineError `flow.invalid` | `node.not-found` | `node.in-loop`
   */
  planNode(request: PlanNode): Promise<NodePlan>;
  /**
   * Finds the permissions that a run lacks before it starts. Returns none if no person can be asked. @throws
   * EngineError as the start does
   */
  findPermissions(start: PlannedStart): Promise<PermissionPlan>;
  /**
   * Returns the latest output of a node in the flow at a path, ignoring pinned outputs; undefined if none of the latest
   * runs has an output.
   */
  latestOutput(request: { readonly path: string; readonly nodeId: string }): Promise<LatestNodeOutput | undefined>;
  /**
   * Reports where a run would have paused or only made a suggestion at another autonomy level. @throws EngineError
   * `run.not-found`
   */
  simulateAutonomy(request: SimulateAutonomy): Promise<AutonomyReport>;
  /**
   * Validates a run that another host executes, and returns what that host needs. @throws EngineError as the start
   * does, except for missing secrets
   */
  prepareRun(request: StartRun): Promise<PreparedRun>;
}

interface PlanWorld extends PermissionPlanWorld {
  readonly store: RunStore;
  readonly registry: NodeTypeLookup;
  readonly agents: Pick<AgentJobs, 'planRerun' | 'load'>;
  /** Absent if there are no policies. */
  readonly policies?: PolicySource;
}

/** Creates the planner for one store. */
export function createRunPlans(flows: FlowJobs, world: PlanWorld): RunPlans {
  let estimates: Promise<RunEstimates> | undefined;
  const openEstimates = async () => {
    const { RunEstimates: Estimates } = await import('./estimate-run.ts');
    return new Estimates(flows, { ...world, hash: world.capabilities.hash.sha256 });
  };
  return {
    planRerun: async (request) =>
      flows.recordOf(request.runId).kind === 'agent'
        ? await world.agents.planRerun(request)
        : (await flows.readRerun(request)).rerun.plan(world.registry),
    planUpTo: (request) => planUpTo(request, flows, world),
    async estimate(request) {
      if ('runId' in request && flows.recordOf(request.runId).kind === 'agent') return undefined;
      estimates ??= openEstimates();
      return await (await estimates).estimate(request);
    },
    planNode: async (request) => planNode((await flows.definitions.compiled(request)).flow, request, world),
    findPermissions: (start) => planPermissions(start, { flows, agents: world.agents }, world),
    latestOutput: async ({ path, nodeId }) => latestOutputs(path, [nodeId], world.store).get(nodeId),
    simulateAutonomy: (request) => simulated(request, flows, world),
    prepareRun: (request) => prepareRun(request, flows),
  };
}

const mostActs = 1000;
/** Number of events after which the loop yields to other work. */
const eventsAtOnce = 2000;

async function simulated(
  { runId, level }: SimulateAutonomy,
  flows: FlowJobs,
  world: PlanWorld,
): Promise<AutonomyReport> {
  const record = flows.recordOf(runId);
  const { sourcePath } = record;
  const acts: HeldAct[] = [];
  const places = new Map<string, number>();
  let ranAt: AutonomyLevel | null = null;
  let taken = 0;
  const simulation = new AutonomySimulation(level, {
    flowOf: (hash) => knownFlow(hash, { flows, ...world }),
    whole: (value) => (isValueHandle(value) ? (world.store.readValue(value.$value) ?? value) : value),
  });
  for (const envelope of readLog(world.store, runId)) {
    if (envelope.event.type === 'run:start' && envelope.runId === runId) ranAt = envelope.event.autonomy ?? null;
    acts.push(...simulation.take(envelope));
    noteFirst(places, envelope);
    if (++taken % eventsAtOnce === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  const exact = level === 'suggest_only' ? await exactly(record, acts, { ...world, flows, places }) : undefined;
  const held = exact?.acts ?? acts;
  const count = (kind: HeldAct['kind']): number => held.filter((act) => act.kind === kind).length;
  const refusal = level === 'full_auto' ? refusedAutonomy(world.policies?.(productsAt(sourcePath)) ?? []) : undefined;
  const refused = refusal === undefined ? {} : { refused: refusal.message };
  const { unknown: other = [], notPredicted } = exact ?? {};
  const unknown = other.length === 0 ? {} : { unknown: other };
  const shown = held.slice(0, mostActs);
  return {
    level,
    ranAt,
    pauses: count('pause'),
    suggestions: count('suggestion'),
    acts: shown,
    ...unknown,
    ...(notPredicted === undefined ? {} : { notPredicted }),
    ...refused,
  };
}

/** Records, for each node, the first event at which the top-level run reached it. */
function noteFirst(places: Map<string, number>, { seq, event, rootRunId }: EventEnvelope): void {
  const isTurn = event.type === 'node:input' || event.type === 'node:skipped' || event.type === 'node:reused';
  if (rootRunId === undefined && isTurn && !places.has(event.nodeId)) places.set(event.nodeId, seq);
}

interface Exactly {
  readonly acts: readonly HeldAct[];
  readonly unknown?: readonly string[];
  readonly notPredicted?: NotPredicted;
}

/**
 * Returns the suggestions that would have been made, including their consequences. If these cannot be predicted,
 * returns only what the log proves. Calls chosen by models are taken from the log if the model would have received the
 * same prompt.
 */
async function exactly(
  record: RunRecord,
  acts: readonly HeldAct[],
  {
    flows,
    places,
    registry,
    store,
  }: Pick<PlanWorld, 'registry' | 'store'> & { readonly flows: FlowJobs; readonly places: ReadonlyMap<string, number> },
): Promise<Exactly> {
  if (record.kind !== 'flow') return { acts, ...notPredicted(acts, { why: 'the run is one of an agent', nodes: [] }) };
  const run = flows.history.read(record);
  const types = withAgentNodes(registry, run.flow.types);
  const start = partThatRan(record.runId, store);
  const ofPart = start.part !== undefined || start.pins !== undefined;
  const why = ofPart ? 'only part of the flow ran, or outputs were pinned' : whyUnpredictable(run.flow, types);
  if (why !== undefined) {
    const sure = sureActs(run.flow, acts);
    return { acts: sure.acts, ...notPredicted(acts, { why, nodes: sure.nodes }) };
  }
  const { suggestions, ran, unknown } = await predictSuggestions(run, types);
  const last = Math.max(0, ...places.values());
  const own = suggestions.map(
    ({ nodeId, ...suggestion }): HeldAct => ({
      ...{ seq: places.get(nodeId) ?? last, kind: 'suggestion', nodeId },
      ...suggestion,
    }),
  );
  const ofModels = acts.filter(({ byModel, nodeId }) => byModel === true && ran.has(nodeId));
  return { acts: [...own, ...ofModels].toSorted((a, b) => a.seq - b.seq), unknown };
}

/**
 * Returns the part of a report about consequences that were not predicted; empty if nothing is held back, because then
 * nothing changes.
 */
function notPredicted(acts: readonly HeldAct[], found: NotPredicted): { readonly notPredicted?: NotPredicted } {
  return acts.length === 0 ? {} : { notPredicted: found };
}

function knownFlow(
  hash: string,
  { flows, store, registry }: PlanWorld & { readonly flows: FlowJobs },
): SimulatedFlow | undefined {
  const definition = store.readDefinition(hash);
  if (definition === undefined) return undefined;
  const flow = flows.definitions.former(definition);
  const types = withAgentNodes(registry, flow.types);
  return { flow, registry: flow.dialect === undefined ? types : stepTypesOf(types) };
}
