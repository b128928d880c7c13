/**
 * NLU: which flow is meant, and what was said for its slots. Asked once in a turn, and once more by recovery.
 */
import { declareAmbiguity, missingSlotAmbiguity, resolveAmbiguity } from '../dialogue/ambiguity.ts';
import { fillSlots, invalidateFlow, requestFlow } from '../dialogue/flow-stack.ts';
import { doubtAbout, type NluRequest, nluQuestion, react, readPrediction } from '../dialogue/nlu-prompt.ts';
import { decomposePlan } from '../dialogue/plan.ts';
import { predictByScript } from '../dialogue/scripted-nlu.ts';
import type { AmbiguityRecord, FlowInstance, Prediction, UiAction, UserMessage } from '../dialogue/session-state.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import type { TurnContext } from './turn-context.ts';

/**
 * Takes a message into the state: a flow is begun or goes on with what was said, or something is not clear.
 * @returns whether it is clear what is wanted
 */
export async function understand(turn: TurnContext, message: UserMessage): Promise<boolean> {
  const { action } = message;
  if (action?.goesOn === true) return true;
  if (action?.plan !== undefined) beginProposedPlan(turn, action);
  else if (action?.drop === true) drop(turn, action.flowId ?? '');
  else return await hear(turn, message);
  return true;
}

async function hear(turn: TurnContext, message: UserMessage): Promise<boolean> {
  const { action } = message;
  const prepared = await turn.hook('prepare', turn.active?.intent);
  if (prepared.refuse !== undefined) return unclearTo(turn, { ...unclear, metadata: { reason: prepared.refuse } });
  const prediction = await predict(turn, message);
  // Nothing is asked of who was not heard: what is under way, and what it still needs, stays as it is.
  if ('doubt' in prediction) return turn.withheld === undefined && unclearTo(turn, prediction.doubt);
  turn.journal.emit({ type: 'nlu:predicted', ...prediction });
  const validated = await turn.hook('validate', prediction.intent ?? undefined, {
    prediction: predictionMap(prediction),
  });
  if (validated.refuse !== undefined) return unclearTo(turn, { ...unclear, metadata: { reason: validated.refuse } });
  if (action?.flowId !== undefined) return fillByForm(turn, action.flowId, action.slots ?? {});
  const doubt = doubtAbout(prediction, turn.catalogue);
  if (doubt !== undefined) return answersQuestion(turn, prediction) || unclearTo(turn, doubt);
  request(turn, prediction);
  return true;
}

function unclearTo(turn: TurnContext, record: AmbiguityRecord): false {
  declare(turn, record);
  return false;
}

/** A prediction after a failure: another flow than those that were tried; undefined = there is none that is sure enough. */
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

/** A flow that has failed is not left as if it had not: the turn ends behind its recovery. */
function unlessOver({ overBudget }: TurnContext, thrown: unknown): Predicted {
  if (overBudget === undefined) throw thrown;
  return { doubt: { ...unclear, metadata: { reason: overBudget } } };
}

/** Says that something is not clear, unless that very question is open already. */
export function declare(turn: TurnContext, record: AmbiguityRecord): void {
  const { ambiguity } = turn.state;
  const isSame =
    ambiguity !== null &&
    ambiguity.level === record.level &&
    ambiguity.flowId === record.flowId &&
    ambiguity.metadata['missing_slot'] === record.metadata['missing_slot'] &&
    record.metadata['reason'] === ambiguity.metadata['reason'];
  if (!isSame) turn.journal.take(declareAmbiguity(turn.state, record));
}

/** What a flow still needs before it can run, as a question; undefined = nothing. */
export function missingOf(turn: TurnContext, flow: FlowInstance): AmbiguityRecord | undefined {
  const type = turn.typeOf(flow);
  return type && missingSlotAmbiguity(flow.flowId, new type.Flow(flow).missing_slots(), rejectionsOf(turn, flow));
}

