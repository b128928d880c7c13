/**
 * Validates runs that another host executes.
 */

import { EngineError } from '../../base/engine-error.ts';
import type { NewRun } from '../../history/store/run-store.ts';
import { refuseMisfits } from '../../language/flow/flow-interface.ts';
import { withPartNote } from './continuation.ts';
import type { FlowJobs } from './flow-jobs.ts';
import type { StartRun } from './start-request.ts';

/** A validated run, as its host records it. */
export type PreparedRun = Pick<NewRun, 'name' | 'sourcePath' | 'definition' | 'inputs' | 'nodeSettings'>;

/**
 * Returns what the host needs. Secrets are not checked, because the run uses those of its host. @throws EngineError
 * `flow.*` | `node.*` | `files.*`
 */
export async function prepareRun(request: StartRun, flows: Pick<FlowJobs, 'readStart'>): Promise<PreparedRun> {
  const { flow, definition, nodeSettings } = await flows.readStart(request);
  const { path: sourcePath, inputs } = request;
  refuseMisfits(flow, inputs);
  if (flow.policy.budget !== undefined) {
    const message = `${sourcePath} has a budget (flow.policy.budget), which workers do not support. Run it on this machine, or limit runs with a policy instead.`;
    throw new EngineError({ code: 'flow.not-for-workers', message });
  }
  return { name: flow.name, sourcePath, definition, inputs, nodeSettings: withPartNote(nodeSettings, request) };
}
