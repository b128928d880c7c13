/**
 * Determines which task a person cancels, from a prediction or from clear words.
 */
import type { JsonMap } from '../../language/json/json-value.ts';
import type { FlowType } from '../catalog/catalogue.ts';
import { type FlowInstance, isOver } from '../session/session-state.ts';
import type { CancelWords } from './dialogue-act.ts';
import { type Meaning, type MeaningScene, openOf } from './meaning-scene.ts';
import { taskOf } from './same-task.ts';

/** Returns the meaning of words that cancel, unless they refer to a flow with the purpose of canceling something. */
export function clearCancel(scene: MeaningScene, clear: CancelWords): Meaning | undefined {
  const { prediction, state, catalogue } = scene;
  const type = catalogue.flows.get(prediction.flow ?? '');
  const isOpen = openOf(state, prediction.flow) !== undefined;
  const isAboutCancelling = type !== undefined && !isOpen && mentions(type, /\b(?:cancel|stop|abort|undo|drop)/i);
  if (isAboutCancelling && (clear.what !== '' || scene.current === undefined)) return undefined;
  if (clear.instead !== '' && type !== undefined && !isOpen)
    return { ...beginning(scene), act: 'request', labels: prediction.slots };
  if (clear.act === 'cancel_all') return { act: 'cancel_all', labels: {} };
  // A script pattern may have predicted a flow from words such as "cancel that".
  return cancel(clear.what === '' ? unnamed(scene) : scene, clear.what);
}

function unnamed(scene: MeaningScene): MeaningScene {
  return { ...scene, prediction: { ...scene.prediction, flow: null } };
}

/** Returns what to cancel before a request: "never mind, find AB-12 instead". */
export function beginning(scene: MeaningScene): Pick<Meaning, 'cancelsFirst'> {
  const { clear } = scene;
  if (clear === undefined || !('instead' in clear) || clear.instead === '') return {};
  if (clear.act === 'cancel_all') return { cancelsFirst: 'all' };
  const { flowId } = cancel(unnamed(scene), clear.what);
  return flowId === undefined ? {} : { cancelsFirst: flowId };
}

/** Returns the cancellation of the task named by the words or the prediction, otherwise of the active task. */
export function cancel({ prediction, state, catalogue, current }: MeaningScene, what: string): Meaning {
  const open = state.stack.filter((flow) => !isOver(flow));
  const ofType = open.filter((flow) => flow.flowName === prediction.flow);
  const isByWords = what !== '' && prediction.flow === null;
  const byWords = !isByWords ? [] : open.filter((flow) => isNamedBy(flow, catalogue.flows.get(flow.flowName), what));
  const named = byValues(ofType, prediction.slots, what) ?? byValues(byWords, prediction.slots, what);
  if (named !== undefined) return { act: 'cancel', flowId: taskOf(state, named).flowId, labels: {} };
  const tasks = new Set(open.map((flow) => taskOf(state, flow).flowId));
  const isElse = prediction.flow !== null || (what !== '' && tasks.size !== 1);
  if (current === undefined || isElse) {
    const missing = prediction.flow?.replaceAll('_', ' ') ?? what;
    return { act: 'cancel', labels: {}, ...(missing === '' ? {} : { missing }) };
  }
  return { act: 'cancel', flowId: taskOf(state, current).flowId, labels: {} };
}

/** Returns the flow with the given values, or with a value that the words mention; otherwise the first flow. */
function byValues(flows: readonly FlowInstance[], slots: JsonMap, what: string): FlowInstance | undefined {
  const given = Object.values(slots).map((value) => String(value).toLowerCase());
  const words = what.toLowerCase();
  const isMeant = (flow: FlowInstance): boolean =>
    Object.values(flow.slots).some((value) => {
      const text = typeof value === 'object' ? '' : String(value).toLowerCase();
      return text !== '' && (given.includes(text) || words.split(/\s+/).includes(text));
    });
  return flows.find(isMeant) ?? flows[0];
}

function isNamedBy({ flowName }: FlowInstance, type: FlowType | undefined, what: string): boolean {
  const about = stems([flowName.replaceAll('_', ' '), type?.description ?? '', ...(type?.examples ?? [])].join(' '));
  return [...stems(what)].some((stem) => about.has(stem));
}

/** Returns the first four letters of each word, so that "booking" matches "book_table". */
function stems(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return new Set(words.filter((word) => !emptyWords.has(word)).map((word) => word.slice(0, 4)));
}

const emptyWords: ReadonlySet<string> = new Set([
  'that',
  'this',
  'with',
  'from',
  'what',
  'when',
  'have',
  'want',
  'order',
]);

function mentions({ name, description, examples }: FlowType, pattern: RegExp): boolean {
  return [name.replaceAll('_', ' '), description, ...examples].some((text) => pattern.test(text));
}
