/**
 * Applies new values to open flows. A run that has used the old values is ended and started again. If the run has had
 * effects that cannot be undone, the person is asked first.
 */
import { asRunId } from '../../base/ids.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { planIntent } from '../catalog/catalogue.ts';
import { isEmptyValue } from '../catalog/slot-kind.ts';
import { isEnough } from '../catalog/slot-types.ts';
import { correctedText, effectsText, flowTitle, sentence } from '../meaning/acknowledgement.ts';
import { declareAmbiguity, resolveAmbiguity } from '../meaning/ambiguity.ts';
import { restartTask } from '../meaning/corrections.ts';
import { coveredRun, familyOf, hasUsedSlotValues } from '../meaning/same-task.ts';
import { fillSlots } from '../session/flow-stack.ts';
import type { OutsideEffect } from '../session/session-event.ts';
import { type FlowInstance, isOver } from '../session/session-state.ts';
import type { TurnContext } from './turn-context.ts';
import { rejectionsOf } from './unclear.ts';

interface NewValues {
  readonly labels: JsonMap;
  /** Whether the values replace the slots' current values. */
  readonly isCorrection: boolean;
}

/** Applies values to an open flow. */
export async function takeValues(
  turn: TurnContext,
  flowId: string,
  { labels, isCorrection }: NewValues,
): Promise<void> {
  const { journal, catalogue } = turn;
  const flow = turn.state.stack.find((one) => one.flowId === flowId);
  const type = flow && turn.typeOf(flow);
  if (flow === undefined || type === undefined || isOver(flow)) return;
  const isReplacing = isCorrection || hasUsedSlotValues(turn.state, flow);
  const look = new type.Flow(flow);
  if (isReplacing) look.correctSlots(labels);
  else look.fillSlotsByLabel(labels);
  const changed = Object.fromEntries(look.filled.map(({ slot, value }) => [slot, value]));
  const isPartPlan = flow.intent === planIntent && flow.planId !== null;
  if (hasUsedSlotValues(turn.state, flow) && look.filled.length > 0 && !isPartPlan) {
    await restartOrAsk(turn, flow, changed);
    return;
  }
  journal.take(fillSlots(turn.state, catalogue, { flowId, labels, isCorrection: isReplacing }));
  settleQuestion(turn, flow);
  tellChange(turn, flow, changed, isReplacing);
}

/** Reports what has changed, and which values were rejected, unless the question that asks for them reports it. */
function tellChange(turn: TurnContext, flow: FlowInstance, changed: JsonMap, isReplacing: boolean): void {
  const slots = turn.typeOf(flow)?.slots;
  const replaced = Object.entries(changed).filter(([name]) => {
    const slot = slots?.get(name);
    const held = flow.slots[name];
    return slot !== undefined && (isReplacing ? !isEmptyValue(held) : isEnough(slot.type, slot.params, held));
  });
  if (replaced.length > 0) turn.acknowledge(correctedText(flow.slots, Object.fromEntries(replaced)));
  if (!isReplacing) return;
  const asked = turn.state.ambiguity?.metadata['missing_slot'];
  const problems = [...rejectionsOf(turn, flow)].filter(([name]) => name !== asked);
  if (problems.length > 0) turn.acknowledge(problems.map(([, problem]) => sentence(problem)).join(' '));
  else if (Object.keys(changed).length === 0) turn.acknowledge(`Nothing changes in ${flowTitle(flow)}.`);
}

/** Withdraws the request for a sign-off, because the result was based on the old values. */
function settleQuestion(turn: TurnContext, { flowId }: FlowInstance): void {
  const { ambiguity } = turn.state;
  if (ambiguity?.level === 'confirmation' && ambiguity.flowId === flowId)
    turn.journal.take(resolveAmbiguity(turn.state, 'person'));
}

async function restartOrAsk(turn: TurnContext, flow: FlowInstance, values: JsonMap): Promise<void> {
  const effects = await doneOutside(turn, [flow]);
  if (effects.length === 0) {
    await restart(turn, flow, values);
    return;
  }
  const title = sentence(flowTitle(flow));
  const observation = `${title} has already done this, and it is not undone: ${effectsText(effects)}. ${correctedText({}, values).slice(0, -1)}: start ${flowTitle(flow)} again with that?`;
  const metadata = { candidate: values, correction: values, effects: effects.map((effect) => ({ ...effect })) };
  turn.journal.take(
    declareAmbiguity(turn.state, { level: 'confirmation', flowId: flow.flowId, metadata, observation }),
  );
}

/** Ends the run of a flow and starts it again with new values. */
export async function restart(turn: TurnContext, flow: FlowInstance, values: JsonMap): Promise<void> {
  const { journal, catalogue, world } = turn;
  const waiting = familyOf(turn.state, flow)
    .filter(waits)
    .flatMap(({ runId }) => (runId === null ? [] : [runId]));
  const isEnded = await journal.step('corrected', async () => {
    for (const runId of waiting) if (!(await world.runs.end(asRunId(runId)))) return false;
    return true;
  });
  settleQuestion(turn, flow);
  if (!isEnded) {
    turn.acknowledge(`${sentence(flowTitle(flow))} has already continued, so it keeps its values.`);
    return;
  }
  journal.take(restartTask(turn.state, catalogue, { flowId: flow.flowId, labels: values }));
  const { ambiguity } = turn.state;
  const isLost = ambiguity !== null && ambiguity.flowId !== null && !isOpen(turn, ambiguity.flowId);
  if (isLost) journal.take(resolveAmbiguity(turn.state, 'person'));
  turn.acknowledge(
    `${correctedText(flow.slots, values)} ${sentence(flow.flowName.replaceAll('_', ' '))} starts again.`,
  );
}

function waits({ waitsFor, metadata }: FlowInstance): boolean {
  return waitsFor !== null || typeof metadata[coveredRun] === 'string';
}

function isOpen({ state }: TurnContext, flowId: string): boolean {
  return state.stack.some((flow) => flow.flowId === flowId && !isOver(flow));
}

/** Returns the effects of tasks' runs that cannot be undone. */
export async function doneOutside(
  turn: TurnContext,
  tasks: readonly FlowInstance[],
): Promise<readonly OutsideEffect[]> {
  const { state, journal, world } = turn;
  const flows = tasks.flatMap((task) => [task, ...familyOf(state, task)]);
  const ids = new Set(flows.map(({ flowId }) => flowId));
  const ofParts = state.plans.filter(({ planId }) => ids.has(planId)).flatMap(({ subFlows }) => subFlows);
  const runIds = new Set([...flows, ...ofParts].flatMap(({ runId }) => runId ?? []));
  if (runIds.size === 0) return [];
  return await journal.step('done-outside', async () =>
    [...runIds].flatMap((runId) => world.runs.effectsOf(asRunId(runId)).map((effect) => ({ ...effect }))),
  );
}
