/**
 * Implements PEX: runs the policies of the flows on the stack one after the other, until one waits, something is
 * unclear, or all flows are done. Does not predict the meaning of messages again.
 */

import { type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import { hasOwnFilling } from '../catalog/base-flow.ts';
import { type FlowType, planIntent } from '../catalog/catalogue.ts';
import { flowTitle } from '../meaning/acknowledgement.ts';
import { isEscalationDue, resolveAmbiguity } from '../meaning/ambiguity.ts';
import { coveredRun } from '../meaning/same-task.ts';
import {
  activateNext,
  completeFlow,
  invalidateFlow,
  popFinished,
  stackOn,
  takeFilling,
} from '../session/flow-stack.ts';
import type { SessionEvent } from '../session/session-event.ts';
import { type FlowInstance, isOver } from '../session/session-state.ts';
import type { SkillResult } from '../session/skill-result.ts';
import { goesOn } from '../session/turn.ts';
import { reviewPlan, runPlan } from './plan-policy.ts';
import { boundedResult, type RunOutcome, resultOf } from './policy-runs.ts';
import { confirmedKey, policyRun } from './policy-spec.ts';
import { mayTryAgain, recover, unclearResult } from './recover.ts';
import type { Next, TurnContext } from './turn-context.ts';
import { declare, missingOf } from './unclear.ts';

/** Runs everything that can run. @returns the number of rounds, and whether the guard stopped it */
export async function execute(turn: TurnContext): Promise<{ readonly rounds: number; readonly isGuarded: boolean }> {
  for (let rounds = 0; ; rounds++) {
    turn.journal.take(popFinished(turn.state));
    const planId = await reviewPlan(turn);
    if (planId === 'stop') return { rounds, isGuarded: false };
    if (!activate(turn)) return { rounds, isGuarded: false };
    const { active } = turn;
    const type = active && turn.typeOf(active);
    if (active === undefined || type === undefined) return { rounds, isGuarded: false };
    if ((await runActive(turn, active, type)) === 'stop') return { rounds, isGuarded: false };
    // Recovery has already brought the stack to its final state for this turn.
    if (turn.overBudget !== undefined) return { rounds, isGuarded: false };
    const may = goesOn(turn.state, turn.catalogue, rounds);
    if (may !== 'yes') return { rounds, isGuarded: may === 'guard' };
  }
}

function activate({ journal, active, state }: TurnContext): boolean {
  if (active !== undefined) return true;
  const next = activateNext(state);
  if ('refused' in next) return false;
  journal.take(next);
  return true;
}

async function runActive(turn: TurnContext, flow: FlowInstance, type: FlowType): Promise<Next> {
  if (flow.waitsFor !== null && flow.runId !== null) {
    const outcome = await turn.runs.again(flow.flowId, flow.runId);
    if (outcome.status === 'waits') return 'stop';
    turn.journal.emit({ type: 'flow:waits', flowId: flow.flowId, for: null });
    return await takeOutcome(turn, flow.flowId, outcome);
  }
  const { [coveredRun]: covered, found = null } = flow.metadata;
  if (typeof covered === 'string') {
    turn.journal.emit({ type: 'flow:progress', flowId: flow.flowId, metadata: { [coveredRun]: null } });
    return await takeOutcome(turn, flow.flowId, await turn.runs.proceed(flow.flowId, covered, found));
  }
  if (waitsForYes(turn, flow)) return 'stop';
  if (!(await fill(turn, flow, type))) return 'stop';
  const checked = await turn.hook('check', type.intent);
  if (checked.refuse !== undefined) return await recover(turn, flow.flowId, failed('check', checked.refuse));
  if (type.intent === planIntent) return await runPlan(turn, flow, type);
  const filled = turn.active ?? flow;
  const outcome = await turn.runs.run(filled, () => policyRun(turn.taskOf(filled, type)));
  return await takeOutcome(turn, flow.flowId, outcome);
}

/**
 * Returns whether the person was asked for a yes or no and has not answered. The policy runs again only after the
 * answer.
 */
function waitsForYes(turn: TurnContext, { flowId }: FlowInstance): boolean {
  const { ambiguity } = turn.state;
  if (ambiguity?.level !== 'confirmation' || ambiguity.flowId !== flowId) return false;
  if (isEscalationDue(turn.state, turn.catalogue)) giveUp(turn, flowId);
  return true;
}

/** Converts a hook's rejection of a flow into a policy failure. */
function failed(hook: string, message: string): Extract<SkillResult, { readonly outcome: 'failure' }> {
  return { outcome: 'failure', category: `hook.${hook}`, message, partialData: null };
}

/** Returns whether the flow has all values it needs. Asks for missing values. */
async function fill(turn: TurnContext, flow: FlowInstance, type: FlowType): Promise<boolean> {
  const { journal } = turn;
  const look = new type.Flow(flow);
  const isOwn = hasOwnFilling(type.Flow);
  if (look.needsToThink() && (turn.asksModels || isOwn)) {
    const ask = async (question: Parameters<typeof turn.ask>[1]) =>
      turn.asksModels ? ((await turn.ask('slots', question)).value ?? {}) : {};
    const { messages, scratchpad } = turn.prompted;
    await look.fillSlotValues({ messages, ask }, scratchpad);
    const taken = takeFilling(turn.state, look);
    // The host program's class may fill in other values when the turn is repeated.
    if (isOwn && 'events' in taken) journal.emit(...(await journal.step('filled', async () => asJson(taken.events))));
    else journal.take(taken);
  }
  const missing = missingOf(turn, turn.active ?? flow);
  const { ambiguity } = turn.state;
  if (missing === undefined) {
    if (ambiguity?.flowId === flow.flowId) journal.take(resolveAmbiguity(turn.state, 'person'));
    return true;
  }
  declare(turn, missing);
  if (isEscalationDue(turn.state, turn.catalogue)) giveUp(turn, flow.flowId);
  return false;
}

/** Converts events to the JSON that a journal step stores. */
function asJson(events: readonly SessionEvent[]): readonly SessionEvent[] & JsonValue {
  return JSON.parse(JSON.stringify(events)) as readonly SessionEvent[] & JsonValue;
}

/** Gives up a flow after the same question has been asked too often. */
function giveUp(turn: TurnContext, flowId: string): void {
  const { journal, state } = turn;
  const flow = state.stack.find((one) => one.flowId === flowId);
  journal.emit({ type: 'recovery:step', flowId, step: 'escalate', ok: false });
  journal.take(invalidateFlow(state, { flowId, reason: 'abandon' }));
  journal.take(resolveAmbiguity(journal.state, 'escalation'));
  if (flow !== undefined) turn.acknowledge(`I have asked this too many times, so ${flowTitle(flow)} is canceled.`);
}

/** Handles the outcome of a policy's run. */
async function takeOutcome(turn: TurnContext, flowId: string, outcome: RunOutcome): Promise<Next> {
  const { journal } = turn;
  if (outcome.status === 'waits') {
    journal.emit({ type: 'flow:waits', flowId, for: outcome.for });
    return 'stop';
  }
  if (outcome.status === 'needs') return await cover(turn, flowId, outcome);
  const flow = turn.state.stack.find((one) => one.flowId === flowId);
  // The flow was removed while it ran.
  if (flow === undefined || isOver(flow)) return 'more';
  if (outcome.status === 'cancelled') {
    journal.take(invalidateFlow(turn.state, { flowId, reason: 'abandon' }));
    return 'stop';
  }
  const result = resultOf(outcome, turn.typeOf(flow)?.policy);
  const verified = await turn.hook('verify', flow.intent, { outcome: result.outcome });
  return await takeResult(turn, flow, verified.refuse === undefined ? result : failed('verify', verified.refuse));
}

/** Puts the flow that must run first on top of the stack. The run below waits for it. */
async function cover(
  turn: TurnContext,
  flowId: string,
  { flow: flowName, slots, reason }: Extract<RunOutcome, { readonly status: 'needs' }>,
): Promise<Next> {
  const { journal, catalogue } = turn;
  const stacked = stackOn(turn.state, catalogue, { flowName, slots, by: 'agent' });
  if ('refused' in stacked) return await recover(turn, flowId, failed('stack', stacked.refused.message));
  const runId = turn.active?.runId ?? null;
  journal.emit({ type: 'flow:progress', flowId, stage: reason, metadata: { [coveredRun]: runId } });
  journal.take(stackOn(turn.state, catalogue, { flowName, slots, by: 'agent' }));
  journal.emit({ type: 'state:flags', keepGoing: true });
  return 'more';
}

async function takeResult(turn: TurnContext, flow: FlowInstance, result: SkillResult): Promise<Next> {
  const { journal, catalogue } = turn;
  const { flowId } = flow;
  if (result.outcome === 'failure') {
    const type = turn.typeOf(flow);
    if (type === undefined || !(await mayTryAgain(turn, flow, result))) return await recover(turn, flowId, result);
    journal.emit({ type: 'recovery:step', flowId, step: 'policy', ok: true });
    return await takeOutcome(turn, flowId, await turn.runs.run(flow, () => policyRun(turn.taskOf(flow, type))));
  }
  if (result.outcome === 'uncertain') {
    if (isConfirmed(flow, result)) return await recover(turn, flowId, confirmedTwice);
    if (result.stackOn === undefined) return await unclearResult(turn, flow, result);
    const stacked = stackOn(turn.state, catalogue, { ...result.stackOn, by: 'agent' });
    if ('refused' in stacked) return await recover(turn, flowId, failed('stack', stacked.refused.message));
    journal.emit({ type: 'flow:progress', flowId, stage: result.reason });
    journal.take(stackOn(turn.state, catalogue, { ...result.stackOn, by: 'agent' }));
    journal.emit({ type: 'state:flags', keepGoing: true });
    return 'more';
  }
  const done = { flowId, result: boundedResult(result.data, flow.runId), entries: result.entries };
  journal.take(completeFlow(turn.state, done));
  if (turn.state.ambiguity?.flowId === flowId) journal.take(resolveAmbiguity(turn.state, 'flow'));
  handOver(turn, flow, done.result);
  return 'more';
}

/** Returns whether a policy asks for something that the person has already confirmed. */
function isConfirmed({ metadata }: FlowInstance, { context }: Extract<SkillResult, { readonly outcome: 'uncertain' }>) {
  const { candidate } = context;
  return candidate !== undefined && jsonEquals(metadata[confirmedKey] ?? null, candidate);
}

const confirmedTwice: Extract<SkillResult, { readonly outcome: 'failure' }> = {
  outcome: 'failure',
  category: 'confirmation.repeated',
  message:
    'The policy requests a value that was already confirmed. It receives the confirmed value as its input "confirmed".',
  partialData: null,
};

/** Passes a flow's result to the flow below that needed it. */
function handOver({ journal, state }: TurnContext, flow: FlowInstance, result: FlowInstance['result']): void {
  // The person requested this flow, not the flow below.
  if (flow.by === 'user') return;
  const below = state.stack.find(({ flowId }) => flowId === flow.stackedOn);
  if (below === undefined || isOver(below)) return;
  const former = below.metadata['found'];
  const found = { ...(typeof former === 'object' && former !== null ? former : {}), [flow.flowName]: result };
  journal.emit({ type: 'flow:progress', flowId: below.flowId, metadata: { found } });
}
