/**
 * NLU: predicts the flow that a message refers to and the values for its slots. Runs once per turn, and again during
 * recovery.
 */

import type { JsonMap } from '../../language/json/json-value.ts';
import { clearWords } from '../meaning/dialogue-act.ts';
import { interpretPrediction } from '../meaning/meaning.ts';
import { doubtAbout, type NluRequest, nluQuestion, react, readPrediction } from '../meaning/nlu-prompt.ts';
import { predictByScript } from '../meaning/scripted-nlu.ts';
import type { AmbiguityRecord, FlowInstance, Prediction, UserMessage } from '../session/session-state.ts';
import { beginProposedPlan, drop, takeForm, takeMeaning } from './take-meaning.ts';
import type { TurnContext } from './turn-context.ts';
import { unclear, unclearTo } from './unclear.ts';

/**
 * Applies a message to the state: starts, changes or cancels a flow, or declares an ambiguity.
 * @returns whether it is clear what the person wants
 */
export async function understand(turn: TurnContext, message: UserMessage): Promise<boolean> {
  const { action } = message;
  if (action?.goesOn === true) return true;
  if (action?.plan !== undefined) beginProposedPlan(turn, action);
  else if (action?.drop === true) await drop(turn, action.flowId ?? '');
  else return await hear(turn, message);
  return true;
}

async function hear(turn: TurnContext, message: UserMessage): Promise<boolean> {
  const { action } = message;
  const prepared = await turn.hook('prepare', turn.active?.intent);
  if (prepared.refuse !== undefined) return unclearTo(turn, { ...unclear, metadata: { reason: prepared.refuse } });
  const predicted = await predict(turn, message);
  // A withheld message causes no question: active flows and their open questions are unchanged.
  if ('doubt' in predicted) return turn.withheld === undefined && unclearTo(turn, predicted.doubt);
  const meaning = interpretPrediction(predicted, turn.state, turn.catalogue);
  const prediction: Prediction = { ...predicted, act: meaning.act };
  turn.journal.emit({ type: 'nlu:predicted', ...prediction });
  const validated = await turn.hook('validate', prediction.intent ?? undefined, {
    prediction: predictionMap(prediction),
  });
  if (validated.refuse !== undefined) return unclearTo(turn, { ...unclear, metadata: { reason: validated.refuse } });
  if (action?.flowId !== undefined) return await takeForm(turn, action.flowId, action.slots ?? {});
  return await takeMeaning(turn, prediction, meaning);
}

/**
 * Predicts the meaning again after a failure. Returns a flow that has not been tried yet; undefined if no prediction is
 * confident enough.
 */
export async function contemplate(turn: TurnContext, flow: FlowInstance): Promise<Prediction | undefined> {
  const text = turn.state.turn?.message.text ?? '';
  const tried = [...flow.fallbackFrom, flow.flowName];
  const fixed = turn.typeOf(flow)?.fallback;
  const prediction =
    fixed !== undefined && !tried.includes(fixed)
      ? fixedPrediction(turn, fixed, text)
      : await think(turn, { mode: 'contemplate', text, exclude: tried }).catch((thrown) => unlessOver(turn, thrown));
  if ('doubt' in prediction) return undefined;
  turn.journal.emit({ type: 'nlu:predicted', ...prediction });
  const isSure = doubtAbout(prediction, turn.catalogue) === undefined && prediction.flow !== null;
  return isSure ? prediction : undefined;
}

/**
 * Handles an exhausted budget as an unclear meaning, so that recovery of a failed flow completes before the turn ends.
 */
function unlessOver({ overBudget }: TurnContext, thrown: unknown): Predicted {
  if (overBudget === undefined) throw thrown;
  return { doubt: { ...unclear, metadata: { reason: overBudget } } };
}

type Predicted = Prediction | { readonly doubt: AmbiguityRecord };

async function predict(turn: TurnContext, { text, action }: UserMessage): Promise<Predicted> {
  if (action !== undefined) {
    const prediction = react(turn.state, turn.catalogue, { text, action });
    return prediction ?? { doubt: { ...unclear, metadata: { reason: 'That flow does not exist.' } } };
  }
  return await think(turn, { mode: 'think', text });
}

async function think(turn: TurnContext, request: NluRequest): Promise<Predicted> {
  const { catalogue, held } = turn;
  if (held.script !== undefined) return predictByScript(held.script, catalogue, request);
  const model = 'model' in catalogue.nlu ? catalogue.nlu.model : undefined;
  const note = await turn.ask(request.mode, nluQuestion(turn.prompted, catalogue, request), model);
  const { value, problem } = note;
  const read = value === undefined ? { problem: problem ?? '' } : readPrediction(value, catalogue, request);
  if ('value' in read) return read.value;
  if (note.isFailure === true) turn.journal.emit({ type: 'state:flags', hasIssues: true });
  // Clear words keep their meaning even without a usable model response.
  const isClear = request.mode === 'think' && turn.withheld === undefined && clearWords(request.text) !== undefined;
  return isClear ? nothingPredicted(request) : { doubt: { ...unclear, metadata: { reason: read.problem } } };
}

function nothingPredicted({ mode, text }: NluRequest): Prediction {
  return { mode, text, intent: null, flow: null, confidence: 0, candidates: [], slots: {} };
}

function fixedPrediction({ catalogue }: TurnContext, flow: string, text: string): Prediction {
  const intent = catalogue.flows.get(flow)?.intent ?? null;
  return { mode: 'contemplate', text, intent, flow, confidence: 1, candidates: [{ flow, score: 1 }], slots: {} };
}

function predictionMap({ intent, flow, confidence, slots, act = 'none' }: Prediction): JsonMap {
  return { intent, flow, confidence, slots, act };
}
