import { expect, test } from 'vitest';
import { EngineError } from '../../../base/engine-error.ts';
import { createFakeCapabilities } from '../../../testing/fake-capabilities.ts';
import { misleadingSpellings } from '../../../testing/host-spellings.ts';
import type { RequestedEffect, RunGate } from './effect.ts';
import { withGate } from './gated-capabilities.ts';

const { signal } = new AbortController();
const denied = new EngineError({ code: 'effect.denied', message: 'No (rule test).' });

function gateThat(refuses: (asked: RequestedEffect) => boolean): { gate: RunGate; asked: RequestedEffect[] } {
  const asked: RequestedEffect[] = [];
  return {
    asked,
    gate: {
      pass(one) {
        asked.push(one);
        if (refuses(one)) return Promise.reject(denied);
        return Promise.resolve({ decision: 'allow', rule: 'test', reason: '', trustHelps: false });
      },
      act: () => undefined,
    },
  };
}

test('each effect of a model, the web and files passes the gate before it happens', async () => {
  const { capabilities } = createFakeCapabilities({ files: { 'a.md': 'A' } });
  const { gate, asked } = gateThat(() => true);
  const { model, web, files } = withGate(capabilities, gate);
  const request = { url: 'HTTPS://X.test:443/a?key=1', method: 'GET', headers: {}, body: undefined, maxBytes: 9 };
  const message = { role: 'user', content: 'hi' } as const;
  const tries = [
    model?.ask({ model: undefined, messages: [message] }, { signal, onText: () => undefined }),
    web?.send(request, signal),
    files?.readText('a.md', signal),
    files?.writeText('b.md', 'B', 'overwrite'),
    files?.save('c.md', () => Promise.resolve()),
    files?.readGlobs(['*.md'], signal),
  ];
  for (const one of tries) await expect(one).rejects.toBe(denied);
  expect(asked.map(({ effect }) => effect)).toEqual(['model', 'web', 'read', 'write', 'write', 'read']);
  expect(asked[1]?.target, 'without what may be secret').toBe('https://x.test/a');
});

test('13.2 rejects an address that looks like another host before calling the gate', async () => {
  const { capabilities } = createFakeCapabilities();
  const { gate, asked } = gateThat(() => false);
  const { web } = withGate(capabilities, gate);
  for (const url of misleadingSpellings(80)) {
    const request = { url, method: 'GET', headers: {}, body: undefined, maxBytes: 9 };
    await expect(web?.send(request, signal), url).rejects.toMatchObject({ code: 'web.bad-address' });
  }
  expect(asked).toEqual([]);
});

test('the target of a redirect passes the gate as well', async () => {
  const { gate } = gateThat(({ target }) => target.includes('inner.test'));
  const { web } = withGate(
    {
      web: {
        async send(request) {
          await request.admitRedirect?.('https://inner.test/');
          return { status: 200, headers: {}, text: '' };
        },
      },
    },
    gate,
  );
  const request = { url: 'https://x.test/', method: 'GET', headers: {}, body: undefined, maxBytes: 9 };
  await expect(web?.send(request, signal)).rejects.toBe(denied);
});
