import { describe, expect, test } from 'vitest';
import type { ChatChunk } from './chat-chunks.ts';
import { joinedTexts } from './joined-texts.ts';

function piece(key: 'content' | 'reasoning_content', text: string): ChatChunk {
  return { id: 'a', choices: [{ index: 0, delta: { [key]: text }, finish_reason: null }] };
}

const text = (word: string): ChatChunk => piece('content', word);
const thought = (word: string): ChatChunk => piece('reasoning_content', word);

async function* chunksFrom(chunks: readonly ChatChunk[], failure?: Error): AsyncGenerator<ChatChunk> {
  yield* chunks;
  if (failure !== undefined) throw failure;
}

async function all(chunks: AsyncIterator<ChatChunk>, got: ChatChunk[] = []): Promise<ChatChunk[]> {
  for await (const chunk of joinedTexts(chunks)) got.push(chunk);
  return got;
}

const words = (count: number): readonly ChatChunk[] => Array.from({ length: count }, (_, index) => text(`${index} `));
const inOrder = (count: number): string => Array.from({ length: count }, (_, index) => `${index} `).join('');

/** What the chunks say, thoughts in brackets. */
function said(chunks: readonly ChatChunk[]): string {
  return chunks
    .map(({ choices }) => {
      const [{ delta }] = choices as [{ delta: { content?: string; reasoning_content?: string } }];
      return delta.content ?? `[${delta.reasoning_content}]`;
    })
    .join('');
}

describe('pieces of text that come faster than a screen shows them', () => {
  test('are joined, and no word is lost or out of order', async () => {
    const got = await all(chunksFrom(words(500)));
    expect(said(got)).toBe(inOrder(500));
    expect(got.length).toBeLessThan(100);
  });

  test('pass as they come when there are few', async () => {
    expect(await all(chunksFrom(words(8)))).toEqual(words(8));
  });

  test('are passed on within a frame also when the server then pauses', async () => {
    const got: ChatChunk[] = [];
    let end = (): void => undefined;
    const isOver = new Promise<void>((resolve) => {
      end = resolve;
    });
    async function* pausing(): AsyncGenerator<ChatChunk> {
      yield* words(20);
      await isOver;
    }
    const read = all(pausing(), got);
    await expect.poll(() => said(got)).toBe(inOrder(20));
    end();
    await read;
  });

  test('stay apart from thoughts, in the order in which both came', async () => {
    const chunks = [...words(8), text('x'), text('y'), thought('m'), thought('n'), text('z')];
    const got = await all(chunksFrom(chunks));
    expect(said(got.slice(8)).replaceAll('][', '')).toBe('xy[mn]z');
  });

  test('never take in a chunk with anything else, such as what was used', async () => {
    const used: ChatChunk = { ...text('b'), usage: { prompt_tokens: 1, completion_tokens: 2 } };
    const last: ChatChunk = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    const got = await all(chunksFrom([...words(9), text('a'), used, last]));
    expect(got.slice(-2)).toEqual([used, last]);
    expect(said(got.slice(0, -2))).toBe(`${inOrder(9)}a`);
  });

  test('are not read any further when the reader stops early', async () => {
    let isClosed = false;
    async function* endless(): AsyncGenerator<ChatChunk> {
      try {
        for (;;) yield text('word ');
      } finally {
        isClosed = true;
      }
    }
    for await (const chunk of joinedTexts(endless())) if (said([chunk]) !== '') break;
    await expect.poll(() => isClosed).toBe(true);
  });

  test('arrive before the failure that follows them', async () => {
    const got: ChatChunk[] = [];
    await expect(all(chunksFrom(words(30), new Error('cut')), got)).rejects.toThrow('cut');
    expect(said(got)).toBe(inOrder(30));
  });
});
