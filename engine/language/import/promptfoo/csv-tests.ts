/**
 * Converts rows of CSV to tests of promptfoo. The columns:
 * https://www.promptfoo.dev/docs/configuration/test-cases/#csv-format
 */
import type { JsonMap, JsonValue } from '../../json/json-value.ts';
import { filePath, isProgram } from './config-values.ts';
import { textOf } from './templates.ts';

const expectedColumn = /^__expected\d*$/;

/** Returns whether a column contains a variable. */
export function isVariable(column: string): boolean {
  return !column.startsWith('__');
}

/** Returns the columns with assertions. */
export function expectedColumns(row: JsonMap): readonly string[] {
  return Object.keys(row).filter((column) => expectedColumn.test(column));
}

/** Converts a row. */
export function testOfRow(row: JsonMap): JsonMap {
  const cell = (name: string): string => textOf(row[name]).trim();
  const metric = cell('__metric');
  const assertions = expectedColumns(row)
    .filter((column) => cell(column) !== '')
    .map((column): JsonMap => {
      const threshold = cell(`__config:${column === '__expected' ? '__expected1' : column}:threshold`);
      return {
        ...assertionOf(cell(column)),
        ...(metric === '' ? {} : { metric }),
        ...(threshold === '' ? {} : { threshold: Number(threshold) }),
      };
    });
  const metadata = Object.keys(row).filter((column) => column.startsWith('__metadata:') && cell(column) !== '');
  const options = { prefix: cell('__prefix'), suffix: cell('__suffix') };
  const used = Object.fromEntries(Object.entries(options).filter(([, text]) => text !== ''));
  return {
    ...(cell('__description') === '' ? {} : { description: cell('__description') }),
    vars: Object.fromEntries(Object.entries(row).filter(([column]) => isVariable(column))),
    assert: assertions,
    ...(Object.keys(used).length === 0 ? {} : { options: used }),
    ...(metadata.length === 0
      ? {}
      : { metadata: Object.fromEntries(metadata.map((name) => [name.slice(11), cell(name)])) }),
    ...(cell('__threshold') === '' ? {} : { threshold: Number(cell('__threshold')) }),
    ...(cell('__providerOutput') === '' ? {} : { providerOutput: cell('__providerOutput') }),
  };
}

const prefixes: Readonly<Record<string, string>> = {
  javascript: 'javascript',
  fn: 'javascript',
  eval: 'javascript',
  python: 'python',
  grade: 'llm-rubric',
};

/** Names of assertions that a cell can contain. Other text is the expected text. */
const names = new Set(
  [
    'answer-relevance bleu classifier contains contains-all contains-any contains-html contains-json contains-sql',
    'contains-xml context-faithfulness context-recall context-relevance conversation-relevance cost equals factuality',
    'finish-reason g-eval gleu guardrails icontains icontains-all icontains-any is-html is-json is-refusal is-sql',
    'is-valid-function-call is-valid-openai-function-call is-valid-openai-tools-call is-xml latency levenshtein',
    'llm-rubric meteor model-graded-closedqa model-graded-factuality moderation perplexity perplexity-score pi regex',
    'rouge-n ruby search-rubric similar starts-with webhook word-count',
  ].flatMap((line) => line.split(' ')),
);

/** Converts a cell such as `contains:Paris`, `similar(0.8):Hello` or plain text. */
function assertionOf(cell: string): JsonMap {
  const [, prefix = '', rest = ''] = /^(javascript|fn|eval|python|grade):([\s\S]*)$/.exec(cell) ?? [];
  if (prefix !== '') return { type: prefixes[prefix] ?? prefix, value: rest.trim() };
  if (isProgram(filePath(cell) ?? '')) return { type: 'javascript', value: cell };
  const [, not = '', name = '', threshold, value] =
    /^(not-)?([a-z][a-z-]*)(?:\((-?\d+(?:\.\d+)?)\))?(?:\s*:([\s\S]*))?$/.exec(cell) ?? [];
  if (!names.has(name)) return { type: 'equals', value: cell };
  const isLimit = name === 'cost' || name === 'latency';
  const limit = threshold ?? (isLimit ? value : undefined);
  const trimmed: JsonValue | undefined = value?.trim();
  return {
    type: `${not}${name}`,
    ...(trimmed === undefined || trimmed === '' || isLimit ? {} : { value: trimmed }),
    ...(limit === undefined ? {} : { threshold: Number(limit) }),
  };
}
