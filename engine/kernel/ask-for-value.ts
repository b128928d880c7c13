/**
 * Asking a language model for a value of a given shape: its answer is read and checked, and one that does not fit is sent back
 * once with what is wrong.
 */
import { EngineError } from '../base/engine-error.ts';
import type { JsonNotes } from '../flowspec/foreign-json.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { endingOf } from './answer-notices.ts';
import { askModel, type ModelCaller } from './ask-model.ts';
import type { AnswerProblem, Capabilities, ReadAnswer } from './capabilities.ts';
import type { ModelRequest } from './model-capability.ts';
import { joinedAnswers, type ModelAnswer } from './told-model.ts';

/** How a message that asks for a second try begins. */
const complaint = 'The answer does not fit the schema:';

/** Characters of an answer that goes with the error. */
const maxKeptText = 32_000;

interface ValueCaller extends ModelCaller {
  readonly can: Pick<Capabilities, 'model' | 'hash' | 'answers'>;
}

export interface ValueAnswer extends ModelAnswer {
  readonly value: JsonValue;
  /** What a person should know of the JSON of the answer. */
  readonly notes?: JsonNotes;
}

/**
 * Asks for a value that fits the schema of the request. Usage and cost of the reply are those of both requests, where there
 * were two.
 * @param ask asks the model; without it `askModel`
 * @throws EngineError `model.output-invalid` with `details: { problems, text }` when the second answer does not fit either, or when
 *   the first one was cut off, filtered or refused, which asking again would not change; `schema.too-slow` | `schema.too-much`
 *   with `details: { text }`; what `askModel` throws
 */
export async function askForValue(
  request: ModelRequest & { readonly answerSchema: JsonSchema },
  caller: ValueCaller,
  ask: (request: ModelRequest) => Promise<ModelAnswer> = (asked) => askModel(asked, caller),
): Promise<ValueAnswer> {
  const first = await ask(request);
  const read = await readAnswer(first, request, caller);
  if ('value' in read) return { ...first, ...read };
  const ending = endingOf(first.reply, request);
  if (ending !== undefined) throw invalid(read, first.reply.text, ending);
  const again: ModelRequest = {
    ...first.request,
    messages: [
      ...first.request.messages,
      { role: 'assistant', content: first.reply.text },
      { role: 'user', content: complaintAbout(read) },
    ],
  };
  const second = await ask(again);
  const mended = await readAnswer(second, request, caller);
  if (!('value' in mended)) throw invalid(mended, second.reply.text, endingOf(second.reply, request));
  return { ...joinedAnswers(first, second), ...mended };
}

type Misfit = Exclude<ReadAnswer, { readonly value: JsonValue }>;

/** Where the end of an answer is missing, a value in it may be a draft, so only the whole answer counts. */
async function readAnswer(
  { reply }: ModelAnswer,
  { answerSchema }: ModelRequest,
  { can, signal }: ValueCaller,
): Promise<ReadAnswer> {
  const { text, finishReason } = reply;
  try {
    const find = finishReason === 'length' ? 'whole' : 'last';
    return await can.answers.read({ text, find, schema: answerSchema }, signal);
  } catch (thrown) {
    throw withText(thrown, text);
  }
}

/** The answer is paid for, so an error of the check keeps it. */
function withText(thrown: unknown, text: string): unknown {
  if (!EngineError.is(thrown) || thrown.details !== undefined) return thrown;
  const { code, message, recoverable } = thrown;
  return new EngineError({ code, message, recoverable, details: { text: keptText(text) }, cause: thrown });
}

function complaintAbout(misfit: Misfit): string {
  const lines = problemsOf(misfit).map((problem) => `- ${sentenceOf(problem)}`);
  return `${complaint}\n${lines.join('\n')}\nAnswer again with the whole JSON value, and nothing else.`;
}

/** What cannot be read at all is one problem of the whole. */
function problemsOf(misfit: Misfit): readonly AnswerProblem[] {
  if ('problems' in misfit) return misfit.problems;
  const { problem, line, column, around } = misfit.unreadable;
  const found =
    around === ''
      ? 'nothing'
      : `${JSON.stringify(around)} at line ${line}, column ${column}. ${problem.replace(/\.$/, '')}`;
  return [{ pointer: '', expected: 'a JSON value', found }];
}

function sentenceOf({ pointer, expected, found }: AnswerProblem): string {
  return `${pointer === '' ? 'the whole answer' : pointer}: expected ${expected}, found ${found}`;
}

/** @param ending how the answer ended, if not as usual: that is why it does not fit */
function invalid(misfit: Misfit, text: string, ending: string | undefined): EngineError {
  const problems = problemsOf(misfit);
  return new EngineError({
    code: 'model.output-invalid',
    message: ending === undefined ? unfitMessage(problems) : `The model's answer does not fit the schema. ${ending}`,
    details: { problems: problems.map((problem) => ({ ...problem })), text: keptText(text) },
  });
}

function unfitMessage(problems: readonly AnswerProblem[]): string {
  const [first] = problems;
  const more = problems.length > 1 ? ` And ${problems.length - 1} more.` : '';
  const what = first === undefined ? '' : ` ${sentenceOf(first)}.`;
  return `The model's answer does not fit the schema, also after it was asked again.${what}${more} Say in the prompt what is wanted, loosen the schema, or take another model.`;
}

function keptText(text: string): string {
  return text.slice(0, maxKeptText);
}
