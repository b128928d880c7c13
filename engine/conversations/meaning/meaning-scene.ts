/**
 * The facts that determine the meaning of a message: the prediction, its clear words, the open flows and the open
 * question.
 */
import type { JsonMap } from '../../language/json/json-value.ts';
import type { Catalogue } from '../catalog/catalogue.ts';
import type { SlotDef } from '../catalog/slot-types.ts';
import { activeFlow, type FlowInstance, isOver, type Prediction, type SessionState } from '../session/session-state.ts';
import { type ClearWords, clearWords, type DialogueAct } from './dialogue-act.ts';

export interface Meaning {
  readonly act: DialogueAct;
  /** The open flow that the message is about. */
  readonly flowId?: string;
  readonly labels: JsonMap;
  /** Id of a task to cancel before the request is handled; `all` for all tasks. */
  readonly cancelsFirst?: string;
  /** What the person wanted to cancel although it is not active, in their words. */
  readonly missing?: string;
}

/** A value that the person was asked for. */
export interface RequestedSlot {
  readonly flow: FlowInstance;
  readonly slot: SlotDef;
}

export interface MeaningScene {
  readonly prediction: Prediction;
  readonly state: SessionState;
  readonly catalogue: Catalogue;
  readonly clear: ClearWords | undefined;
  /** The flow that is active or comes next. */
  readonly current: FlowInstance | undefined;
  readonly asked: RequestedSlot | undefined;
  /** Whether the open question asks for confirmation of a flow or of its result. */
  readonly isConfirming: boolean;
}

/** Collects the facts that determine the meaning of a prediction. */
export function sceneOf(prediction: Prediction, state: SessionState, catalogue: Catalogue): MeaningScene {
  return {
    ...{ prediction, state, catalogue },
    current: activeFlow(state) ?? state.stack.find((flow) => !isOver(flow)),
    clear: prediction.mode === 'react' ? undefined : clearWords(prediction.text),
    asked: askedIn(state, catalogue),
    isConfirming: state.ambiguity?.level === 'confirmation',
  };
}

function askedIn({ ambiguity, stack }: SessionState, { flows }: Catalogue): RequestedSlot | undefined {
  if (ambiguity?.level !== 'specific') return undefined;
  const flow = stack.find(({ flowId }) => flowId === ambiguity.flowId);
  const slot = flows.get(flow?.flowName ?? '')?.slots.get(String(ambiguity.metadata['missing_slot']));
  return flow === undefined || isOver(flow) || slot === undefined ? undefined : { flow, slot };
}

/** Returns the topmost open flow of a type. */
export function openOf({ stack }: SessionState, flowName: string | null): FlowInstance | undefined {
  return stack.find((flow) => flow.flowName === flowName && !isOver(flow));
}
