/**
 * Calls tools for one attempt of a node: on behalf of its run, and never twice for the same call.
 */

import type { ToolResult, ToolScope, ToolsCapability } from '../../kernel/capabilities/tool-capability.ts';
import { CallKeys, type FinishedCall } from '../../kernel/resume/call-keys.ts';
import type { ResumePoint } from '../../kernel/resume/resume-point.ts';
import { toolRounds } from '../../kernel/resume/tool-rounds.ts';
import { toolType } from './acting.ts';
import type { AttemptAsks } from './attempt-asks.ts';
import type { AttemptEvents } from './attempt-events.ts';
import type { NodeJob } from './node-job.ts';

interface ToolCallerContext {
  readonly job: NodeJob;
  readonly events: AttemptEvents;
  /** For types that make requests. Tools of other types cannot make requests. */
  readonly asks: AttemptAsks | undefined;
  /** The child runs that the attempt had started before it was interrupted or suspended. */
  readonly formerCalls: readonly ResumePoint[];
}

/**
 * Returns the tools bound to the run's own hub, secrets, flows and requests. The executor emits their events. Call
 * results from an earlier execution of the attempt are taken from the log.
 */
export function boundTools(tools: ToolsCapability, caller: ToolCallerContext): ToolsCapability {
  const { job, events, asks, formerCalls } = caller;
  const { calls: runCalls, capabilities, secrets, asks: runAsks } = job.place.scope.run;
  const answers = runAsks.below(job.name);
  const finished = runCalls.of(job.name);
  const sha256 = capabilities.hash?.sha256 ?? ((text: string) => text);
  const keys = new CallKeys(finished, { sha256, mask: secrets && ((value) => secrets.mask(value)) });
  // A person who approved a node did not see which tools its model would call.
  const approvedBy = job.node.type === toolType ? job.place.approvals?.before(job.node) : undefined;
  const own: Partial<ToolScope> = {
    ...(secrets === undefined ? {} : { secrets }),
    ...(capabilities.flows === undefined ? {} : { flows: capabilities.flows }),
    ...(answers === undefined ? {} : { answers }),
  };
  return {
    describe: (names) => tools.describe(names),
    async call(call, { ask: _ask, approvedBy: _by, ...scope }) {
      const { tool, params } = call;
      const callKey = call.callKey ?? keys.next('tool', { tool, params }).callKey;
      const former = finished.get(callKey);
      if (former?.type === 'tool:result') return resultIn(former);
      const told: { result?: ToolResult } = {};
      const toolHub = events.hubOfTools((event) => {
        if (event.type === 'tool:result' && event.callKey === callKey) told.result = resultIn(keys.note(event));
      });
      // A call that ended because the attempt waited for another answer starts again.
      const begun = formerCalls.filter(({ start, end }) => start?.callKey === callKey && end?.status !== 'cancelled');
      // A tool with its own run is resumed, not repeated.
      const cutBefore = job.begun?.cutTools.get(callKey) ?? runCalls.cutAttempts(job.name, callKey);
      const cutAttempts = begun.length > 0 ? 0 : cutBefore;
      const cut = { former: begun, cutAttempts };
      const rounds = toolRounds(callKey, finished, (event) => {
        events.emitCall(event.callKey, event.result);
        keys.note(event);
      });
      const ask = asks === undefined ? {} : { ask: asks.askOfTools, rounds };
      const agreed = approvedBy === undefined ? {} : { approvedBy };
      const result = await tools.call(
        { ...call, callKey },
        { ...scope, ...own, ...ask, ...agreed, ...cut, hub: toolHub },
      );
      return told.result ?? result;
    },
  };
}

function resultIn({ result }: Extract<FinishedCall, { readonly type: 'tool:result' }>): ToolResult {
  // Written only by the executor.
  return result as unknown as ToolResult;
}
