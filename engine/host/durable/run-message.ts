/**
 * Messages to a run of a durable host: answers of people, decisions about interrupted work, and requests to cancel or
 * pause it.
 */
import type { JsonMap } from '../../language/json/json-value.ts';
import { isJsonMap } from '../../language/json/json-value.ts';
import type { AskAnswer, ReceivedAnswer } from '../../runtime/kernel/requests/ask.ts';

/** A message. It may be delivered more than once, so it has an id. */
export type RunMessage = AnswerMessage | HoldMessage;

/** What a person wants to happen to the nodes that have not started. */
export interface StartHold {
  readonly kind: 'pause' | 'continue' | 'step';
  /** When it was delivered, in epoch milliseconds. */
  readonly at: number;
  readonly by?: string;
}

/** Has no field `at`. Workers of earlier versions would read it as a request to cancel; without the field, they ignore it. */
interface HoldMessage {
  readonly id: string;
  readonly hold: StartHold;
}

interface AnswerMessage {
  readonly id: string;
  /** When it was delivered, in epoch milliseconds. */
  readonly at: number;
  /** The answer; absent for a request to cancel. A decision about interrupted work has an empty key. */
  readonly answer?: ReceivedAnswer;
}

/** Parses the text of a message; undefined if it is not one, because anyone with access to the journal may send text. */
export function parseMessage(text: string): RunMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isMap(value) || typeof value['id'] !== 'string') return undefined;
  const { id, at, answer, hold } = value;
  if (isHold(hold)) return { id, hold };
  if (typeof at !== 'number') return undefined;
  if (answer === undefined) return { id, at };
  return isAnswer(answer) ? { id, at, answer } : undefined;
}

function isMap(value: unknown): value is JsonMap {
  return isJsonMap(value as JsonMap);
}

function isHold(value: unknown): value is StartHold & JsonMap {
  if (!isMap(value) || typeof value['at'] !== 'number') return false;
  const { kind, by } = value;
  return (kind === 'pause' || kind === 'continue' || kind === 'step') && (by === undefined || typeof by === 'string');
}

function isAnswer(value: unknown): value is ReceivedAnswer {
  if (!isMap(value)) return false;
  const { name, key, requestHash, payload, by, at } = value;
  const isNamed = [name, key, requestHash].every((text) => typeof text === 'string');
  return isNamed && isMap(payload) && typeof at === 'number' && (by === undefined || typeof by === 'string');
}

/** Suffix of a repeated name; see `hostOfRepeats`. */
const repeat = /~\d+$/;

/** End of the name of an interrupted node or input; see `RunHost.signal`. */
const interrupted = /\/cut$/;

/** Returns the value for the signal with this name if the answer is for it, otherwise undefined. */
export function valueOfSignal(signal: string, { name, key, payload, by, at }: ReceivedAnswer): JsonMap | undefined {
  const own = signal.replace(repeat, '');
  if (key !== '')
    return own === `${name}?${key}` ? answerValue({ payload, at, ...(by === undefined ? {} : { by }) }) : undefined;
  if (!interrupted.test(own)) return undefined;
  const node = own.replace(interrupted, '');
  if (node !== name && !node.startsWith(`${name}/`)) return undefined;
  return { decision: payload['approved'] === true ? 'approve' : 'reject' };
}

/** Returns the full name of the node that awaits a signal. */
export function nodeOfSignal(signal: string): string {
  const own = signal.replace(repeat, '');
  if (interrupted.test(own)) return own.replace(interrupted, '');
  return own.slice(0, Math.max(0, own.indexOf('?')));
}

function answerValue(answer: AskAnswer): JsonMap {
  return { ...answer };
}
