/**
 * Carries out the meaning of a message: starts, fills, corrects and cancels flows, and handles answers to the
 * assistant's questions.
 */

import type { JsonMap } from '../../language/json/json-value.ts';
import type { FlowType } from '../catalog/catalogue.ts';
import { canceledText, flowTitle, sentence } from '../meaning/acknowledgement.ts';
import { resolveAmbiguity } from '../meaning/ambiguity.ts';
import { cancelTask } from '../meaning/corrections.ts';
import type { Meaning } from '../meaning/meaning-scene.ts';
import { doubtAbout } from '../meaning/nlu-prompt.ts';
import { familyOf, sameTask, taskOf } from '../meaning/same-task.ts';
import { decomposePlan } from '../plans/plan.ts';
import { invalidateFlow, requestFlow, stackOn } from '../session/flow-stack.ts';
import { type FlowInstance, isOver, type Prediction, type UiAction } from '../session/session-state.ts';
import { agree, decline } from './confirm.ts';
import { doneOutside, takeValues } from './correct.ts';
import { pathIn } from './policy-spec.ts';
import type { TurnContext } from './turn-context.ts';
import { unclear, unclearTo } from './unclear.ts';

/** Carries out the meaning of a message. @returns whether it is clear what the person wants */
export async function takeMeaning(turn: TurnContext, prediction: Prediction, meaning: Meaning): Promise<boolean> {
  const { flowId, labels, act } = meaning;
  if (isUnsure(turn, prediction)) return unclearTo(turn, unclear);
  switch (act) {
    case 'request':
    case 'aside':
      return await request(turn, prediction, meaning);
    case 'fill':
      if (flowId === undefined) return unclearTo(turn, unclear);
      await takeValues(turn, flowId, { labels, isCorrection: false });
      return true;
    case 'correct':
      if (flowId === undefined) return await takeCandidate(turn, labels);
      await takeValues(turn, flowId, { labels, isCorrection: true });
      return true;
    case 'agree':
      return (await agree(turn)) ?? (await takeCandidate(turn, {}));
    case 'decline':
      return await decline(turn);
    case 'cancel':
      return await cancel(turn, meaning);
    case 'cancel_all':
      return await cancelAll(turn);
    case 'none':
      return unclearTo(turn, doubtAbout(prediction, turn.catalogue) ?? unclear);
  }
}

/**
 * Returns whether the predicted act ends or changes something with low confidence. Values are checked by their slots.
 */
function isUnsure({ catalogue }: TurnContext, { act, confidence, mode }: Prediction): boolean {
  const isGrave = act === 'cancel' || act === 'cancel_all' || act === 'correct' || act === 'agree';
  return mode === 'think' && isGrave && confidence > 0 && confidence < catalogue.thresholds.confidence;
}

async function request(turn: TurnContext, prediction: Prediction, { cancelsFirst }: Meaning): Promise<boolean> {
  const doubt = doubtAbout(prediction, turn.catalogue);
  if (doubt !== undefined) return unclearTo(turn, doubt);
  if (cancelsFirst === 'all') await cancelAll(turn);
  else if (cancelsFirst !== undefined) await cancelFlow(turn, cancelsFirst);
  await begin(turn, prediction.flow ?? '', prediction.slots);
  return true;
}

/** Starts a flow, or continues an open flow for the same task. */
async function begin(turn: TurnContext, flowName: string, slots: JsonMap): Promise<void> {
  const { journal, catalogue } = turn;
  const { ambiguity } = turn.state;
  // The question for a missing slot stays open until the slot is filled.
  const isOfFlow =
    ambiguity?.level === 'specific' || (ambiguity?.level === 'confirmation' && ambiguity.flowId !== null);
  if (!isOfFlow) journal.take(resolveAmbiguity(turn.state, 'person'));
  const type = catalogue.flows.get(flowName);
  const same = type && sameTask(turn.state, type, slots);
  const wanted = { flowName, slots, by: 'user' } as const;
  if (type?.aside === true && same === undefined && turn.active !== undefined && (await onlyReads(turn, type))) {
    journal.take(stackOn(turn.state, catalogue, wanted));
    return;
  }
  const { flowId, events } = journal.take(requestFlow(turn.state, catalogue, wanted));
  const flow = turn.state.stack.find((one) => one.flowId === flowId);
  if (same !== undefined && flow !== undefined && events.length === 0)
    turn.acknowledge(`${sentence(flowTitle(flow))} is already in progress.`);
}

/** Handles agreement to the flow that the person was asked about, with new values for some slots. */
async function takeCandidate(turn: TurnContext, labels: JsonMap): Promise<boolean> {
  const { candidate, slots } = turn.state.ambiguity?.metadata ?? {};
  if (turn.state.ambiguity?.level !== 'confirmation' || typeof candidate !== 'string') return unclearTo(turn, unclear);
  const held = typeof slots === 'object' && slots !== null ? (slots as JsonMap) : {};
  await begin(turn, candidate, { ...held, ...labels });
  return true;
}

