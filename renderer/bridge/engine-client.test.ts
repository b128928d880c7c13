import { describe, expect, test } from 'vitest';
import { enginePortMessage } from '../../electron/ipc/channels.ts';
import { EngineError } from '../../engine/isomorphic.ts';
import { createEngineClient, listenForEnginePort } from './engine-client.ts';
import { connectedLines, createEngineStandIn, settled } from './testing/engine-stand-in.ts';

const flows = [{ path: 'a.flow.yaml', change: null }];

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'resolved',
    (error: unknown) => (EngineError.is(error) ? error.code : String(error)),
  );
}

describe('the engine client', () => {
  test('a call waits until the host is reachable', async () => {
    const engine = createEngineStandIn({ listFlows: () => flows });
    const answer = engine.client.call('listFlows');
    await settled();
    expect(engine.calls).toEqual([]);
    engine.connect();
    expect(await answer).toEqual(flows);
  });

  test('pending calls fail when the host ends, and the next call waits for the next host', async () => {
    const engine = createEngineStandIn({ listFlows: () => flows, readNotices: () => new Promise(() => undefined) });
    engine.connect();
    const cut = codeOf(engine.client.call('readNotices'));
    await settled();
    engine.disconnect();
    const next = engine.client.call('listFlows');
    engine.connect();
    expect([await cut, await next]).toEqual(['rpc.disconnected', flows]);
  });

  test('until the first paint only calls for the first file are sent; then streams begin and other calls follow', async () => {
    let tellShown: () => void = () => undefined;
    const whenShown = new Promise<void>((resolve) => {
      tellShown = resolve;
    });
    const asked: unknown[] = [];
    const [page, host] = connectedLines();
    host.onMessage((message) => asked.push((message as { name?: string }).name));
    const { call, stream } = createEngineClient((listener) => listener(page), whenShown);
    void call('readNotices');
    stream('watchFlows', () => undefined);
    void call('listFlows');
    void call('readFlow', 'a.flow.yaml');
    void call('readAgent', 'a.aip');
    void call('readFile', 'a.md');
    await settled();
    expect(asked).toEqual(['listFlows', 'readFlow', 'readAgent', 'readFile']);
    tellShown();
    await settled();
    stream('subscribe', () => undefined);
    await settled();
    expect(asked.slice(4)).toEqual(['watchFlows', 'readNotices', 'subscribe']);
  });

  test('pushes of every host reach the same listeners until they unsubscribe', async () => {
    const engine = createEngineStandIn({});
    const heard: string[] = [];
    let hosts = 0;
    const endConnected = engine.client.onConnected(() => {
      hosts += 1;
    });
    const endPushes = engine.client.stream('watchFlows', (paths) => heard.push(...paths));
    engine.connect();
    engine.push('watchFlows', ['a']);
    await settled();
    engine.disconnect();
    engine.connect();
    engine.push('watchFlows', ['b']);
    await settled();
    endPushes();
    endConnected();
    engine.push('watchFlows', ['c']);
    engine.connect();
    await settled();
    expect({ heard, hosts }).toEqual({ heard: ['a', 'b'], hosts: 2 });
  });
});

function handIn(over: Partial<MessageEventInit>): void {
  const { port1 } = new MessageChannel();
  window.dispatchEvent(
    new MessageEvent('message', {
      data: { type: enginePortMessage },
      source: window,
      origin: location.origin,
      ports: [port1],
      ...over,
    }),
  );
  port1.close();
}

test('a port is accepted only from this window and its origin', () => {
  let taken = 0;
  const end = listenForEnginePort(window, (transport) => {
    taken += 1;
    void transport;
  });
  handIn({ origin: 'https://elsewhere.example' });
  handIn({ source: null });
  handIn({ data: { type: 'something' } });
  handIn({ data: null });
  handIn({ ports: [] });
  expect(taken).toBe(0);
  handIn({});
  end();
  handIn({});
  expect(taken).toBe(1);
});
