/**
 * Creates the job that runs a validated and recorded flow.
 */
import type { RunId } from '../../base/ids.ts';
import type { CompiledFlow } from '../../language/flow/compiled-flow.ts';
import { FlowSource } from '../../language/flow/flow-source.ts';
import { productOfPath } from '../../language/flow/product-path.ts';
import { unpackDefinition } from '../../language/flow/stored-definition.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { type RunOrigin, runRoot } from '../../runtime/flow/run-root.ts';
import type { ReuseSource, TakenOutputs } from '../../runtime/flow/run-scope.ts';
import type { RunHost } from '../../runtime/kernel/capabilities/run-host.ts';
import type { RunSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import { withAgentNodes } from '../../runtime/nodes/agent-as-type.ts';
import type { Continuation } from './continuation.ts';
import type { FlowCalls, FlowCallWorld, FlowWorld } from './flow-caller.ts';
import type { AnswersOfRuns } from './run-answers.ts';
import type { RunJob } from './run-job.ts';

/** A recorded run of a flow. */
export interface FlowTask {
  readonly runId: RunId;
  readonly number: number;
  readonly flow: CompiledFlow;
  /** Its definition as stored in the history. */
  readonly definition: string;
  readonly inputs: JsonMap;
  readonly origin: RunOrigin;
  /**
   * The point at which an earlier process stopped, and a person's decision about it; absent for a run without events.
   */
  readonly continuation?: Continuation;
  /** Results of an earlier run to reuse. */
  readonly reuse?: ReuseSource;
  readonly taken?: TakenOutputs;
  readonly secrets?: RunSecrets;
  /** The host that repeats the run after a restart. Absent for this process, which resumes it from the log. */
  readonly host?: RunHost;
}

/** Dependencies of a job, in addition to the common dependencies of flows. */
interface FlowJobWorld extends FlowWorld, Pick<FlowCallWorld, 'unseen'> {
  /** Absent if the host delivers answers. */
  readonly answers?: AnswersOfRuns;
}

/** Creates the job that runs a flow, from its start or from where it stopped. */
export function createFlowJob(task: FlowTask, world: FlowJobWorld, calls: FlowCalls): RunJob {
  const { registry, clock, ids, inboxes, answers } = world;
  const { runId, number, flow, definition, inputs, origin, continuation, reuse, taken, secrets, host } = task;
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
        ...(answers === undefined ? {} : { answers: answers.open(runId) }),
        ...(host === undefined ? {} : { host }),
        ...(taken === undefined ? {} : { taken }),
        ...(secrets === undefined ? {} : { secrets }),
      };
      const isUnseen = world.unseen?.(origin.sourcePath, text) !== undefined;
      const own = hub.with({ secrets, product: productOfPath(origin.sourcePath), isUnseen });
      return runRoot(request, own, continuation?.resumed ?? origin, scope).finally(() => answers?.forget(runId));
    },
  };
}
