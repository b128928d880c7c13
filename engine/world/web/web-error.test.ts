import { expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { createWebClient } from './web-client.ts';

const web = createWebClient({ mayReachPrivate: () => true });

async function failureAt(url: string, method = 'GET') {
  const request = { url, method, headers: {}, body: undefined, maxBytes: 1000 };
  return await web.send(request, new AbortController().signal).then(
    () => undefined,
    (error: unknown) => toErrorRecord(error),
  );
}

test.each([1, 9, 22, 25, 110, 143, 587, 5060, 6000, 6667, 10080])(
  'a request to port %i, which fetch never sends, reports the port as the reason',
  async (port) => {
    const failure = await failureAt(`http://127.0.0.1:${port}/x?key=sk-1234`);
    expect(failure).toMatchObject({
      code: 'web.blocked-port',
      message: `http://127.0.0.1:${port}/x?… was not requested: the web standard reserves port ${port} for another protocol and blocks it. Use another port.`,
    });
    expect(failure?.recoverable).not.toBe(true);
  },
);

test('a method that fetch never sends is not reported as a problem of the port', async () => {
  expect(await failureAt('http://127.0.0.1:9999/', 'TRACE')).toMatchObject({
    code: 'web.bad-request',
    message:
      'The request to http://127.0.0.1:9999/ cannot be sent: its method or one of its headers is not allowed. Change them.',
  });
});
