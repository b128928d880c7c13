/**
 * Requests a structured value from a language model: parses and validates the response, and returns an invalid response
 * to the model once, with its problems.
 */
import { EngineError } from '../../../base/engine-error.ts';
import type { JsonNotes } from '../../../language/json/foreign-json.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import type { JsonSchema } from '../../../language/schema/json-schema.ts';
import type { AnswerProblem, Capabilities, ParsedAnswer } from '../capabilities/capabilities.ts';
import { endingOf } from './answer-notices.ts';
import { askModel, type ModelCaller } from './ask-model.ts';
import type { ModelRequest } from './model-capability.ts';
import { joinedAnswers, type ModelAnswer } from './reporting-model.ts';

/** Start of the message that requests a second attempt. */
const complaint = 'The response does not match the schema:';

/** Maximum number of response characters in an error. */
const maxKeptText = 32_000;

interface ValueCaller extends ModelCaller {
  readonly can: Pick<Capabilities, 'model' | 'hash' | 'answers'>;
}

export interface ValueAnswer extends ModelAnswer {
  readonly value: JsonValue;
  /** Notes for people about the response's JSON. */
  readonly notes?: JsonNotes;
}

/**
 * Requests a value that matches the request's schema. The reply's usage and cost include both requests if there were
 * two.
 * @param ask calls the model; defaults to `askModel`
 * @throws EngineError `model.output-invalid` with `details: { problems, text }` if the second response is also
 * invalid, or if the first one was truncated, filtered or refused, which another request would not change;
 * `schema.too-slow` | `schema.too-much` with `details: { text }`; errors from `askModel`
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

type UnreadableAnswer = Exclude<ParsedAnswer, { readonly value: JsonValue }>;

/** In a truncated response, an embedded value may be a draft, so only the entire response counts. */
async function readAnswer(
  { reply }: ModelAnswer,
  { answerSchema }: ModelRequest,
  { can, signal }: ValueCaller,
): Promise<ParsedAnswer> {
  const { text, finishReason } = reply;
  try {
    const find = finishReason === 'length' ? 'whole' : 'last';
    return await can.answers.read({ text, find, schema: answerSchema }, signal);
  } catch (thrown) {
    throw withText(thrown, text);
  }
}

/** The response was paid for, so a validation error includes it. */
function withText(thrown: unknown, text: string): unknown {
  if (!EngineError.is(thrown) || thrown.details !== undefined) return thrown;
  const { code, message, recoverable } = thrown;
  return new EngineError({ code, message, recoverable, details: { text: keptText(text) }, cause: thrown });
}

function complaintAbout(misfit: UnreadableAnswer): string {
  const lines = problemsOf(misfit).map((problem) => `- ${sentenceOf(problem)}`);
  return `${complaint}\n${lines.join('\n')}\nRespond again with the whole JSON value, and nothing else.`;
}

/** A response that cannot be parsed is a single problem. */
function problemsOf(misfit: UnreadableAnswer): readonly AnswerProblem[] {
  if ('problems' in misfit) return misfit.problems;
  const { problem, line, column, around } = misfit.unreadable;
  const found =
    around === ''
      ? 'nothing'
      : `${JSON.stringify(around)} at line ${line}, column ${column}. ${problem.replace(/\.$/, '')}`;
  return [{ pointer: '', expected: 'a JSON value', found }];
}

function sentenceOf({ pointer, expected, found }: AnswerProblem): string {
  return `${pointer === '' ? 'the whole response' : pointer}: expected ${expected}, found ${found}`;
}

/** @param ending how the response ended, if not normally, which explains why it is invalid */
function invalid(misfit: UnreadableAnswer, text: string, ending: string | undefined): EngineError {
  const problems = problemsOf(misfit);
  return new EngineError({
    code: 'model.output-invalid',
    message:
      ending === undefined ? unfitMessage(problems) : `The model's response does not match the schema. ${ending}`,
    details: { problems: problems.map((problem) => ({ ...problem })), text: keptText(text) },
  });
}

function unfitMessage(problems: readonly AnswerProblem[]): string {
  const [first] = problems;
  const more = problems.length > 1 ? ` And ${problems.length - 1} more.` : '';
  const what = first === undefined ? '' : ` ${sentenceOf(first)}.`;
  return `The model's response does not match the schema, even after a second request.${what}${more} Describe the expected value in the prompt, relax the schema, or use another model.`;
}

function keptText(text: string): string {
  return text.slice(0, maxKeptText);
}
