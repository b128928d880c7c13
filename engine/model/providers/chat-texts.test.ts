import { expect, test } from 'vitest';
import type { ChatChunk } from './chat-chunks.ts';
import { ChatTexts } from './chat-texts.ts';

const head = { id: 'a', model: 'tiny' };

function piece(delta: Readonly<Record<string, unknown>>, more: ChatChunk = {}): ChatChunk {
  return { ...head, choices: [{ index: 0, delta, finish_reason: null }], ...more };
}

const text = (word: string): ChatChunk => piece({ content: word });
const thought = (word: string): ChatChunk => piece({ reasoning_content: word });

/** Reads groups of chunks. What the listener got is text, thoughts in brackets. */
function read(...groups: readonly (readonly ChatChunk[])[]) {
  const heard: string[] = [];
  const texts = new ChatTexts({ onWords: (kind, words) => heard.push(kind === 'text' ? words : `[${words}]`) });
  return { rest: groups.flatMap((group) => texts.take(group)), heard };
}

/** As many as are passed on apart at the beginning. */
const first = Array.from({ length: 8 }, (_, index) => [text(`${index}`)]);
const heardFirst = ['0', '1', '2', '3', '4', '5', '6', '7'];

test('words that arrive together are passed on together, in their order, and apart from thoughts', () => {
  const { heard } = read(...first, [text('a'), text('b'), thought('m'), thought('n'), text('c')], [text('d')]);
  expect(heard).toEqual([...heardFirst, 'ab', '[mn]', 'c', 'd']);
});

test('the first pieces of an answer are passed on as they came', () => {
  expect(read(first.flat()).heard).toEqual(heardFirst);
});

test('thoughts in one chunk with words come before them', () => {
  expect(read([piece({ content: 'so', reasoning_content: 'hm' })]).heard).toEqual(['[hm]', 'so']);
});

test('the SDK reads who answers, and nothing else of chunks that are only words', () => {
  expect(read([text('a'), text('b')], [text('c')]).rest).toEqual([{ ...head, choices: [] }]);
});

test('the SDK reads all else, and no word comes twice', () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2 };
  const calls = { tool_calls: [{ index: 0, id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }] };
  const end: ChatChunk = { choices: [{ index: 0, delta: { content: 'd', ...calls }, finish_reason: 'tool_calls' }] };
  const { rest, heard } = read(
    [text('a')],
    [piece({ content: 'b' }, { usage }), text('c'), end, { error: { message: 'x' } }],
  );
  expect(heard.join('')).toBe('abcd');
  expect(rest).toEqual([
    { ...head, choices: [] },
    { ...head, choices: [], usage },
    { choices: [{ index: 0, delta: calls, finish_reason: 'tool_calls' }] },
    { error: { message: 'x' } },
  ]);
});
