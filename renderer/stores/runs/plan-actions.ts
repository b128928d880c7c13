/**
 * Plans what runs of the text on screen would do before they are started.
 */
import { asRunId, type JsonValue, type RunId, type RunPart, type RunState } from '../../../engine/isomorphic.ts';
import type { EngineResult } from '../../bridge/engine-client.ts';
import type { OpenFile } from '../text/file.ts';
import type { ActionContext } from './action-context.ts';
import { formerRun } from './former-runs.ts';
import { noPins } from './pins.ts';

/** What a rerun would do with each node, in start order. */
export type RerunPlan = EngineResult<'planRerun'>;

/** What a run will probably take and cost. */
export type ShownEstimate = NonNullable<EngineResult<'estimate'>>;

/** The inputs and effects of a node that runs alone. */
export type NodePlan = EngineResult<'planNode'>;

/** An ended run to rerun, from a node or up to one. */
export interface RerunTarget {
  readonly path: string;
  readonly runId: RunId;
  /** All nodes from here on run again. Undefined to run what has changed or has no result. */
  readonly nodeId?: string;
  /** `seq` of the event after which nothing is reused, so that everything later runs again. */
  readonly until?: number;
  /** Limits the rerun to this part. */
  readonly part?: RunPart;
  /** Outputs that the user gives nodes for this run only. */
  readonly given?: Readonly<Record<string, JsonValue>>;
  /** Runs this text instead of the one on screen, which does not change. */
  readonly text?: string;
}

/** How many nodes a rerun would run again or reuse. */
export interface ChangePlan {
  readonly runs: number;
  readonly reused: number;
  /** Nodes that run only if an earlier one has another result. */
  readonly maybe: number;
  /** What the nodes that run again cost in the latest run, in US dollars. Undefined if unknown. */
  readonly costUsd: number | undefined;
}

/** The cost of more nodes is not looked up, because that reads the events of the whole run. */
const mostPriced = 200;

/** Each method throws the error of the engine. */
export interface PlanActions {
  /** Returns what `rerun` would do with the text on screen. */
  planRerun(target: RerunTarget): Promise<RerunPlan>;
  /** Estimates a run of the text on screen with its default inputs, or a rerun. Null for an agent. */
  estimate(target: string | RerunTarget): Promise<ShownEstimate | null>;
  /** Finds the run that a run up to a node would reuse outputs from. Undefined if no run has ended. */
  planUpTo(
    path: string,
    nodeId: string,
  ): Promise<{ readonly target: RerunTarget; readonly plan: RerunPlan } | undefined>;
  /** Returns what a rerun of the latest run would do with another text. Undefined if the flow has no run. */
  planChange(path: string, text: string): Promise<ChangePlan | undefined>;
  /** Returns the inputs and effects of a node of the text on screen if it ran alone. */
  planNode(path: string, nodeId: string): Promise<NodePlan>;
}

/** Returns the texts on screen, with their pins. */
export function textsOnScreen({ openFiles, pins }: Pick<ActionContext, 'openFiles' | 'pins'>) {
  const fileOf = (path: string): OpenFile | undefined => openFiles.getState().files.get(path);

  const pinsOf = (path: string, part?: RunPart) => {
    const flow = fileOf(path);
    const own = flow === undefined ? noPins : pins.getState().forRun(flow, part);
    return Object.keys(own).length === 0 ? {} : { pins: own };
  };

  const withText = ({ path, ...request }: RerunTarget) => {
    const flow = fileOf(path);
    return { ...(flow?.status === 'ready' ? { text: flow.text } : {}), ...pinsOf(path, request.part), ...request };
  };

  return { fileOf, pinsOf, withText };
}

export function createPlanActions(context: Pick<ActionContext, 'engine' | 'openFiles' | 'pins'>): PlanActions {
  const { engine } = context;
  const { fileOf, pinsOf, withText } = textsOnScreen(context);
  return {
    planRerun: (target) => engine.call('planRerun', withText(target)),
    async estimate(target) {
      const start =
        typeof target === 'string'
          ? { path: target, text: fileOf(target)?.text ?? '', inputs: {}, ...pinsOf(target) }
          : withText(target);
      return (await engine.call('estimate', start)) ?? null;
    },
    async planUpTo(path, nodeId) {
      const part = { to: nodeId };
      const flow = fileOf(path);
      const text = flow?.status === 'ready' ? { text: flow.text } : {};
      const found = await engine.call('planUpTo', { path, nodeId, ...text, ...pinsOf(path, part) });
      return found && { target: { path, runId: asRunId(found.runId), part }, plan: found.steps };
    },
    async planChange(path, text) {
      const [latest] = await engine.call('listRuns', { sourcePath: path, limit: 1 });
      if (latest === undefined) return undefined;
      const runId = asRunId(latest.runId);
      const plan = await engine.call('planRerun', withText({ path, runId, text }));
      const countOf = (...fates: readonly string[]): number => plan.filter(({ fate }) => fates.includes(fate)).length;
      const run = plan.length > mostPriced ? null : await formerRun(engine, runId);
      return {
        runs: countOf('runs'),
        reused: countOf('reused', 'pinned'),
        maybe: countOf('maybe'),
        costUsd: costOf(plan, run),
      };
    },
    planNode: (path, nodeId) =>
      engine.call('planNode', {
        ...{ path, text: fileOf(path)?.text ?? '', nodeId },
        ...pinsOf(path, { only: nodeId }),
      }),
  };
}

function costOf(plan: RerunPlan, run: RunState | null): number | undefined {
  const costs = plan.flatMap(({ nodeId, fate }) => (fate === 'runs' ? (run?.nodes.get(nodeId)?.costUsd ?? []) : []));
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
}
