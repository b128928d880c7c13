/**
 * Lines of a log about people: what they are asked, and what they say.
 */
import type { EventEnvelope } from '../../engine/isomorphic.ts';
import { answerWords, commentOf } from '../stores/runs/answer-words.ts';

/** What a line says of its event. */
export interface LineText {
  /** Node that the event is about, where it says so itself. */
  readonly nodeId?: string | undefined;
  readonly tone: 'plain' | 'good' | 'bad' | 'quiet';
  readonly text: string;
}

type AskEvent = Extract<
  EventEnvelope['event'],
  { type: 'approval:requested' | 'input:requested' | 'approval:resolved' | 'input:received' | 'input:refused' }
>;

/** A question, or what came of one. */
export function askLine(event: AskEvent): LineText {
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

/** A run that waits for people, or goes on. */
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
