/**
 * Derives the meaning of a prediction: its act, the flow on the stack that it refers to, and its values. The act is set
 * by a model or script; otherwise, it is derived from clear words, or else from the open flows and question.
 */
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { Catalogue, FlowType } from '../catalog/catalogue.ts';
import { isEmptyValue } from '../catalog/slot-kind.ts';
import { type SlotDef, takeValue } from '../catalog/slot-types.ts';
import { type FlowInstance, isOver, type Prediction, type SessionState } from '../session/session-state.ts';
import { beginning, cancel, clearCancel } from './cancel-meaning.ts';
import { correctedLabels } from './corrected-labels.ts';
import { type DialogueAct, isQuestion } from './dialogue-act.ts';
import { type Meaning, type MeaningScene, openOf, sceneOf } from './meaning-scene.ts';
import { hasUsedSlotValues } from './same-task.ts';
import { takesYesOrNo } from './slot-question.ts';

/** Returns the meaning of a prediction in a state. */
export function interpretPrediction(prediction: Prediction, state: SessionState, catalogue: Catalogue): Meaning {
  const scene = sceneOf(prediction, state, catalogue);
  if (prediction.mode === 'react') return formMeaning(scene);
  return prediction.act === undefined ? unlabelled(scene) : labelled(scene, prediction.act);
}

/**
 * Returns the meaning of a form that names a flow type. Some of its values change the open flow; a complete set
 * requests a new flow.
 */
function formMeaning({ prediction, state, catalogue }: MeaningScene): Meaning {
  const { slots: labels, flow } = prediction;
  const type = catalogue.flows.get(flow ?? '');
  const same = openOf(state, flow);
  if (type === undefined || same === undefined || !hasUsedSlotValues(state, same) || Object.keys(labels).length === 0)
    return { act: 'request', labels };
  const asNew = new type.Flow({ ...same, slots: {} });
  return asNew.fillSlotsByLabel(labels) ? { act: 'request', labels } : { act: 'correct', flowId: same.flowId, labels };
}

/** Returns the meaning if a model or script has set the act. */
function labelled(scene: MeaningScene, act: DialogueAct): Meaning {
  const { prediction, clear, catalogue } = scene;
  const labels = prediction.slots;
  const hasLabels = Object.keys(labels).length > 0;
  switch (act) {
    case 'agree':
    case 'decline':
      if (hasLabels || clear?.act === 'correct') return correction(scene) ?? { act, labels };
      return { act, labels };
    case 'correct':
      return correction(scene) ?? { act: prediction.flow === null ? 'none' : 'request', labels };
    case 'fill':
      return fill(scene);
    case 'cancel':
      return cancel(scene, clear?.act === 'cancel' ? clear.what : '');
    case 'request':
    case 'aside':
      return { ...beginning(scene), act, labels };
    case 'none': {
      const isOpen = openOf(scene.state, prediction.flow) !== undefined;
      return catalogue.flows.has(prediction.flow ?? '') && !isOpen ? { act: 'request', labels } : { act, labels };
    }
    case 'cancel_all':
      return { act, labels };
  }
}

function unlabelled(scene: MeaningScene): Meaning {
  return byClearWords(scene) ?? bySituation(scene);
}

function byClearWords(scene: MeaningScene): Meaning | undefined {
  const { prediction, clear, state, isConfirming, asked } = scene;
  const { flow, slots: labels } = prediction;
  switch (clear?.act) {
    case 'cancel':
    case 'cancel_all':
      return clearCancel(scene, clear);
    case 'agree':
    case 'decline': {
      const isValue = asked !== undefined && takesYesOrNo(asked.slot);
      if (!isConfirming && flow === null && isValue) return fill(scene);
      return isConfirming || flow === null ? { act: clear.act, labels } : undefined;
    }
    case 'correct':
      return flow === null || openOf(state, flow) !== undefined ? correction(scene) : undefined;
    default:
      return undefined;
  }
}

/** Returns the meaning of a message without clear words, based on the open flows and question. */
function bySituation(scene: MeaningScene): Meaning {
  const { prediction, clear, asked } = scene;
  const { flow, intent, slots: labels } = prediction;
  if (flow !== null) return isAnswer(scene) ? fill(scene) : { ...beginning(scene), act: 'request', labels };
  const isTalk = clear?.act === 'correct' && clear.value.split(' ').length > mostValueWords;
  if (intent !== null || isTalk) return { act: 'none', labels };
  if (asked === undefined) return Object.keys(labels).length > 0 ? fill(scene) : { act: 'none', labels };
  const takesQuestions = asked.slot.type === 'free_text' || asked.slot.type === 'base';
  return isQuestion(prediction.text) && !takesQuestions ? { act: 'none', labels } : fill(scene);
}

