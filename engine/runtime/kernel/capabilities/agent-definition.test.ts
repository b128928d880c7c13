import { expect, test } from 'vitest';
import { EngineError } from '../../../base/engine-error.ts';
import { asRunId, asSessionId } from '../../../base/ids.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import type { EventEnvelope } from '../events/run-event.ts';
import { createHub } from '../hub/hub.ts';
import { createInboxRouter } from '../requests/agent-inbox.ts';
import { type AgentDefinition, runAgent } from './agent-definition.ts';

const runId = asRunId('run-7');
const { signal } = new AbortController();

function setUp() {
  const clock = createManualClock();
  const events: EventEnvelope[] = [];
  const { hub } = createHub({
    runId: asRunId('run'),
    sessionId: asSessionId('session'),
    clock,
    record: (group) => events.push(...group),
  });
  const told = () => {
    hub.flush();
    return events.map(({ event, context }) => [event.type, context.agent?.name]);
  };
  return { hub, clock, told, events };
}

const speaker: AgentDefinition<string, string> = {
  name: 'speaker',
  async execute(input, { hub }) {
    hub.emit({ type: 'agent:text', content: input });
    return `${input}!`;
  },
};

test('FE-17 an agent receives its input, a hub in its own context, its run ID and the signal', async () => {
  const { hub, told } = setUp();
  const seen: unknown[] = [];
  const agent: AgentDefinition<string, string> = {
    name: 'reader',
    async execute(input, context) {
      seen.push(input, context.runId, context.signal, await context.inbox.pop());
      return await speaker.execute(input, context);
    },
  };
  expect(await runAgent(agent, 'hi', { hub, runId, signal })).toBe('hi!');
  expect(seen).toEqual(['hi', runId, signal, undefined]);
  expect(told()).toEqual([
    ['agent:start', undefined],
    ['agent:text', 'reader'],
    ['agent:complete', undefined],
  ]);
});

test('FE-17 an agent can emit its start and its end itself', async () => {
  const { hub, told, events } = setUp();
  const agent: AgentDefinition<string, string> = {
    name: 'own',
    emitsStartComplete: true,
    async execute(_, { hub: own }) {
      own.emit({ type: 'agent:start', agentName: 'own', runId });
      own.emit({ type: 'agent:complete', agentName: 'own', runId, success: false });
      return 'given up';
    },
  };
  expect(await runAgent(agent, '', { hub, runId, signal })).toBe('given up');
  expect(told()).toEqual([
    ['agent:start', 'own'],
    ['agent:complete', 'own'],
  ]);
  expect(events[1]?.event).toMatchObject({ success: false });
});

test('an agent that throws has failed, and the error is rethrown', async () => {
  const { hub, events } = setUp();
  const error = new EngineError({ code: 'model.unavailable', message: 'No answer' });
  const agent: AgentDefinition<string, string> = { name: 'broken', execute: () => Promise.reject(error) };
  await expect(runAgent(agent, '', { hub, runId, signal })).rejects.toBe(error);
  hub.flush();
  expect(events.at(-1)?.event).toEqual({
    type: 'agent:failed',
    agentName: 'broken',
    runId,
    error: { code: 'model.unavailable', message: 'No answer' },
  });
});

test('an agent receives messages to its run ID', async () => {
  const { hub, clock } = setUp();
  const router = createInboxRouter({ clock });
  const agent: AgentDefinition<string, string> = {
    name: 'listener',
    execute: async (_, { inbox }) => (await inbox.pop())?.content ?? 'nothing',
  };
  const inbox = router.open({ runId, signal });
  const output = runAgent(agent, '', { hub, runId, signal, inbox });
  router.send(runId, 'go left');
  expect(await output).toBe('go left');
  inbox.close();
});
