import { getEventListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../base/ids.ts';
import { agentFlow, agentNode } from '../../testing/agent-node.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { testNode } from '../../testing/test-node.ts';
import { compileText } from '../../testing/test-run.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';
import { cancellation } from '../kernel/hub/cancel-scope.ts';
import { createHarness } from '../kernel/hub/harness.ts';
import { createHub } from '../kernel/hub/hub.ts';
import { createInboxRouter } from '../kernel/requests/agent-inbox.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../nodes/node-registry.ts';
import type { NodeType } from './node-type.ts';
import { type FlowRequest, runFlow } from './run-flow.ts';

/** Runs a flow with additional node types. */
function run(text: string, nodeTypes: readonly NodeType[], world: Partial<FlowRequest> = {}) {
  const clock = world.clock === undefined ? {} : { clock: world.clock };
  const { hub, subscribe, close } = createHub({ runId: asRunId('run'), sessionId: asSessionId('s'), ...clock });
  const events: EventEnvelope[] = [];
  subscribe((group) => events.push(...group));
  const request = {
    flow: compileText(text),
    registry: createNodeRegistry([...builtinNodes, ...nodeTypes]),
    inputs: {},
  };
  const result = runFlow({ ...request, ...world }, createHarness(hub, world.clock)).finally(close);
  return { result, events };
}

describe('an agent with a session that stays open after its output', () => {
  let server: Server;
  let url: string;
  let streams: Set<unknown>;
  let whenClosed: Promise<void>;
  /** Kept referenced, because an unreferenced stream is closed by the garbage collector. */
  const readers: unknown[] = [];

  beforeEach(async () => {
    const ownStreams = new Set<unknown>();
    streams = ownStreams;
    let noteClosed = (): void => {};
    whenClosed = new Promise((resolve) => {
      noteClosed = resolve;
    });
    server = createServer((_, response) => {
      ownStreams.add(response);
      response.on('close', () => {
        ownStreams.delete(response);
        noteClosed();
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // Writes the output; the stream itself never ends.
      response.write('answer');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function firstPiece(signal: AbortSignal): Promise<string> {
    const reader = (await fetch(url, { signal })).body?.getReader();
    readers.push(reader);
    const { value } = (await reader?.read()) ?? {};
    return new TextDecoder().decode(value);
  }

  test('FE-70 the node completes, and the flow continues while the stream is open', async () => {
    const careless = agentNode('session', ({ signal }) => firstPiece(signal));
    const look = testNode('look', async ({ input }) => ({ open: streams.size, ...input }));
    const { result } = run(agentFlow('session').replace('type: echo', 'type: look'), [careless, look], {
      capabilities: createFakeCapabilities().capabilities,
    });
    const { status, outputs } = await result;
    expect([status, outputs.get('after')]).toEqual(['completed', { open: 1, text: 'then answer' }]);
  });

  test('FE-70 an agent that closes its session with its output leaves no open stream', async () => {
    const tidy = agentNode('session', async ({ signal }) => {
      const session = new AbortController();
      try {
        return await firstPiece(AbortSignal.any([signal, session.signal]));
      } finally {
        session.abort();
      }
    });
    const { outputs } = await run(agentFlow('session'), [tidy]).result;
    await whenClosed;
    expect([outputs.get('after'), streams.size]).toEqual([{ text: 'then answer' }, 0]);
  });
});

describe('an agent that waits for messages', () => {
  const listener = agentNode('listener', async ({ inbox }) => {
    const heard: string[] = [];
    for await (const { content } of inbox) heard.push(content);
    return heard.join(', ') || 'nothing';
  });

  function setUp(policy?: string) {
    const clock = createManualClock();
    const stop = new AbortController();
    const inboxes = createInboxRouter({ clock });
    const started = run(agentFlow('listener', policy), [listener], { clock, inboxes, signal: stop.signal });
    const left = () => ({ timers: clock.openTimers, listeners: getEventListeners(stop.signal, 'abort').length });
    return { clock, stop, inboxes, left, ...started };
  }

  const nothingLeft = { timers: 0, listeners: 0 };

  test('FE-72 does not wait if no message can arrive', async () => {
    const clock = createManualClock();
    const { outputs } = await run(agentFlow('listener'), [listener], { clock }).result;
    expect([outputs.get('after'), clock.openTimers]).toEqual([{ text: 'then nothing' }, 0]);
  });

  test('FE-72 does not block the run if no message arrives: its inbox closes and is removed', async () => {
    const { clock, result, left } = setUp();
    await clock.advance(60_000);
    expect((await result).outputs.get('after')).toEqual({ text: 'then nothing' });
    expect(left()).toEqual(nothingLeft);
  });

  test('FE-72 ends at its timeout, and its next attempt waits again', async () => {
    const { clock, result, events, left } = setUp('timeoutMs: 500, retry: { maxAttempts: 2 }');
    await clock.advance(1100);
    expect(await result).toMatchObject({ status: 'failed', error: { code: 'node.timeout' }, failedNodes: ['ask'] });
    const ids = events.flatMap(({ event }) => (event.type === 'agent:start' ? [event.runId] : []));
    expect(new Set(ids).size).toBe(2);
    expect(left()).toEqual(nothingLeft);
  });

  test('FE-72 ends when the run is canceled', async () => {
    const { clock, stop, result, left } = setUp();
    await clock.settle();
    stop.abort(cancellation());
    await clock.settle();
    expect((await result).status).toBe('cancelled');
    expect(left()).toEqual(nothingLeft);
  });

  test('receives messages to the run ID that its start event contains', async () => {
    const { clock, inboxes, events, result } = setUp();
    await clock.advance(100);
    const start = events.map(({ event }) => event).find(({ type }) => type === 'agent:start');
    if (start?.type !== 'agent:start') throw new Error('No agent has started');
    inboxes.send(start.runId, 'left');
    inboxes.send(start.runId, 'right');
    await clock.advance(60_000);
    expect((await result).outputs.get('after')).toEqual({ text: 'then left, right' });
  });
});
