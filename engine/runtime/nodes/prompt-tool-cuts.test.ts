/** Tests prompts that ask a person about a tool call, or that were interrupted. */
import { describe, expect, test } from 'vitest';
import type { JsonMap } from '../../language/json/json-value.ts';
import { calls, eventsOf, external, says, tool, toolsIn, trialOf } from '../../testing/tool-prompts.ts';
import type { ToolDescription } from '../kernel/capabilities/tool-capability.ts';
import type { EventEnvelope, RunEvent } from '../kernel/events/run-event.ts';
import type { ReceivedAnswer } from '../kernel/requests/ask.ts';

/** Returns the first request in a log. */
function requestIn(log: readonly EventEnvelope[]) {
  const asked = log.find(({ event }) => event.type === 'approval:requested')?.event;
  if (asked?.type !== 'approval:requested') throw new Error('Nothing was asked');
  return asked;
}

describe('a call that needs an approval', () => {
  const delivered: JsonMap[] = [];
  const send = tool(
    'send',
    async (params) => {
      delivered.push(params);
      return 'sent';
    },
    { ...external, requiresApproval: true },
  );

  async function asking(answer: Partial<ReceivedAnswer>) {
    delivered.length = 0;
    const trial = trialOf({
      tools: [send, tool('look', async () => 'looked')],
      replies: [calls(['look'], ['send', { to: 'ann', text: 'Hi' }]), says('Done')],
    });
    const first = await trial.run();
    expect(first.last).toMatchObject({ type: 'run:suspended' });
    const request = requestIn(first.events);
    const [response] = eventsOf(first.events, 'model:response');
    expect(request).toMatchObject({ key: `${response?.callKey}/1`, request: { params: { to: 'ann', text: 'Hi' } } });
    trial.desk.give({ name: 'ask', key: request.key, ...answer }, first.events);
    const second = await trial.run(first.events);
    return { ...trial, ...second, log: [...first.events, ...second.events] };
  }

  test('asks with the arguments of the call; after the answer, nothing is paid for, called or reported twice', async () => {
    const { log, asked, state } = await asking({ payload: { approved: true } });
    expect(state.nodes.get('ask')?.output).toMatchObject({ text: 'Done' });
    expect(asked).toHaveLength(2);
    expect(delivered).toEqual([{ to: 'ann', text: 'Hi' }]);
    expect(eventsOf(log, 'agent:tool:start').map(({ toolName }) => toolName)).toEqual(['look', 'send']);
    expect(eventsOf(log, 'agent:tool:complete').map(({ toolName }) => toolName)).toEqual(['look', 'send']);
    expect(eventsOf(log, 'tool:result').map(({ tool: name }) => name)).toEqual(['look', 'send']);
    expect(toolsIn(asked[1])).toEqual([
      ['look', 'looked', false],
      ['send', 'sent', false],
    ]);
  });

  test("passes a person's edits and comment to the model", async () => {
    const { asked } = await asking({
      payload: { approved: true, params: { to: 'bob', text: 'Hi' }, comment: 'Bob does' },
    });
    expect(delivered).toEqual([{ to: 'bob', text: 'Hi' }]);
    expect(toolsIn(asked[1])[1]).toEqual([
      'send',
      [
        'A person changed the arguments of this call to {"to":"bob","text":"Hi"}.',
        'A person commented on this call: Bob does',
        'sent',
      ].join('\n'),
      false,
    ]);
  });

  test('reports a rejection to the model as an error, and the model continues', async () => {
    const { asked, state } = await asking({ payload: { approved: false, comment: 'Not today' } });
    expect(delivered).toEqual([]);
    expect(state.nodes.get('ask')?.output).toMatchObject({ text: 'Done' });
    expect(toolsIn(asked[1])[1]).toEqual(['send', expect.stringMatching(/did not allow send .*: Not today$/), true]);
  });
});

describe('an interrupted prompt', () => {
  /** Runs it, cuts the log after the first event of a type, and resumes from there. */
  async function cutBehind(type: RunEvent['type'], more: Partial<ToolDescription> = {}) {
    let count = 0;
    const trial = trialOf({
      tools: [tool('act', async () => ++count, more)],
      replies: [calls(['act']), says('First'), says('Second')],
    });
    const first = await trial.run();
    const place = first.events.findIndex(({ event }) => event.type === type);
    const events = first.events.slice(0, place + 1);
    const second = await trial.run(events);
    return { ...trial, second, log: [...events, ...second.events], count: () => count };
  }

  test.each(['model:response', 'agent:tool:start'] as const)('after %s pays for no response twice', async (type) => {
    const { second, asked, count } = await cutBehind(type, external);
    expect(second.state.nodes.get('ask')?.output).toMatchObject({ text: 'Second' });
    // One more than the two of the first run, because the log contains the first response.
    expect([asked.length, count()]).toEqual([3, 2]);
  });

  test.each(['tool:result', 'agent:tool:complete'] as const)('after %s repeats no tool call', async (type) => {
    const { second, asked, count, log } = await cutBehind(type, external);
    expect(second.state.nodes.get('ask')?.output).toMatchObject({ text: 'Second' });
    expect([asked.length, count()]).toEqual([3, 1]);
    expect(eventsOf(log, 'agent:tool:complete')).toHaveLength(1);
    expect(eventsOf(log, 'model:request').map(({ messages }) => messages)).toEqual([
      [{ role: 'user', content: 'Do it' }],
      undefined,
    ]);
  });

  test('repeats an idempotent call that was interrupted', async () => {
    const { second, count } = await cutBehind('tool:attempt');
    expect([second.last.type, count()]).toEqual(['run:end', 2]);
  });

  test('asks a person before it repeats an interrupted call with external effects', async () => {
    const cut = await cutBehind('tool:attempt', external);
    expect([cut.second.last.type, cut.count()]).toEqual(['run:suspended', 1]);
    const request = requestIn(cut.second.events);
    expect(request).toMatchObject({ key: expect.stringMatching(/\/0:cut:1$/), request: { title: 'Call act again?' } });
    cut.desk.give({ name: 'ask', key: request.key, payload: { approved: true } }, cut.log);
    const third = await cut.run(cut.log);
    expect(third.state.nodes.get('ask')?.output).toMatchObject({ text: 'Second' });
    expect([cut.asked.length, cut.count()]).toEqual([3, 2]);
  });
});
