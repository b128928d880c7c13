/**
 * The job of running a flow that is checked and recorded.
 */
import type { RunId } from '../base/ids.ts';
import { type RunOrigin, runRoot } from '../flow/run-root.ts';
import type { ReuseSource, TakenOutputs } from '../flow/run-scope.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import { FlowSource } from '../flowspec/flow-source.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import { productOfPath } from '../flowspec/product-path.ts';
import { unpackDefinition } from '../flowspec/stored-definition.ts';
import type { RunSecrets } from '../kernel/run-secrets.ts';
import { withAgentNodes } from '../nodes/agent-as-type.ts';
import type { Continuation } from './continuation.ts';
import type { FlowCalls, FlowCallWorld, FlowWorld } from './flow-caller.ts';
import type { AnswersOfRuns } from './run-answers.ts';
import type { RunJob } from './run-job.ts';

/** A run of a flow that is recorded. */
export interface FlowTask {
  readonly runId: RunId;
  readonly number: number;
  readonly flow: CompiledFlow;
  /** What it was compiled from, as the history keeps it. */
  readonly definition: string;
  readonly inputs: JsonMap;
  readonly origin: RunOrigin;
  /** Where an earlier process stopped, and what a person said to it; absent for a run that has no events yet. */
  readonly continuation?: Continuation;
  /** Results of an earlier run to take over. */
  readonly reuse?: ReuseSource;
  readonly taken?: TakenOutputs;
  readonly secrets?: RunSecrets;
}

/** What a job needs beside what all flows work with. */
interface FlowJobWorld extends FlowWorld, Pick<FlowCallWorld, 'unseen'> {
  readonly answers: AnswersOfRuns;
}

/** The job of running a flow, from its start or from where it stopped. */
export function createFlowJob(task: FlowTask, world: FlowJobWorld, calls: FlowCalls): RunJob {
  const { registry, clock, ids, inboxes, answers } = world;
  const { runId, number, flow, definition, inputs, origin, continuation, reuse, taken, secrets } = task;
  const { text, schemas: files } = unpackDefinition(definition);
  const capabilities = calls.capabilitiesOf({ path: origin.sourcePath, files, above: [] });
  return {
    runId,
    number,
    kind: 'flow',
    name: flow.name,
    origin,
    firstSeq: continuation === undefined ? 0 : continuation.point.lastSeq + 1,
    execute({ hub, scope, budgetsLeft }) {
      const request = {
        ...{ flow, registry: withAgentNodes(registry, flow.types), inputs, clock, ids, capabilities, inboxes },
        source: new FlowSource(origin.sourcePath, text),
        budgetsLeft,
        ...(continuation === undefined ? {} : { resume: continuation.point }),
        ...(reuse === undefined ? {} : { reuse }),
        answers: answers.open(runId),
        ...(taken === undefined ? {} : { taken }),
        ...(secrets === undefined ? {} : { secrets }),
      };
      const isUnseen = world.unseen?.(origin.sourcePath, text) !== undefined;
      const own = hub.with({ secrets, product: productOfPath(origin.sourcePath), isUnseen });
      return runRoot(request, own, continuation?.resumed ?? origin, scope).finally(() => answers.forget(runId));
    },
  };
}
