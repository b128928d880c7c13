/**
 * Converts the assertions of promptfoo in which a model grades the result. Their types:
 * https://www.promptfoo.dev/docs/configuration/expected-outputs/model-graded/
 */
import type { JudgeDoc } from '../../cases/case-doc.ts';
import { isJsonList, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { answerText } from './conditions.ts';
import { mapOf } from './config-values.ts';
import { type FoundProvider, providerOf } from './providers.ts';
import { type TemplateFilling, textOf } from './templates.ts';

export interface ConvertedJudge {
  readonly judge: JudgeDoc;
  /** What was lost, as sentences. */
  readonly lost: readonly string[];
}

interface JudgeQuestion {
  /** @param question the prompt of the flow */
  readonly prompt: (criterion: string, question: string) => string;
  /** The threshold that applies without one; undefined if the model decides. */
  readonly threshold?: number;
}

const answer = `{{${answerText}}}`;
const asked = (question: string): string => (question === '' ? '' : `\n\nQuestion:\n${question}`);

const questions: ReadonlyMap<string, JudgeQuestion> = new Map<string, JudgeQuestion>(
  Object.entries({
    'llm-rubric': {
      prompt: (criterion) => `Does the text meet this criterion?\n\n${criterion}\n\nText:\n${answer}`,
    },
    'model-graded-closedqa': {
      prompt: (criterion, question) =>
        `Does the answer to the question meet this criterion? Score 5 if it does, and 0 if it doesn't.\n\nCriterion:\n${criterion}${asked(question)}\n\nAnswer:\n${answer}`,
    },
    factuality: {
      prompt: (criterion, question) =>
        `Compare the facts in the answer with the expected facts. Ignore differences in style, grammar and punctuation. Score 5 if the facts agree, 4 if the answer states fewer or more facts without a contradiction, and 0 if it contradicts the expected facts.\n\nExpected facts:\n${criterion}${asked(question)}\n\nAnswer:\n${answer}`,
    },
    'answer-relevance': {
      prompt: (_criterion, question) =>
        `How relevant is the answer to the question? Score 5 if it addresses the question completely and nothing else, and 0 if it is about something else or evades the question.${asked(question)}\n\nAnswer:\n${answer}`,
      threshold: 0,
    },
    'g-eval': {
      prompt: (criterion, question) =>
        `Evaluate the text in steps. Derive steps from the criteria, follow them, and then give a score for how well the text meets the criteria.\n\nCriteria:\n${criterion}${asked(question)}\n\nText:\n${answer}`,
      threshold: 0.7,
    },
  }),
);

/** Scores of judges in tests are from 0 to 5, and those of promptfoo from 0 to 1. */
const maxScore = 5;
const usualScore = 3;

/** What all judges of a test have in common. */
export interface JudgeSettings {
  /** The prompt of the flow, with the variables of the test. */
  readonly question: string;
  /** `options` of the test. */
  readonly options: JsonMap;
  readonly filling: Pick<TemplateFilling, 'forJudge'>;
}

/**
 * Converts an assertion; undefined if no model grades in it, or if it needs more than the answer.
 * @param value with the variables of the test
 */
export function judgeOf(
  assertion: JsonMap,
  value: JsonValue | undefined,
  settings: JudgeSettings,
): ConvertedJudge | undefined {
  const [, not, type = ''] = /^(not-)?(?:model-graded-(?=factuality))?(.*)$/.exec(String(assertion['type'])) ?? [];
  const question = questions.get(type);
  if (question === undefined) return undefined;
  const { options, filling } = settings;
  const criterion = isJsonList(value) ? value.map((one) => `- ${textOf(one)}`).join('\n') : textOf(value);
  const { model, lost: lostProvider } = modelOf(assertion['provider'] ?? options['provider']);
  const threshold = typeof assertion['threshold'] === 'number' ? assertion['threshold'] : question.threshold;
  const { score, lost: lostScore } = scoreOf(threshold, assertion['threshold'] !== undefined);
  const hasPrompt = 'rubricPrompt' in assertion || 'rubricPrompt' in options;
  const passIf = not === undefined ? { atLeast: score } : { lessThan: score };
  return {
    judge: {
      prompt: question.prompt(filling.forJudge(criterion), filling.forJudge(settings.question)),
      ...(model === undefined ? {} : { model }),
      ...(not === undefined && score === usualScore ? {} : { passIf }),
    },
    lost: [
      ...lostProvider,
      ...lostScore,
      ...(hasPrompt ? ['Its own `rubricPrompt` is not used: the judge has a different prompt.'] : []),
    ],
  };
}

function scoreOf(
  threshold: number | undefined,
  isOwn: boolean,
): { readonly score: number; readonly lost: readonly string[] } {
  if (threshold === undefined) return { score: usualScore, lost: [] };
  if (threshold > 0 || isOwn) return { score: Math.round(threshold * maxScore * 100) / 100, lost: [] };
  return {
    score: usualScore,
    lost: ['It has no threshold, so it always passes in promptfoo. Here, the score must be at least 3 of 5.'],
  };
}

interface JudgeModel {
  readonly model?: string;
  readonly lost: readonly string[];
}

/** Reads the provider of judges, which may be one per purpose: `{ text, embedding }`. */
function modelOf(value: JsonValue | undefined): JudgeModel {
  if (value === undefined || value === null) return { lost: [] };
  const provider = mapOf(value)['text'] ?? value;
  const found: FoundProvider = providerOf(provider);
  const { id, model, config, unused } = found;
  const settings = [...Object.keys(config), ...unused];
  return {
    ...(model === undefined ? {} : { model }),
    lost: [
      ...(model === undefined ? [`Its provider ${id} has no equivalent: set \`model\` of the judge.`] : []),
      ...(settings.length > 0 ? [`Not used of its provider ${id}: ${settings.join(', ')}.`] : []),
    ],
  };
}
