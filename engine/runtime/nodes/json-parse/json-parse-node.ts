import { EngineError } from '../../../base/engine-error.ts';
import type { UnreadableJson } from '../../../language/schema/find-json.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import type { AnswerProblem } from '../../kernel/capabilities/capabilities.ts';
import { warnOfJson } from '../json-notes.ts';
import { schemaIn } from '../shared-schemas.ts';
import { jsonParseType } from './json-parse-type.ts';

export const jsonParseNode = defineNodeType(jsonParseType, {
  capabilities: ['answers'],
  run: async ({ input: { text }, config, can, signal, hub }) => {
    const read = await can.answers.read({ text, find: config.find, schema: schemaIn(config) }, signal);
    if ('value' in read) {
      warnOfJson(hub, 'The text', read.notes);
      return { value: read.value };
    }
    throw 'unreadable' in read ? unreadable(read.unreadable) : unfit(read.problems);
  },
});

function unreadable({ problem, line, column, around }: UnreadableJson): EngineError {
  const place = around === '' ? '' : ` Line ${line}, column ${column}: ${JSON.stringify(around)}.`;
  return new EngineError({
    code: 'json.unreadable',
    message: `The text is not valid JSON. ${problem}${place}`,
    details: { line, column, around },
  });
}

function unfit(problems: readonly AnswerProblem[]): EngineError {
  const [first] = problems;
  const where = first?.pointer === '' ? 'The value' : first?.pointer;
  const more = problems.length > 1 ? ` And ${problems.length - 1} more.` : '';
  return new EngineError({
    code: 'json.unfit',
    message: `The value does not match the schema. ${where}: expected ${first?.expected}, found ${first?.found}.${more}`,
    details: { problems: problems.map((problem) => ({ ...problem })) },
  });
}