/** What was wrong with what this turn gave for slots of a flow, by slot. */
function rejectionsOf({ journal }: TurnContext, { flowId }: FlowInstance): ReadonlyMap<string, string> {
  return new Map(
    journal.told.flatMap((event) =>
      event.type === 'slot:rejected' && event.flowId === flowId ? [[event.slot, event.problem] as const] : [],
    ),
  );
}

const unclear: AmbiguityRecord = { level: 'general', flowId: null, metadata: {}, observation: '' };

type Predicted = Prediction | { readonly doubt: AmbiguityRecord };

async function predict(turn: TurnContext, { text, action }: UserMessage): Promise<Predicted> {
  if (action !== undefined) {
    const prediction = react(turn.state, turn.catalogue, { text, action });
    return prediction ?? { doubt: { ...unclear, metadata: { reason: 'There is no such flow to choose.' } } };
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
  return { doubt: { ...unclear, metadata: { reason: read.problem } } };
}

function fixedPrediction({ catalogue }: TurnContext, flow: string, text: string): Prediction {
  const intent = catalogue.flows.get(flow)?.intent ?? null;
  return { mode: 'contemplate', text, intent, flow, confidence: 1, candidates: [{ flow, score: 1 }], slots: {} };
}

function predictionMap({ intent, flow, confidence, slots }: Prediction): JsonMap {
  return { intent, flow, confidence, slots };
}

function request(turn: TurnContext, { flow, slots }: Prediction): void {
  const { journal, catalogue } = turn;
  // What a flow still needs stays asked until it has it.
  if (turn.state.ambiguity?.level !== 'specific') journal.take(resolveAmbiguity(turn.state, 'person'));
  journal.take(requestFlow(turn.state, catalogue, { flowName: flow ?? '', slots, by: 'user' }));
}

function fillByForm(turn: TurnContext, flowId: string, labels: JsonMap): boolean {
  const { journal, catalogue } = turn;
  const filled = fillSlots(turn.state, catalogue, { flowId, labels });
  if ('refused' in filled) return unclearTo(turn, { ...unclear, metadata: { reason: filled.refused.message } });
  journal.take(filled);
  return true;
}

/** Somebody who was asked for a value, and says what is no request of anything, has given it. */
function answersQuestion(turn: TurnContext, { text, flow, intent, slots }: Prediction): boolean {
  const { ambiguity } = turn.state;
  const { active, journal, catalogue } = turn;
  if (ambiguity?.level !== 'specific' || active === undefined || ambiguity.flowId !== active.flowId) return false;
  if (flow !== null || intent !== null) return false;
  const slot = ambiguity.metadata['missing_slot'];
  const labels = Object.keys(slots).length > 0 || typeof slot !== 'string' ? slots : { [slot]: text };
  journal.take(fillSlots(turn.state, catalogue, { flowId: active.flowId, labels }));
  return true;
}

/**
 * A plan that a run has proposed is data until somebody says that it is to begin: puts it and its parts on the stack, the first
 * Active. The plan waits where something else is under way.
 */
function beginProposedPlan(turn: TurnContext, { flow = '', slots = {}, plan = [] }: UiAction): void {
  const { journal, catalogue } = turn;
  const { flowId } = journal.take(requestFlow(turn.state, catalogue, { flowName: flow, slots, by: 'user' }));
  if (turn.active?.flowId !== flowId) return;
  journal.take(decomposePlan(turn.state, catalogue, { planId: flowId, subFlows: plan, method: 'direct' }));
}

function drop(turn: TurnContext, flowId: string): void {
  const { journal } = turn;
  const flow = turn.state.stack.find((one) => one.flowId === flowId);
  const dropped = invalidateFlow(turn.state, { flowId, reason: 'abandon' });
  if ('refused' in dropped || flow === undefined) return;
  journal.take(dropped);
  if (turn.state.ambiguity?.flowId === flowId) journal.take(resolveAmbiguity(turn.state, 'drop'));
}
