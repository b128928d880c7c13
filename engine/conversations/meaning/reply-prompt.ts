/**
 * Words the reply at the end of a turn, and builds the prompt that summarizes a long conversation.
 */
import { isJsonMap, type JsonMap, type JsonValue, textForm } from '../../language/json/json-value.ts';
import type { SpokenMessage } from '../../runtime/kernel/models/model-capability.ts';
import type { Catalogue } from '../catalog/catalogue.ts';
import type { FlowInstance, SessionState } from '../session/session-state.ts';
import { flowTitle } from './acknowledgement.ts';
import { questionOf } from './ambiguity.ts';
import { notes, transcript } from './slot-prompt.ts';

/** A prompt with a plain text response. */
export interface TextQuestion {
  readonly messages: readonly SpokenMessage[];
}

/** Builds the prompt for the reply. It states what has ended, what is unclear, and what is active. */
export function replyQuestion(
  state: SessionState,
  catalogue: Catalogue,
  understood: readonly string[] = [],
): TextQuestion {
  const { turn, ambiguity, stack } = state;
  const ended = (turn?.popped ?? []).map(
    (flow) => `- ${flow.flowName} (${flow.status}): ${JSON.stringify(flow.result)}`,
  );
  const system = [
    "Write the assistant's next message. Keep it short, use the user's language, and use only the information below.",
    ...(ambiguity === null ? [] : ['Ask the one open question, in words that suit the conversation.']),
    ...(understood.length === 0 ? [] : ['Start with what was understood, so that the user can object.']),
    ...(catalogue.description === '' ? [] : [`The assistant: ${catalogue.description}`]),
  ].join('\n');
  const user = [
    ...(state.summary === '' ? [] : [`Earlier: ${state.summary}`, '']),
    transcript(state.messages),
    '',
    ...(understood.length === 0 ? [] : [`Understood: ${understood.join(' ')}`, '']),
    `Ended in this turn:\n${ended.join('\n') || '(nothing)'}`,
    '',
    `In progress:\n${stack.map(({ flowName, status }) => `- ${flowName} (${status})`).join('\n') || '(nothing)'}`,
    '',
    notes(state.scratchpad),
    ...(ambiguity === null ? [] : ['', `Open question: ${questionOf(ambiguity)}`]),
    ...(state.hasIssues ? ['', 'Something failed in this turn. Say so clearly.'] : []),
  ].join('\n');
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
  };
}

/**
 * Words a reply without a model. It contains what was understood, what has ended, and the open question. @param said as
 * in `plainNews`
 */
export function plainReply(state: SessionState, said: PlainWords = {}): string {
  const { hasIssues, stack } = state;
  const news = plainNews(state, said);
  if (news !== '') return news;
  if (hasIssues) return 'That did not work. What would you like to do instead?';
  const [top] = stack;
  return top === undefined ? 'Done.' : `${nameWords(top)} is in progress.`;
}

/** Facts for a reply that are not in the state. */
export interface PlainWords {
  /** Open requests from the Active flow's run. */
  readonly questions?: readonly string[];
  /** The turn's acknowledgments. */
  readonly understood?: readonly string[];
  /** The flow that resumed after another one. */
  readonly resumed?: FlowInstance | undefined;
}

/** Words what was understood, what has ended, and the open question; empty if there is nothing to report. */
export function plainNews({ turn, ambiguity, stack }: SessionState, said: PlainWords = {}): string {
  const { questions = [], understood = [], resumed } = said;
  const ended = (turn?.popped ?? []).flatMap((flow) => endWords(flow) ?? []);
  const open = ambiguity === null ? waitingWords(stack[0], questions) : questionOf(ambiguity);
  const lines = [...understood, ...ended];
  if (open === undefined) return lines.join('\n');
  const isBack = resumed !== undefined && lines.length > 0;
  return [...lines, isBack ? `Back to ${flowTitle(resumed)}. ${open}` : open].join('\n');
}

function endWords(flow: FlowInstance): string | undefined {
  if (flow.status === 'Completed') return resultWords(flow);
  const { refused } = flow.metadata;
  return typeof refused === 'string' ? `${nameWords(flow)}: ${refused}.` : undefined;
}

function waitingWords(top: FlowInstance | undefined, questions: readonly string[]): string | undefined {
  if (top === undefined || top.waitsFor === null) return undefined;
  if (top.waitsFor === 'pause') return `${nameWords(top)} is paused.`;
  const what = top.waitsFor === 'approval' ? 'an approval' : 'an answer';
  return `${nameWords(top)} waits for ${what}${questions.length === 0 ? '.' : `: ${questions.join('; ')}`}`;
}

function resultWords(flow: FlowInstance): string {
  const { result } = flow;
  if (isNothing(result)) return `${nameWords(flow)}: done.`;
  if (typeof result === 'string') return result;
  return (isJsonMap(result) && fieldWords(result)) || `${nameWords(flow)}: ${JSON.stringify(result)}`;
}

/** Returns the text field first, then all other fields by name; undefined if no field is text. */
function fieldWords(result: JsonMap): string | undefined {
  const spoken = ['reply', 'summary', 'text'].find((name) => typeof result[name] === 'string' && result[name] !== '');
  if (spoken === undefined) return undefined;
  const others = Object.entries(result).filter(([name, value]) => name !== spoken && !isNothing(value));
  return [String(result[spoken]), ...others.map(([name, value]) => `${name}: ${textForm(value)}`)].join('\n');
}

function isNothing(value: JsonValue): boolean {
  return value === null || value === '' || (isJsonMap(value) && Object.keys(value).length === 0);
}

/** Converts a flow's name to words that start a sentence. */
export function nameWords({ flowName }: FlowInstance): string {
  const words = flowName.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Builds the prompt that asks for a summary of everything that later turns need to know. */
export function summaryQuestion(state: SessionState): TextQuestion {
  const system =
    'Summarize the conversation in at most 120 words for an assistant that continues it: what the user wants, what is settled, names and numbers.';
  const before = state.summary === '' ? '' : `So far: ${state.summary}\n\n`;
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: `${before}${transcript(state.messages)}\n\n${notes(state.scratchpad)}` },
    ],
  };
}
