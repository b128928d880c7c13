/**
 * Handles yes and no as answers to the assistant's questions. They never answer a run's request, because an approval
 * must be given in the request itself.
 */

import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { canceledText, flowTitle, sentence } from '../meaning/acknowledgement.ts';
import { resolveAmbiguity } from '../meaning/ambiguity.ts';
import { assessPlan } from '../plans/plan.ts';
import { fillSlots, invalidateFlow } from '../session/flow-stack.ts';
import { type AmbiguityRecord, type FlowInstance, isOver } from '../session/session-state.ts';
import { doneOutside, restart } from './correct.ts';
import { confirmedKey } from './policy-spec.ts';
import type { TurnContext } from './turn-context.ts';
import { unclear, unclearTo } from './unclear.ts';

/**
 * Handles a yes. @returns whether the meaning is clear; undefined if the flow that the yes refers to has not started
 */
export async function agree(turn: TurnContext): Promise<boolean | undefined> {
  const { ambiguity } = turn.state;
  if (ambiguity?.level !== 'confirmation') return agreesToNothing(turn);
  const flow = flowOf(turn, ambiguity);
  if (ambiguity.flowId === null) return undefined;
  if (flow === undefined) return unclearTo(turn, unclear);
  const { correction, candidate, is_done } = ambiguity.metadata;
  if (isJsonMap(correction)) await restart(turn, flow, correction);
  else if (is_done === true) completePlan(turn, flow);
  else confirm(turn, flow, candidate ?? null);
  return true;
}

/** Handles a no. @returns whether its meaning is clear */
export async function decline(turn: TurnContext): Promise<boolean> {
  const { ambiguity } = turn.state;
  if (ambiguity?.level !== 'confirmation') return agreesToNothing(turn);
  const flow = flowOf(turn, ambiguity);
  const { correction, candidate, is_done } = ambiguity.metadata;
  turn.journal.take(resolveAmbiguity(turn.state, 'person'));
  if (flow === undefined) turn.acknowledge(declinedWords(candidate ?? null));
  else if (isJsonMap(correction)) turn.acknowledge(`All right, ${flowTitle(flow)} stays unchanged.`);
  else if (is_done !== true) await giveUp(turn, flow);
  return true;
}

function declinedWords(candidate: JsonValue): string {
  const what = typeof candidate === 'string' ? `, not ${candidate.replaceAll('_', ' ')}` : '';
  return `All right${what}. What would you like to do instead?`;
}

/**
 * Gives up a flow whose policy requested a sign-off that was denied. As with a rejected approval, no alternative is
 * tried.
 */
async function giveUp(turn: TurnContext, flow: FlowInstance): Promise<void> {
  const effects = await doneOutside(turn, [flow]);
  turn.journal.take(invalidateFlow(turn.state, { flowId: flow.flowId, reason: 'abandon' }));
  turn.acknowledge(canceledText([flow], effects));
}

/** Handles a yes or no without a question to answer. */
function agreesToNothing(turn: TurnContext): boolean {
  const { active, state } = turn;
  if (active?.waitsFor === 'approval') {
    turn.acknowledge('A message cannot approve a request. Answer the request itself.');
    return true;
  }
  // A turn that stopped before the next flow asked whether to continue.
  const isStopped = active === undefined && state.stack.some((flow) => !isOver(flow));
  if (isStopped && state.prediction?.act === 'agree') return true;
  return unclearTo(turn, unclear);
}

function flowOf({ state }: TurnContext, { flowId }: AmbiguityRecord): FlowInstance | undefined {
  return state.stack.find((flow) => flow.flowId === flowId && !isOver(flow));
}

/** Runs the policy again with the confirmed value, which also fills the slot that the policy names. */
function confirm(turn: TurnContext, { flowId, ...flow }: FlowInstance, candidate: JsonValue): void {
  const { journal, catalogue, state } = turn;
  const { missing_slot, slot = missing_slot } = state.ambiguity?.metadata ?? {};
  journal.take(resolveAmbiguity(state, 'person'));
  const isSlot = typeof slot === 'string' && catalogue.flows.get(flow.flowName)?.slots.has(slot) === true;
  const labels: JsonMap = isSlot ? { [slot]: candidate } : {};
  if (isSlot) journal.take(fillSlots(turn.state, catalogue, { flowId, labels, isCorrection: true }));
  journal.emit({ type: 'flow:progress', flowId, metadata: { [confirmedKey]: candidate } });
}

/** Completes a plan after the person has confirmed that its goal has been reached. */
function completePlan(turn: TurnContext, flow: FlowInstance): void {
  const { journal, catalogue } = turn;
  journal.take(resolveAmbiguity(turn.state, 'person'));
  const found = { done: true, result: { reply: `${sentence(flowTitle(flow))}: done.` } } as const;
  journal.take(assessPlan(turn.state, catalogue, { planId: flow.flowId, found, reason: 'The user has confirmed it.' }));
}
