import { expect, test } from 'vitest';
import type { ChatChunk } from './chat-chunks.ts';
import { ChatTexts } from './chat-texts.ts';

const head = { id: 'a', model: 'tiny' };

function piece(delta: Readonly<Record<string, unknown>>, more: ChatChunk = {}): ChatChunk {
  return { ...head, choices: [{ index: 0, delta, finish_reason: null }], ...more };
}

const text = (word: string): ChatChunk => piece({ content: word });
const thought = (word: string): ChatChunk => piece({ reasoning_content: word });

/** Reads groups of chunks and returns what the listener received: text, and thinking in brackets. */
function read(...groups: readonly (readonly ChatChunk[])[]) {
  const heard: string[] = [];
  const texts = new ChatTexts({ onWords: (kind, words) => heard.push(kind === 'text' ? words : `[${words}]`) });
  return { rest: groups.flatMap((group) => texts.take(group)), heard };
}

/** The number of pieces that are passed on separately at the start. */
const first = Array.from({ length: 8 }, (_, index) => [text(`${index}`)]);
const heardFirst = ['0', '1', '2', '3', '4', '5', '6', '7'];

test('joins text that arrives together, in order and separately from thinking', () => {
  const { heard } = read(...first, [text('a'), text('b'), thought('m'), thought('n'), text('c')], [text('d')]);
  expect(heard).toEqual([...heardFirst, 'ab', '[mn]', 'c', 'd']);
});

test('passes on the first pieces of a response unjoined', () => {
  expect(read(first.flat()).heard).toEqual(heardFirst);
});

test('passes on thinking before text of the same chunk', () => {
  expect(read([piece({ content: 'so', reasoning_content: 'hm' })]).heard).toEqual(['[hm]', 'so']);
});

test('the SDK receives only the metadata of chunks that contain only text', () => {
  expect(read([text('a'), text('b')], [text('c')]).rest).toEqual([{ ...head, choices: [] }]);
});

test('the SDK receives everything else, and no text twice', () => {
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
