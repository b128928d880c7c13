/**
 * Text about a conversation: flow states and events.
 */
import type {
  FlowStatus,
  FlowView,
  SessionEnvelope,
  SessionEvent,
  SessionView,
  UserMessage,
} from '../../engine/isomorphic.ts';
import type { VisualState } from '../ui/state-icon.tsx';
import { text } from './text.ts';

/** Returns the text of a message, or describes the action taken in a form. */
export function wordsOf({ text: typed, action }: Pick<UserMessage, 'text' | 'action'>): string {
  if (typed !== '' || action === undefined) return typed;
  if (action.drop === true) return text.chat.cancel;
  if (action.goesOn === true) return text.chat.continue;
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
  Pending: { state: 'queued', words: text.flow.pending },
  Active: { state: 'running', words: text.flow.active },
  Completed: { state: 'completed', words: text.flow.completed },
  Invalid: { state: 'failed', words: text.flow.invalid },
};

/** Returns a flow's state. Shows whether its slots or its run wait for a person. */
export function flowAppearance({ status, waitsFor, slots }: FlowView): FlowLook {
  if (waitsFor !== null)
    return { state: waitsFor === 'pause' ? 'paused' : 'suspended', words: text.flow.waitsFor[waitsFor] };
  if (status === 'Active' && slots.some(({ isMissing }) => isMissing))
    return { state: 'suspended', words: text.flow.needsValue };
  return looks[status];
}

/** Returns whether a flow is pending although no request is open, because a turn ended before it ran. */
export function isConversationStalled({ turnId, queue, stack, ambiguity }: SessionView): boolean {
  const [top] = stack;
  if (top === undefined || turnId !== null || queue.length > 0) return false;
  const isAsked = ambiguity !== null && ambiguity.flowId !== null;
  return !isAsked && top.waitsFor === null && !top.slots.some(({ isMissing }) => isMissing);
}

/** Returns the subject that a pending flow waits for. Empty if it cannot be named. */
export function waitReasonText(flow: FlowView, { stack, plans }: Pick<SessionView, 'stack' | 'plans'>): string {
  if (flow.status !== 'Pending') return '';
  const above = stack.slice(
    0,
    stack.findIndex(({ flowId }) => flowId === flow.flowId),
  );
  const needed = above.find(({ stackedOn }) => stackedOn === flow.flowId);
  if (needed !== undefined) return text.flow.waitsForFlow({ name: needed.flowName });
  const plan = plans.find(({ planId }) => planId === flow.flowId);
  if (plan !== undefined && above.some(({ planId }) => planId === flow.flowId)) return text.flow.waitsForParts;
  const [top] = above;
  return top === undefined ? '' : text.flow.runsAfter({ name: top.flowName });
}

type EventFormatters = {
  readonly [T in SessionEvent['type']]?: (event: Extract<SessionEvent, { type: T }>, nameOf: NameOf) => string;
};
type NameOf = (flowId: string | null) => string;

const { events: said, recoverySteps, replanDecisions, ambiguityLevels } = text;

function predictedText({ flow, intent, confidence, act }: Extract<SessionEvent, { type: 'nlu:predicted' }>): string {
  if (act !== undefined && flow === null && intent === null) return said.understood({ act: text.acts[act] });
  const chosen = { name: flow ?? intent ?? said.nothing, percent: Math.round(confidence * 100) };
  return act === undefined ? said.chosen(chosen) : said.chosenFor({ ...chosen, act: text.acts[act] });
}

