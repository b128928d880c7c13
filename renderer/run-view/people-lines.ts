/**
 * Log lines about people: requests and their answers.
 */
import type { EventEnvelope } from '../../engine/isomorphic.ts';
import { answerWords, commentOf } from '../stores/runs/requests/answer-words.ts';

/** The text of a line about an event. */
export interface LineText {
  /** Node that the event is about, if the event contains it. */
  readonly nodeId?: string | undefined;
  readonly tone: 'plain' | 'good' | 'bad' | 'quiet';
  readonly text: string;
}

type PersonRequestEvent = Extract<
  EventEnvelope['event'],
  { type: 'approval:requested' | 'input:requested' | 'approval:resolved' | 'input:received' | 'input:refused' }
>;

/** Returns the line for a request or its result. */
export function askLine(event: PersonRequestEvent): LineText {
  const { nodeId } = event;
  if (event.type === 'input:refused') {
    const whose = event.by === undefined ? 'an answer' : `the answer of ${event.by}`;
    return { nodeId, tone: 'plain', text: `${whose} was not taken: ${event.errors.join(', ')}` };
  }
  if ('request' in event) return { nodeId, tone: 'plain', text: `asks: ${event.request.title}` };
  const said = commentOf(event.payload);
  const words = answerWords(event.type === 'input:received' ? 'input' : 'approval', event);
  return { nodeId, tone: 'plain', text: said === '' ? words : `${words}: ${said}` };
}

type Stop = Extract<EventEnvelope['event'], { type: 'run:refused' | 'run:suspended' | 'run:resumed' }>;

/** Returns the line for a run that suspends or resumes. */
export function stopLine(event: Stop): LineText {
  if (event.type === 'run:refused') return { tone: 'bad', text: `run refused: ${event.message}` };
  const { nodeId } = event;
  return {
    nodeId,
    tone: 'plain',
    text: event.type === 'run:suspended' ? 'run waits for a person' : resumedText(event),
  };
}

function resumedText({ decision, comment }: Extract<EventEnvelope['event'], { type: 'run:resumed' }>): string {
  if (decision === undefined) return 'run resumed';
  const answer = decision === 'approve' ? 'approved' : 'rejected';
  return comment === undefined ? `run resumed, ${answer}` : `run resumed, ${answer}: ${comment}`;
}
