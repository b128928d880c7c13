import { expect, test } from 'vitest';
import { enginePortMessage } from '../../electron/ipc/channels.ts';
import { listenForEnginePort } from './engine-port.ts';

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

test('a port is taken from this window and its own origin only', () => {
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
