/**
 * Texts about a conversation: states of flows, and events.
 */
import type {
  DialogueAct,
  FlowStatus,
  FlowView,
  SessionEnvelope,
  SessionEvent,
  SessionView,
  UserMessage,
} from '../../engine/isomorphic.ts';
import type { VisualState } from '../ui/state-icon.tsx';

/** Returns the text of a message, or describes the action taken in a form. */
export function wordsOf({ text, action }: Pick<UserMessage, 'text' | 'action'>): string {
  if (text !== '' || action === undefined) return text;
  if (action.drop === true) return 'Gives it up';
  if (action.goesOn === true) return 'Go on';
  const slots = Object.entries(action.slots ?? {});
  if (slots.length === 0) return action.flow ?? '';
  return slots
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** A state with the appearance that it shares with runs, and its label. */
export interface FlowLook {
  readonly state: VisualState;
  readonly words: string;
}

const looks: Readonly<Record<FlowStatus, FlowLook>> = {
  Pending: { state: 'queued', words: 'pending' },
  Active: { state: 'running', words: 'active' },
  Completed: { state: 'completed', words: 'completed' },
  Invalid: { state: 'failed', words: 'invalid' },
};

/** What the run of a flow waits for. */
export const waitsForWords = { approval: 'waits for an approval', user_input: 'waits for your input' } as const;

/** Returns the state of a flow. Shows if its slots or its run wait for a person. */
export function flowAppearance({ status, waitsFor, slots }: FlowView): FlowLook {
  if (waitsFor !== null) return { state: 'suspended', words: waitsForWords[waitsFor] };
  if (status === 'Active' && slots.some(({ isMissing }) => isMissing))
    return { state: 'suspended', words: 'active, needs a value' };
  return looks[status];
}

/** Returns whether a flow is pending although no request is open, because a turn ended before it ran. */
export function isConversationStalled({ turnId, queue, stack, ambiguity }: SessionView): boolean {
  const [top] = stack;
  if (top === undefined || turnId !== null || queue.length > 0) return false;
  const isAsked = ambiguity !== null && ambiguity.flowId !== null;
  return !isAsked && top.waitsFor === null && !top.slots.some(({ isMissing }) => isMissing);
}

/** Returns what a pending flow waits for. Empty if it cannot be named. */
export function waitReasonText(flow: FlowView, { stack, plans }: Pick<SessionView, 'stack' | 'plans'>): string {
  if (flow.status !== 'Pending') return '';
  const above = stack.slice(
    0,
    stack.findIndex(({ flowId }) => flowId === flow.flowId),
  );
  const needed = above.find(({ stackedOn }) => stackedOn === flow.flowId);
  if (needed !== undefined) return `waits for ${needed.flowName}`;
  const plan = plans.find(({ planId }) => planId === flow.flowId);
  if (plan !== undefined && above.some(({ planId }) => planId === flow.flowId)) return 'waits for its parts';
  const [top] = above;
  return top === undefined ? '' : `waits behind ${top.flowName}`;
}

type EventFormatters = {
  readonly [T in SessionEvent['type']]?: (event: Extract<SessionEvent, { type: T }>, nameOf: NameOf) => string;
};
type NameOf = (flowId: string | null) => string;

const reasons = {
  fallback: 'another one takes over',
  prune: 'it is not needed any more',
  abandon: 'it was given up',
  failure: 'it has failed',
  corrected: 'it begins again with corrected values',
} as const;

/** Labels for the purposes of a message. */
export const dialogueActLabels: Readonly<Record<DialogueAct, string>> = {
  request: 'a request',
  fill: 'a value',
  correct: 'a correction',
  agree: 'a yes',
  decline: 'a no',
  cancel: 'a cancellation',
  cancel_all: 'a cancellation of everything',
  aside: 'a question in between',
  none: 'none of what is possible',
};

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

const words: EventFormatters = {
  'session:start': ({ catalogue }) => `The conversation begins with ${catalogue.path}`,
  message: (event) =>
    event.from === 'user' ? `You: ${wordsOf(event).replaceAll('\n', ', ')}` : `The assistant: ${event.text}`,
  'conversation:summary': () => 'What was said is summed up',
  'nlu:predicted': ({ flow, intent, confidence, act }) =>
    act !== undefined && flow === null && intent === null
      ? `Understood as: ${dialogueActLabels[act]}`
      : `Chosen: ${flow ?? intent ?? 'nothing'} (${Math.round(confidence * 100)} %)${act === undefined ? '' : `, ${dialogueActLabels[act]}`}`,
  'recovery:step': ({ flowId, step, ok }, nameOf) =>
    `${nameOf(flowId)}: recovery by ${step} ${ok ? 'has worked' : 'has not worked'}`,
  'governance:decision': ({ rule, place, reason = '' }) =>
    `Not allowed${reason === '' ? '' : `: ${reason}`} (rule ${rule}${place === undefined ? '' : `, ${place}`})`,
  'stack:push': ({ flowName, position }) =>
    `${flowName} is put ${position === 0 ? 'on top' : `at place ${position + 1}`}`,
  'stack:cover': ({ flowId }, nameOf) => `${nameOf(flowId)} waits again`,
  'stack:activate': ({ flowId }, nameOf) => `${nameOf(flowId)} becomes active`,
  'stack:complete': ({ flowId }, nameOf) => `${nameOf(flowId)} is completed`,
  'stack:invalidate': ({ flowId, reason }, nameOf) => `${nameOf(flowId)} is invalid: ${reasons[reason]}`,
  'stack:pop': ({ flowId }, nameOf) => `${nameOf(flowId)} leaves the stack`,
  'stack:fallback': ({ fromFlowId, toFlowName, droppedSlots }, nameOf) =>
    `${toFlowName} takes over from ${nameOf(fromFlowId)}${droppedSlots.length === 0 ? '' : `, without ${listed(droppedSlots)}`}`,
  'slot:filled': ({ flowId, slot, value }, nameOf) => `${nameOf(flowId)}: ${slot} = ${JSON.stringify(value)}`,
  'slot:rejected': ({ flowId, problem }, nameOf) => `${nameOf(flowId)}: ${problem}`,
  'flow:run': ({ flowId }, nameOf) => `${nameOf(flowId)} begins to run`,
  'flow:stopped': ({ flowId }, nameOf) => `The run of ${nameOf(flowId)} ends, because a value was corrected`,
  'flow:waits': ({ flowId, for: what }, nameOf) =>
    `${nameOf(flowId)} ${what === null ? 'goes on' : waitsForWords[what]}`,
  'ambiguity:declared': ({ level, flowId }, nameOf) =>
    `Not clear (${level})${flowId === null ? '' : `: ${nameOf(flowId)}`}`,
  'ambiguity:resolved': ({ by }) => `Clear again, by ${by}`,
  'plan:decomposed': ({ subFlows, method }) =>
    `Taken apart into ${listed(subFlows.map(({ flowName }) => flowName))}${method === 'lats' ? ', after several ways were weighed' : ''}`,
  'plan:replan': ({ decision, reason }) => `Looked at again: ${decision}${reason === '' ? '' : `, ${reason}`}`,
  'plan:assessed': ({ done, reason }) =>
    `The plan ${done ? 'is done' : 'goes on'}${reason === '' ? '' : `: ${reason}`}`,
  'plan:abandoned': ({ planId }, nameOf) => `${nameOf(planId)} is given up with its parts`,
  'scratchpad:write': ({ flowName, entries }) => `${flowName} notes: ${entries.map(({ text }) => text).join(' ')}`,
  'internal:schedule': ({ flowName }) => `In the background: ${flowName}`,
  'internal:start': ({ flowId }, nameOf) => `${nameOf(flowId)} begins in the background`,
  'internal:end': ({ flowId, status }, nameOf) =>
    `${nameOf(flowId)} has ended in the background (${status.toLowerCase()})`,
  'turn:start': () => 'A turn begins',
  'turn:end': ({ outcome }) => `The turn ends${outcome === 'done' ? '' : `: ${outcome}`}`,
  'turn:rolledback': ({ turnIds }) => `${turnIds.length} ${turnIds.length === 1 ? 'turn is' : 'turns are'} taken back`,
};

/** An event as a line of text. */
export interface ConversationEventLine {
  readonly seq: number;
  readonly at: number;
  readonly text: string;
  /** Type of the event, so that starts, ends and errors can be highlighted. */
  readonly type: SessionEvent['type'];
}

/** Returns the events that are relevant to users, each as text. */
export function stepsOf(events: readonly SessionEnvelope[]): readonly ConversationEventLine[] {
  const names = new Map<string, string>();
  const nameOf: NameOf = (flowId) => (flowId === null ? '' : (names.get(flowId) ?? flowId));
  return events.flatMap(({ seq, at, event }): readonly ConversationEventLine[] => {
    if ((event.type === 'stack:push' || event.type === 'internal:schedule') && 'flowName' in event)
      names.set(event.flowId, event.flowName);
    if (!Object.hasOwn(words, event.type)) return [];
    const say = words[event.type] as ((event: SessionEvent, nameOf: NameOf) => string) | undefined;
    return say === undefined ? [] : [{ seq, at, text: say(event, nameOf), type: event.type }];
  });
}
