import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import type { WebResponse } from '../../runtime/kernel/capabilities/web-capability.ts';
import type { ModelCapability, ModelReply } from '../../runtime/kernel/models/model-capability.ts';
import { formsOf } from '../../world/secrets/secret-forms.ts';
import { withMaskedAnswers, withMaskedResponses } from './mask-keys.ts';

const key = 'sk-live/4f9a"b+c=d8e7ABCDEFG';
const others = ['other-key-123456', 'short'];
const signal = new AbortController().signal;

/** Calls a model that responds with these pieces, or fails, and returns everything that the caller received. */
async function ask(
  pieces: readonly string[],
  { reply = {}, error }: { reply?: Partial<ModelReply>; error?: Error } = {},
) {
  const model = {
    async ask(_, { onText, onReasoning }) {
      for (const piece of pieces) onReasoning?.(piece);
      for (const piece of pieces) onText(piece);
      if (error !== undefined) throw error;
      return { text: pieces.join(''), finishReason: 'stop', ...reply };
    },
  } as Pick<ModelCapability, 'ask'> as ModelCapability;
  const seen = { text: '', reasoning: '' };
  const options = {
    signal,
    onText: (piece: string) => {
      seen.text += piece;
    },
    onReasoning: (piece: string) => {
      seen.reasoning += piece;
    },
  };
  const masked = withMaskedAnswers(model, () => [key, ...others]);
  const end = await masked.ask({ model: 'a::b', messages: [] }, options).catch(toErrorRecord);
  return { seen, end };
}

describe('a response of a model', () => {
  test.each(formsOf(key).map((form) => [form]))('never contains the key as %s', async (form) => {
    const { seen, end } = await ask([`Your key is ${form}, keep it.`]);
    const expected = 'Your key is [secret], keep it.';
    expect([seen.text, seen.reasoning, (end as ModelReply).text]).toEqual([expected, expected, expected]);
  });

  test('does not contain it in other fields', async () => {
    const { end } = await ask(['fine'], { reply: { reasoning: key, finishReason: key, upstreamModel: `m-${key}` } });
    expect(end).toEqual({ text: 'fine', reasoning: '[secret]', finishReason: '[secret]', upstreamModel: 'm-[secret]' });
  });

  test('does not contain it in pieces, wherever it is split', async () => {
    const text = `a ${key} b ${encodeURIComponent(key)} sk-li sk-live/4 c`;
    const pieces = fc.array(fc.nat(text.length), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(pieces, async (places) => {
        const cuts = [0, ...places.sort((a, b) => a - b), text.length];
        const { seen, end } = await ask(cuts.slice(1).map((cut, index) => text.slice(cuts[index], cut)));
        expect(seen.text).toBe('a [secret] b [secret] sk-li sk-live/4 c');
        expect([seen.reasoning, (end as ModelReply).text]).toEqual([seen.text, seen.text]);
      }),
      { numRuns: 100 },
    );
  });

  test('does not contain it letter by letter, or most of it at the end', async () => {
    expect((await ask([...`x${key}y`])).seen.text).toBe('x[secret]y');
    expect((await ask([...`x${key.slice(0, -1)}`])).seen.text).toBe('x[secret]');
    expect((await ask([...'x sk-'])).seen.text).toBe('x sk-');
  });

  test('does not contain it in an error, including its details', async () => {
    const error = new EngineError({
      code: 'model.rejected',
      message: `no: ${key}`,
      details: { body: [key], status: 400 },
      recoverable: true,
    });
    const { seen, end } = await ask([`half ${key.slice(0, 20)}`], { error });
    expect(end).toMatchObject({
      code: 'model.rejected',
      message: 'no: [secret]',
      details: { body: ['[secret]'], status: 400 },
      recoverable: true,
    });
    expect(seen.text).toBe('half [secret]');
  });

  test('stays unchanged without a key, including words too short to be one', async () => {
    const { seen, end } = await ask(['nothing ', 'short ', 'here']);
    expect([seen.text, (end as ModelReply).text]).toEqual(['nothing short here', 'nothing short here']);
  });
});

test('a response of a web server contains no key in its text, its headers or its address', async () => {
  const response: WebResponse = {
    status: 200,
    url: `http://a/${encodeURIComponent(key)}`,
    headers: { 'x-a': key },
    text: key,
  };
  const web = withMaskedResponses({ send: async () => response }, () => [key]);
  const request = { url: 'http://a/', method: 'GET', headers: {}, body: undefined, maxBytes: 9 };
  expect(await web.send(request, signal)).toEqual({
    status: 200,
    url: 'http://a/[secret]',
    headers: { 'x-a': '[secret]' },
    text: '[secret]',
  });
});
