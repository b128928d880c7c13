import { expect, test } from 'vitest';
import { parseAgent } from '../../language/agent/parse-agent.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { file } from '../../testing/agent-text.ts';
import { createTemplates } from '../../world/template/templates.ts';
import { filledPlaces } from './preview-agent.ts';
import { renderMessages } from './prompt-messages.ts';

const templates = createTemplates();

/** Returns, per message, the text at the reported positions. */
async function valuesIn(lines: readonly string[], data: JsonValue): Promise<string[][]> {
  const parts = parseAgent(file(...lines)).doc?.prompts ?? [];
  const scope = { data, input: null, before_all: null };
  const { messages } = await renderMessages(parts, scope, templates);
  const contents = messages.map(({ content }) => content);
  const places = await filledPlaces(contents, parts, { scope, templates });
  return places.map((ofMessage, index) => ofMessage.map(({ start, end }) => contents[index]?.slice(start, end) ?? ''));
}

test('reports the positions of values, also in blocks, and none for empty values', async () => {
  const lines = [
    '# System',
    'Be {{data.how}}.{{data.gone}}',
    '# User',
    '{{#each data.list}}',
    '- {{this}}',
    '{{/each}}',
    '{{{data.how}}}',
  ];
  expect(await valuesIn(lines, { how: 'brief\nand kind', list: ['a', 'b'] })).toEqual([
    ['brief\nand kind'],
    ['a', 'b', 'brief\nand kind'],
  ]);
});

test('omits blank parts from messages and positions', async () => {
  expect(await valuesIn(['# System', '{{data.gone}}', '# User', '{{data.a}}'], { a: 'x' })).toEqual([['x']]);
});

test('reports no positions if marks would change the text, or if values contain such marks', async () => {
  expect(await valuesIn(['# User', '{{#if data.a}} x {{~data.a~}} y{{/if}} {{! note }}'], { a: 'v' })).toEqual([[]]);
  expect(await valuesIn(['# User', '{{data.a}} and {{data.b}}'], { a: 'v\uE0F0', b: 'w' })).toEqual([[]]);
  expect(await valuesIn(['# User', '\\{{data.a}} {{data.a}}'], { a: 'v' })).toEqual([expect.any(Array)]);
});
