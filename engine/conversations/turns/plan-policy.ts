/**
 * Runs plans: the policy decomposes a task, the remaining parts are reviewed after each part, and finally the policy
 * assesses whether the task is done.
 */

import { EngineError } from '../../base/engine-error.ts';
import { isJsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { FlowType } from '../catalog/catalogue.ts';
import { flowTitle } from '../meaning/acknowledgement.ts';
import type { ModelQuestion } from '../meaning/slot-prompt.ts';
import { objectiveText } from '../plans/objective.ts';
import { type Assessment, assessPlan, decomposePlan, planToReplan, replan } from '../plans/plan.ts';
import { planTask, readSubFlows } from '../plans/plan-prompt.ts';
import { assessQuestion, readAssessment, readReplanning, replanQuestion } from '../plans/replan-prompt.ts';
import { popFinished } from '../session/flow-stack.ts';
import type { FlowInstance } from '../session/session-state.ts';
import { boundedResult, type RunOutcome, resultOf } from './policy-runs.ts';
import { policyRun, questionRun, skillText } from './policy-spec.ts';
import { recover } from './recover.ts';
import type { Next, TurnContext } from './turn-context.ts';
import { declare } from './unclear.ts';

/** Runs the policy of the Active plan: decomposes the task, or assesses whether it is done. */
export async function runPlan(turn: TurnContext, flow: FlowInstance, type: FlowType): Promise<Next> {
  const isBegun = turn.state.plans.some(({ planId }) => planId === flow.flowId);
  const asked = 'builtin' in type.policy || 'skill' in type.policy;
  try {
    if (isBegun) return await (asked ? assess(turn, flow, type) : assessByRun(turn, flow, type));
    return await (asked ? decompose(turn, flow, type) : decomposeByRun(turn, flow, type));
  } catch (thrown) {
    if (!EngineError.is(thrown) || thrown.code !== stoppedCode) throw thrown;
    return (thrown.details as { readonly next: Next }).next;
  }
}

/**
 * Reviews the rest of a plan after one of its parts has ended, before anything else continues. An unusable review
 * changes nothing.
 */
export async function reviewPlan(turn: TurnContext): Promise<'stop' | undefined> {
  const { journal, catalogue } = turn;
  for (;;) {
    const planId = planToReplan(turn.state);
    const flow = turn.state.stack.find(({ flowId }) => flowId === planId);
    if (planId === undefined || flow === undefined) return undefined;
    const wanted = await wantedChange(turn, flow);
    const changed = replan(turn.state, catalogue, { planId, ...wanted });
    const reason = 'refused' in changed ? changed.refused.message : '';
    journal.take(
      'refused' in changed
        ? replan(turn.state, catalogue, { planId, change: { decision: 'continue' }, reason })
        : changed,
    );
    journal.take(popFinished(turn.state));
    if (turn.active !== undefined) return undefined;
  }
}

type RequestedPlanChange = Pick<Parameters<typeof replan>[2], 'change' | 'reason'>;

async function wantedChange(turn: TurnContext, flow: FlowInstance): Promise<RequestedPlanChange> {
  const { catalogue, prompted: state } = turn;
  const goesOn = { decision: 'continue' } as const;
  if (!turn.asksModels && catalogue.model === undefined) return { change: goesOn, reason: 'No model is available.' };
  const { value = null, problem } = await turn.ask('replan', replanQuestion({ state, catalogue, flow }));
  const read = readReplanning(value, { catalogue, flow });
  return 'value' in read ? read.value : { change: goesOn, reason: problem ?? read.problem };
}

async function decompose(turn: TurnContext, flow: FlowInstance, type: FlowType): Promise<Next> {
  const { journal, catalogue, prompted: state } = turn;
  const objective = objectiveOf(turn, flow);
  const found = await planTask({ state, catalogue, flow, objective }, type.lats, (_key, question) =>
    askPolicy(turn, type, question),
  );
  if ('problem' in found) return await recover(turn, flow.flowId, unclearPlan(found.problem));
  journal.take(decomposePlan(turn.state, catalogue, { planId: flow.flowId, ...found.value }));
  return 'more';
}

async function assess(turn: TurnContext, flow: FlowInstance, type: FlowType): Promise<Next> {
  const { catalogue, prompted: state } = turn;
  const question = assessQuestion({ state, catalogue, flow }, objectiveOf(turn, flow));
  return await assessedBy(turn, flow, async () => {
    const outcome = await questionOutcome(turn, flow, { type, question });
    if (outcome.status === 'failed') return { problem: outcome.message };
    if (outcome.status === 'completed') return readAssessment(outcome.output, { catalogue, flow });
    return await stop(turn, flow, unclearPlan('The question was not answered.'));
  });
}

type ReadAssessment = ReturnType<typeof readAssessment>;

/**
 * Requests an assessment, and requests it again if it cannot be parsed. After a second failure, the person is asked.
 */
async function assessedBy(
  turn: TurnContext,
  flow: FlowInstance,
  request: () => Promise<ReadAssessment>,
): Promise<Next> {
  const first = await request();
  const read = 'problem' in first ? await request() : first;
  if ('value' in read) return takeAssessment(turn, flow, read.value);
  const { flowId } = flow;
  const observation = `All parts of ${flowTitle(flow)} have ended, but the result could not be assessed: ${read.problem} Is it done?`;
  const metadata = { candidate: 'done', is_done: true, reason: read.problem };
  declare(turn, { level: 'confirmation', flowId, metadata, observation });
  return 'stop';
}

function takeAssessment(
  turn: TurnContext,
  flow: FlowInstance,
  { found, reason }: { readonly found: Assessment; readonly reason: string },
): Next {
  const { journal, catalogue } = turn;
  const bounded = found.done ? { ...found, result: boundedResult(found.result, flow.runId) } : found;
  journal.take(assessPlan(turn.state, catalogue, { planId: flow.flowId, found: bounded, reason }));
  return 'more';
}

/** Decomposes a task with a policy that is a flow or an agent and returns the parts as `sub_flows`. */
async function decomposeByRun(turn: TurnContext, flow: FlowInstance, type: FlowType): Promise<Next> {
  const { journal, catalogue } = turn;
  const data = await dataOfRun(turn, flow, type);
  const read = readSubFlows(isJsonMap(data) ? data['sub_flows'] : undefined, { catalogue, flow });
  if ('problem' in read) return await recover(turn, flow.flowId, unclearPlan(read.problem));
  journal.take(decomposePlan(turn.state, catalogue, { planId: flow.flowId, subFlows: read.value, method: 'direct' }));
  return 'more';
}

async function assessByRun(turn: TurnContext, flow: FlowInstance, type: FlowType): Promise<Next> {
  const { catalogue } = turn;
  return await assessedBy(turn, flow, async () =>
    readAssessment(await dataOfRun(turn, flow, type), { catalogue, flow }),
  );
}

async function dataOfRun(turn: TurnContext, flow: FlowInstance, type: FlowType): Promise<JsonValue> {
  const outcome = await turn.runs.run(flow, () => policyRun(turn.taskOf(flow, type)));
  if (outcome.status !== 'completed' && outcome.status !== 'failed')
    return await stop(turn, flow, unclearPlan('Its run did not end.'));
  const result = resultOf(outcome, type.policy);
  if (result.outcome === 'success') return result.data;
  const failure = result.outcome === 'failure' ? result : unclearPlan(result.reason);
  return await stop(turn, flow, failure);
}

/** Asks one question in a run of the plan policy. */
async function askPolicy(turn: TurnContext, type: FlowType, question: ModelQuestion): Promise<JsonValue> {
  const flow = turn.active;
  if (flow === undefined) throw new Error('No plan is Active.');
  const outcome = await questionOutcome(turn, flow, { type, question });
  if (outcome.status === 'completed') return outcome.output;
  const words = outcome.status === 'failed' ? outcome.message : 'The question was not answered.';
  return await stop(turn, flow, unclearPlan(words));
}

async function questionOutcome(
  turn: TurnContext,
  flow: FlowInstance,
  { type, question }: { readonly type: FlowType; readonly question: ModelQuestion },
): Promise<RunOutcome> {
  return await turn.runs.run(flow, async () => {
    const task = turn.taskOf(flow, type);
    return questionRun(task, question, await skillText(task));
  });
}

const stoppedCode = 'plan.stopped';

/** Ends the policy while it is asking its questions. */
async function stop(
  turn: TurnContext,
  { flowId }: FlowInstance,
  failure: Parameters<typeof recover>[2],
): Promise<never> {
  const next = await recover(turn, flowId, failure);
  throw new EngineError({ code: stoppedCode, message: failure.message, details: { next } });
}

function unclearPlan(message: string): Parameters<typeof recover>[2] {
  return { outcome: 'failure', category: 'plan.unclear', message, partialData: null };
}

/** Returns the plan's objective with the person's later messages, without text that models must not receive. */
function objectiveOf({ prompted: state, catalogue }: TurnContext, { flowId, flowName }: FlowInstance): string {
  const described = catalogue.flows.get(flowName)?.description ?? flowName;
  const objective = state.stack.find((flow) => flow.flowId === flowId)?.objective;
  return objective === undefined ? described : `${described} ${objectiveText(objective)}`.trim();
}
