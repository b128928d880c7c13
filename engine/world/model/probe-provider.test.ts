import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { type ModelServer, startModelServer } from '../../testing/model-server.ts';
import { wires } from '../../testing/model-server-wires.ts';
import { type ProbeOptions, probeProvider } from './probe-provider.ts';
import { type ProviderKind, providerKinds } from './provider-config.ts';

const key = 'sk-very-secret-0123456789';

let server: ModelServer;
let kind: ProviderKind;

function probe(world: Partial<ProbeOptions> = {}) {
  return probeProvider(
    { name: 'test', config: { kind, baseUrl: server.baseUrl, apiKeyEnv: 'A_KEY' } },
    { keyOf: () => key, clock: systemClock, signal: new AbortController().signal, ...world },
  );
}

describe.each(providerKinds)('%s', (each) => {
  beforeEach(async () => {
    kind = each;
    server = await startModelServer(kind);
  });
  afterEach(() => server.close());

  test('lists its models', async () => {
    expect(await probe()).toMatchObject({ ok: true, models: ['large', 'tiny'] });
    const [request] = server.received;
    expect(request).toMatchObject({ method: 'GET', path: '/v1/models' });
    const [header, value] = wires[kind].keyHeader(key);
    expect(request?.headers[header]).toBe(value);
  });

  test('reports the error without the key', async () => {
    server.plan({ status: 401, message: `Wrong key ${key}` });
    const result = await probe();
    expect(result).toMatchObject({
      ok: false,
      code: 'model.rejected',
      message: expect.stringContaining('Wrong key •••'),
    });
    expect(JSON.stringify(result)).not.toContain(key);
  });
});

describe('any provider', () => {
  beforeEach(async () => {
    kind = 'openai-compatible';
    server = await startModelServer(kind);
  });
  afterEach(() => server.close());

  test('sends nothing without a key', async () => {
    expect(await probe({ keyOf: () => undefined })).toMatchObject({ ok: false, code: 'model.missing-key' });
    expect(server.received).toEqual([]);
  });

  test('skips and counts malformed entries in the list of models', async () => {
    const data = [{ id: 'b' }, null, { id: 5 }, {}, { id: 'a', owned_by: null }, { id: 'b' }];
    server.plan({ status: 200, body: JSON.stringify({ data, models: null }) });
    expect(await probe()).toMatchObject({
      ...{ ok: true, models: ['a', 'b'], message: expect.stringContaining('3 more entries in its list') },
    });
  });

  test('accepts a provider without a list of models', async () => {
    server.plan({ status: 404 });
    const result = await probe();
    expect(result).toMatchObject({ ok: true, message: expect.stringContaining('does not list its models') });
    expect(result).not.toHaveProperty('models');
  });

  test.each([
    ['not JSON', { status: 200, body: '<html>' }],
    ['something else', { status: 200, body: '{"data":[1]}' }],
    ['an error', { status: 500, body: '<html>' }],
  ])('a provider that responds with %s is not ok', async (_what, plan) => {
    server.plan(plan);
    expect(await probe()).toMatchObject({ ok: false, code: 'model.unavailable' });
  });

  test('an unreachable provider is not ok', async () => {
    await server.close();
    expect(await probe()).toMatchObject({ ok: false, message: expect.stringContaining('ECONNREFUSED') });
    server = await startModelServer(kind);
  });

  test('gives up on a provider that does not respond', async () => {
    const clock = createManualClock();
    server.plan('silence');
    const result = probe({ clock });
    await server.whenReceived(1);
    await clock.advance(15_000);
    expect(await result).toMatchObject({ ok: false, message: expect.stringContaining('within 15 s') });
    expect(await server.received[0]?.closed).toBe('closed');
    expect(clock.openTimers).toBe(0);
  });

  test('cancellation closes the request', async () => {
    const controller = new AbortController();
    server.plan('silence');
    const result = probe({ signal: controller.signal }).catch((reason: unknown) => reason);
    await server.whenReceived(1);
    controller.abort('stop');
    expect(await result).toBe('stop');
    expect(await server.received[0]?.closed).toBe('closed');
  });
});