const formatters: EventFormatters = {
  'session:start': ({ catalogue }) => said.started(catalogue),
  message: (event) =>
    event.from === 'user'
      ? said.user({ words: wordsOf(event).replaceAll('\n', ', ') })
      : said.assistant({ words: event.text }),
  'conversation:summary': () => said.summarized,
  'nlu:predicted': predictedText,
  'recovery:step': ({ flowId, step, ok }, nameOf) =>
    (ok ? said.recovered : said.notRecovered)({ name: nameOf(flowId), step: recoverySteps[step] }),
  'governance:decision': ({ rule: id, place, reason = '' }) => {
    const rule = [id, place].filter(Boolean).join(', ');
    return reason === '' ? said.denied({ rule }) : said.deniedBecause({ rule, reason });
  },
  'stack:push': ({ flowName: name, position }) =>
    position === 0 ? said.pushedOnTop({ name }) : said.pushedAt({ name, position: position + 1 }),
  'stack:cover': ({ flowId }, nameOf) => said.covered({ name: nameOf(flowId) }),
  'stack:activate': ({ flowId }, nameOf) => said.activated({ name: nameOf(flowId) }),
  'stack:complete': ({ flowId }, nameOf) => said.completed({ name: nameOf(flowId) }),
  'stack:invalidate': ({ flowId, reason }, nameOf) => said.invalidated[reason]({ name: nameOf(flowId) }),
  'stack:pop': ({ flowId }, nameOf) => said.popped({ name: nameOf(flowId) }),
  'stack:fallback': ({ fromFlowId, toFlowName, droppedSlots }, nameOf) => {
    const flows = { name: toFlowName, from: nameOf(fromFlowId) };
    return droppedSlots.length === 0
      ? said.takenOver(flows)
      : said.takenOverWithout({ ...flows, slots: droppedSlots.join(', ') });
  },
  'slot:filled': ({ flowId, slot, value }, nameOf) =>
    said.filled({ name: nameOf(flowId), slot, value: JSON.stringify(value) }),
  'slot:rejected': ({ flowId, problem }, nameOf) => said.rejected({ name: nameOf(flowId), problem }),
  'flow:run': ({ flowId }, nameOf) => said.runs({ name: nameOf(flowId) }),
  'flow:stopped': ({ flowId }, nameOf) => said.stopped({ name: nameOf(flowId) }),
  'flow:waits': ({ flowId, for: what }, nameOf) => {
    const name = nameOf(flowId);
    if (what === null) return said.continues({ name });
    if (what === 'pause') return said.isPaused({ name });
    return what === 'approval' ? said.waitsForApproval({ name }) : said.waitsForInput({ name });
  },
  'ambiguity:declared': ({ level: at, flowId }, nameOf) => {
    const level = ambiguityLevels[at];
    return flowId === null ? said.unclear({ level }) : said.unclearFlow({ level, name: nameOf(flowId) });
  },
  'ambiguity:resolved': ({ by }) => said.clear({ by }),
  'plan:decomposed': ({ subFlows, method }) => {
    const names = subFlows.length === 0 ? said.none : subFlows.map(({ flowName }) => flowName).join(', ');
    return method === 'lats' ? said.decomposedByScore({ names }) : said.decomposed({ names });
  },
  'plan:replan': ({ decision: made, reason }) => {
    const decision = replanDecisions[made];
    return reason === '' ? said.replanned({ decision }) : said.replannedBecause({ decision, reason });
  },
  'plan:assessed': ({ done, reason }) => {
    if (reason === '') return done ? said.planDone : said.planContinues;
    return done ? said.planDoneBecause({ reason }) : said.planContinuesBecause({ reason });
  },
  'plan:abandoned': ({ planId }, nameOf) => said.abandoned({ name: nameOf(planId) }),
  'scratchpad:write': ({ flowName, entries }) =>
    said.noted({ name: flowName, notes: entries.map((entry) => entry.text).join(' ') }),
  'internal:schedule': ({ flowName }) => said.scheduled({ name: flowName }),
  'internal:start': ({ flowId }, nameOf) => said.backgroundStarted({ name: nameOf(flowId) }),
  'internal:end': ({ flowId, status }, nameOf) =>
    (status === 'Completed' ? said.backgroundCompleted : said.backgroundInvalid)({ name: nameOf(flowId) }),
  'turn:start': () => said.turnStarted,
  'turn:end': ({ outcome }) => said.turnEnded[outcome],
  'turn:rolledback': ({ turnIds }) => said.takenBack({ count: turnIds.length }),
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
    if (!Object.hasOwn(formatters, event.type)) return [];
    const say = formatters[event.type] as ((event: SessionEvent, nameOf: NameOf) => string) | undefined;
    return say === undefined ? [] : [{ seq, at, text: say(event, nameOf), type: event.type }];
  });
}