async function cancel(turn: TurnContext, { flowId, missing }: Meaning): Promise<boolean> {
  if (flowId !== undefined) {
    await cancelFlow(turn, flowId);
    return true;
  }
  const { ambiguity, stack } = turn.state;
  if (ambiguity !== null && ambiguity.level !== 'specific') turn.journal.take(resolveAmbiguity(turn.state, 'cancel'));
  if (missing !== undefined) turn.acknowledge(`No ${missing} is in progress.`);
  else if (ambiguity === null || stack.length > 0) turn.acknowledge('Nothing is in progress.');
  else turn.acknowledge('All right.');
  return true;
}

async function cancelAll(turn: TurnContext): Promise<boolean> {
  const open = turn.state.stack.filter((flow) => !isOver(flow));
  const tasks = new Set(open.map((flow) => taskOf(turn.state, flow)));
  if (tasks.size === 0) return await cancel(turn, { act: 'cancel', labels: {} });
  await endTasks(turn, [...tasks]);
  return true;
}

async function cancelFlow(turn: TurnContext, flowId: string): Promise<void> {
  const flow = turn.state.stack.find((one) => one.flowId === flowId);
  if (flow !== undefined && !isOver(flow)) await endTasks(turn, [flow]);
}

async function endTasks(turn: TurnContext, tasks: readonly FlowInstance[]): Promise<void> {
  const { journal } = turn;
  const ids = new Set(tasks.flatMap((task) => familyOf(turn.state, task).map(({ flowId }) => flowId)));
  const effects = await doneOutside(turn, tasks);
  for (const { flowId } of tasks) journal.take(cancelTask(turn.state, { flowId }));
  const { ambiguity } = turn.state;
  const isOpen = ambiguity !== null && ambiguity.flowId !== null && !ids.has(ambiguity.flowId);
  if (!isOpen) journal.take(resolveAmbiguity(turn.state, 'cancel'));
  turn.acknowledge(canceledText(tasks, effects));
}

/** Applies form values to an open flow. */
export async function takeForm(turn: TurnContext, flowId: string, labels: JsonMap): Promise<boolean> {
  const flow = turn.state.stack.find((one) => one.flowId === flowId);
  if (flow === undefined || isOver(flow)) {
    const reason = flow === undefined ? `The stack has no flow ${flowId}.` : `The flow ${flow.flowName} has ended.`;
    return unclearTo(turn, { ...unclear, metadata: { reason } });
  }
  await takeValues(turn, flowId, { labels, isCorrection: false });
  return true;
}

/** Drops one flow from the stack, as requested with a button. */
export async function drop(turn: TurnContext, flowId: string): Promise<void> {
  const { journal } = turn;
  const flow = turn.state.stack.find((one) => one.flowId === flowId);
  const dropped = invalidateFlow(turn.state, { flowId, reason: 'abandon' });
  if ('refused' in dropped || flow === undefined) return;
  const effects = await doneOutside(turn, [flow]);
  journal.take(dropped);
  if (turn.state.ambiguity?.flowId === flowId) journal.take(resolveAmbiguity(turn.state, 'drop'));
  turn.acknowledge(canceledText([flow], effects));
}

/**
 * Puts a plan that a run has proposed on the stack with its parts, and makes the first part Active. The plan waits if
 * another flow is active.
 */
export function beginProposedPlan(turn: TurnContext, { flow = '', slots = {}, plan = [] }: UiAction): void {
  const { journal, catalogue } = turn;
  const { flowId } = journal.take(requestFlow(turn.state, catalogue, { flowName: flow, slots, by: 'user' }));
  if (turn.active?.flowId !== flowId) return;
  journal.take(decomposePlan(turn.state, catalogue, { planId: flowId, subFlows: plan, method: 'direct' }));
}

/** Returns whether a flow's policy only reads. False for an agent, which can have any effect. */
async function onlyReads(turn: TurnContext, { policy, tools }: FlowType): Promise<boolean> {
  const { journal, world, held } = turn;
  if ('builtin' in policy) return policy.builtin === 'chat';
  if ('agent' in policy) return false;
  return await journal.step('only-reads', async () => {
    if ('skill' in policy) {
      for (const tool of tools) if (!(await world.runs.isReadingTool(tool))) return false;
      return true;
    }
    try {
      return await world.runs.onlyReads(await world.readText(pathIn(held.path, policy.flow)));
    } catch {
      // If the file cannot be read, the flow fails with an explanation when it runs.
      return false;
    }
  });
}
