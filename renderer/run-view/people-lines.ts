/**
 * Log lines about people, with requests and their answers, and about nodes that did not run as planned.
 */
import { baseNodeId, type EventEnvelope, explainWhen } from '../../engine/isomorphic.ts';
import { answerWords, commentOf } from '../stores/runs/requests/answer-words.ts';
import { text } from './log/text.ts';

/** The text of a line about an event. */
export interface LineText {
  /** Node that the event is about, if the event contains it. */
  readonly nodeId?: string | undefined;
  readonly tone: 'plain' | 'good' | 'bad' | 'quiet';
  readonly text: string;
}

/** Appends a value or a reason to a line. */
export function withDetail(line: string, detail: string | undefined): string {
  return detail === undefined || detail === '' ? line : text.withDetail({ line, detail });
}

type PersonRequestEvent = Extract<
  EventEnvelope['event'],
  { type: 'approval:requested' | 'input:requested' | 'approval:resolved' | 'input:received' | 'input:refused' }
>;

/** Returns the line for a request or its result. */
export function askLine(event: PersonRequestEvent): LineText {
  const { nodeId } = event;
  if (event.type === 'input:refused') {
    const { by, errors } = event;
    const line = by === undefined ? text.request.notAccepted : text.request.notAcceptedFrom({ name: by });
    return { nodeId, tone: 'plain', text: withDetail(line, errors.join(', ')) };
  }
  if ('request' in event) return { nodeId, tone: 'plain', text: text.request.asks({ title: event.request.title }) };
  const said = commentOf(event.payload);
  const words = answerWords(event.type === 'input:received' ? 'input' : 'approval', event);
  return { nodeId, tone: 'plain', text: withDetail(words, said) };
}

type Stop = Extract<EventEnvelope['event'], { type: 'run:refused' | 'run:suspended' | 'run:resumed' }>;

/** Returns the line for a run that suspends or resumes. */
export function stopLine(event: Stop): LineText {
  if (event.type === 'run:refused') return { tone: 'bad', text: withDetail(text.run.refused, event.message) };
  const { nodeId } = event;
  return {
    nodeId,
    tone: 'plain',
    text: event.type === 'run:suspended' ? suspendedText(event) : resumedText(event),
  };
}

function suspendedText({ reason, nodeId }: Extract<Stop, { type: 'run:suspended' }>): string {
  if (reason === 'budget') return text.run.budgetReached;
  if (reason !== 'paused' && reason !== 'breakpoint') return text.run.waits;
  return nodeId === undefined ? text.run.paused : text.run.pausedHere;
}

function actionText(action: 'continue' | 'step' | 'skip' | 'edit' | 'raise', by: string | undefined): string {
  const { continued, continuedBy, step, stepBy, skip, skipBy, edit, editBy, raised, raisedBy } = text.run;
  const [line, lineBy] = {
    continue: [continued, continuedBy] as const,
    step: [step, stepBy] as const,
    skip: [skip, skipBy] as const,
    edit: [edit, editBy] as const,
    raise: [raised, raisedBy] as const,
  }[action];
  return by === undefined ? line : lineBy({ name: by });
}

function resumedText({ action, by, decision, comment }: Extract<Stop, { type: 'run:resumed' }>): string {
  if (action !== undefined) return actionText(action, by);
  if (decision === undefined) return text.run.resumed;
  return withDetail(decision === 'approve' ? text.run.resumedApproved : text.run.resumedRejected, comment);
}

type NodeLogEvent<Type> = Extract<EventEnvelope['event'], { readonly type: Type }>;

/** Returns the text for a node that received its input, which a person may have changed. @param value as shown */
export function inputText({ edited }: NodeLogEvent<'node:input'>, value: string): string {
  if (edited === undefined) return text.node.input({ value });
  return edited.by === undefined
    ? text.node.editedInput({ value })
    : text.node.editedInputBy({ value, name: edited.by });
}

/** Returns the text for a node that used an output instead of running. */
export function reusedText({ pin, given }: NodeLogEvent<'node:reused'>): string {
  if (given !== undefined) return given.by === undefined ? text.node.given : text.node.givenBy({ name: given.by });
  return pin === true ? text.node.pinned : text.node.reused;
}

/** Returns the text for a node that may not start. */
export function heldText({ reason, because, error }: NodeLogEvent<'node:held'>): string {
  const cause = because === undefined ? error?.message : explainWhen(because);
  return withDetail(reason === 'breakpoint' ? text.node.heldAtBreakpoint : text.node.held, cause);
}

/** Returns the text for a node that was skipped. */
export function skippedText({ reason, detail }: NodeLogEvent<'node:skipped'>): string {
  const why = text.node.skippedBecause[reason];
  const isCondition = detail !== undefined && (reason === 'when' || reason === 'edge');
  return isCondition ? withDetail(why, explainWhen(detail)) : why;
}

type EdgeText = Extract<EventEnvelope['event'], { readonly type: `edge:${string}` }>;

/** Returns the text for a node that an edge does not lead to. */
export function notReachedText({ from, detail }: Pick<EdgeText, 'from' | 'detail'>): string {
  const cause = detail === undefined ? undefined : explainWhen(detail);
  return withDetail(text.node.notReached({ node: baseNodeId(from) }), cause);
}