/** Maximum number of words in a value after "no, …". A longer text is a statement. */
const mostValueWords = 4;

/** Returns whether the predicted flow is the one with the open question and its values fit that question. */
function isAnswer({ asked, prediction: { flow, slots } }: MeaningScene): boolean {
  if (asked === undefined || asked.flow.flowName !== flow) return false;
  const names = Object.keys(slots);
  return names.length > 0 && names.every((name) => isEmptyValue(asked.flow.slots[name]));
}

function fill({ asked, current, prediction, clear }: MeaningScene): Meaning {
  const { slots, flow } = prediction;
  const target = asked?.flow ?? current;
  if (target === undefined) return { act: flow === null ? 'none' : 'request', labels: slots };
  if (flow !== null && flow !== target.flowName) return { act: 'request', labels: slots };
  if (Object.keys(slots).length > 0) return { act: 'fill', flowId: target.flowId, labels: slots };
  if (asked === undefined) return { act: 'none', labels: slots };
  const text = clear?.act === 'correct' ? clear.value : prediction.text;
  return { act: 'fill', flowId: target.flowId, labels: { [asked.slot.name]: text } };
}

/** Returns new values for slots: the predicted ones, or those in the person's words. */
function correction(scene: MeaningScene): Meaning | undefined {
  const { prediction, state, isConfirming } = scene;
  const named = openOf(state, prediction.flow);
  if (prediction.flow !== null && named === undefined && !isConfirming) return undefined;
  for (const flow of correctable(scene, named)) {
    const type = scene.catalogue.flows.get(flow.flowName);
    const labels = type === undefined ? {} : labelsFor(type, flow, scene);
    if (type === undefined || Object.keys(labels).length === 0) continue;
    return { act: isOnlyNew(flow, labels) ? 'fill' : 'correct', flowId: flow.flowId, labels };
  }
  const labels = isConfirming && state.ambiguity?.flowId === null ? candidateLabels(scene) : {};
  return Object.keys(labels).length > 0 ? { act: 'correct', labels } : answerBehind(scene);
}

/** Returns the flows that a correction may be about, most likely first. */
function correctable({ prediction: { flow }, state, current }: MeaningScene, named: FlowInstance | undefined) {
  const first = flow === null || current?.flowName === flow ? current : named;
  const others = flow === null ? state.stack.filter((one) => one !== first && !isOver(one)) : [];
  return first === undefined ? others : [first, ...others];
}

/** Returns the meaning of a short correction as an answer: "No, CD-34" may also answer the open question. */
function answerBehind(scene: MeaningScene): Meaning | undefined {
  const { clear, asked, prediction } = scene;
  if (clear?.act !== 'correct' || asked === undefined || prediction.flow !== null) return undefined;
  const isShort = clear.value.split(' ').length <= mostValueWords && Object.keys(prediction.slots).length === 0;
  return isShort && takes(asked.slot, clear.value) ? fill(scene) : undefined;
}

function takes({ type, params }: SlotDef, raw: JsonValue): boolean {
  return !('problem' in takeValue(type, params, { raw }));
}

function labelsFor(type: FlowType, flow: FlowInstance, { prediction, clear, asked }: MeaningScene): JsonMap {
  const own = Object.entries(prediction.slots).filter(([name]) => type.slots.has(name));
  if (own.length > 0) return Object.fromEntries(own);
  if (Object.keys(prediction.slots).length > 0 || clear?.act !== 'correct') return {};
  const askedSlot = asked?.flow.flowId === flow.flowId ? asked.slot.name : undefined;
  return correctedLabels(type, flow.slots, { words: clear, askedSlot });
}

/** Returns whether the labels only fill empty slots. */
function isOnlyNew(flow: FlowInstance, labels: JsonMap): boolean {
  return Object.keys(labels).every((name) => isEmptyValue(flow.slots[name]));
}

/** Returns the corrected values of the flow that the person was asked about. */
function candidateLabels({ state, catalogue, prediction, clear }: MeaningScene): JsonMap {
  const { candidate, slots = null } = state.ambiguity?.metadata ?? {};
  const type = catalogue.flows.get(String(candidate));
  if (type === undefined) return {};
  const own = Object.entries(prediction.slots).filter(([name]) => type.slots.has(name));
  if (own.length > 0 || clear?.act !== 'correct') return Object.fromEntries(own);
  const held = typeof slots === 'object' && slots !== null ? (slots as JsonMap) : {};
  return correctedLabels(type, held, { words: clear, askedSlot: undefined });
}
