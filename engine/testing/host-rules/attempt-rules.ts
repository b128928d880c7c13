/** Rules about the attempts of nodes that ask: their calls, their keys, their answers. */
import { expect } from 'vitest';
import { scriptSection } from '../run-agent-file.ts';
import { echo, edge, flow, type HostRule } from './host-rule.ts';

const approve = { approved: true };

/** An agent that pays for a response, and asks before it uses the response. */
const asksAfterwards = `# Options\n\n\`\`\`toml\nmodel = "scripted::model.yaml"\n\`\`\`\n\n# User\n\nSay {{input}}\n\n${scriptSection(
  'Output',
  'local given = CTX.ANSWERS.use\nif given == nil then return aip.flow.ask({ key = "use", title = "Use it?" }) end\nreturn ai_response.content .. given.comment',
)}`;

export function attemptRules(): readonly HostRule[] {
  return [
    {
      rule: '12.1a an attempt that continues after an answer takes its model responses from the log',
      flow: flow(['{ id: work, type: agent, input: { agent: afterwards.aip, inputs: [hello] } }']),
      files: { 'afterwards.aip': asksAfterwards },
      answers: [{ nodeId: 'work/input:0', payload: { approved: true, comment: ' Fine.' } }],
      check(run) {
        const all = run.log.map(({ event }) => event);
        expect(all.filter(({ type }) => type === 'model:request')).toHaveLength(1);
        expect(all.filter(({ type }) => type === 'model:response')).toHaveLength(1);
        expect(run.of('agent:start')).toHaveLength(1);
        expect(run.output('work')).toMatchObject({ outputs: ['A reply. Fine.'] });
      },
    },
    {
      rule: '12.1b calls have keys of their request and the number of equal ones; a tool call has that of its response',
      flow: flow([
        '{ id: p, type: prompt, input: { prompt: twice }, config: { model: "scripted::calling.yaml", tools: [repeat] } }',
      ]),
      files: {
        'calling.yaml':
          'replies:\n  - { match: "^twice", calls: [{ tool: repeat, input: { n: 1 } }, { tool: repeat, input: { n: 1 } }] }\n  - { afterTool: repeat, reply: Done. }\n',
      },
      check(run) {
        const keys = run.of('model:request').map(({ callKey }) => callKey);
        expect(keys).toHaveLength(2);
        for (const key of keys) expect(key).toMatch(/^model:[0-9a-f]{64}:0$/);
        expect(new Set(keys).size).toBe(2);
        expect(run.of('model:response').map(({ callKey }) => callKey)).toEqual(keys);
        expect(run.of('tool:result').map(({ callKey }) => callKey)).toEqual([`${keys[0]}/0`, `${keys[0]}/1`]);
      },
    },
    {
      rule: '12.1c a second question with the key of an answered one fails',
      flow: flow(['{ id: work, type: agent, input: { agent: again.aip, inputs: [a] } }']),
      files: { 'again.aip': scriptSection('Data', 'return aip.flow.ask({ key = "ok", title = "May I?" })') },
      answers: [{ nodeId: 'work/input:0', payload: approve }],
      check: (run) => expect(run.of('task:failed')[0]?.error.code).toBe('ask.duplicate-key'),
    },
    {
      rule: '12.1d asking ends no attempt, and the time limit does not count while a node waits',
      flow: flow(
        [
          '{ id: ok, type: human_approval, input: { title: "Go on?" }, policy: { timeoutMs: 1000, retry: { maxAttempts: 2 } } }',
          '{ id: each, type: control.foreach, input: { items: [a], body: [may] }, policy: { timeoutMs: 10000 } }',
          '{ id: may, type: human_approval, input: { title: "{{item}}?" } }',
        ],
        [edge('ok', 'each')],
      ),
      answers: [
        { nodeId: 'ok', payload: approve },
        { nodeId: 'each[0].may', payload: approve },
      ],
      check(run) {
        expect(run.of('node:retry')).toEqual([]);
        expect(run.of('task:complete').map(({ nodeId, attempts }) => [nodeId, attempts])).toEqual([
          ['ok', 1],
          ['each[0].may', 1],
          ['each', 1],
        ]);
      },
    },
    {
      rule: '12.1d waiting counts neither for the time limits of loops and called flows nor as duration of the run',
      flow: flow(
        [
          '{ id: each, type: control.foreach, input: { items: [a], body: [may] }, policy: { timeoutMs: 2000 } }',
          '{ id: may, type: human_approval, input: { title: "{{item}}?" } }',
          '{ id: call, type: flow, input: { flow: asks.flow.yaml }, policy: { timeoutMs: 2000 } }',
          '{ id: work, type: agent, input: { agent: asker.aip, inputs: [a] }, policy: { timeoutMs: 30000 } }',
        ],
        [],
        ', policy: { maxParallel: 3 }',
      ),
      waitsMs: 3000,
      restarts: true,
      answers: [
        { nodeId: 'each[0].may', payload: approve },
        { nodeId: 'call/may', payload: approve },
        { nodeId: 'work/input:0', payload: approve },
      ],
      check(run) {
        const end = run.of('run:end')[0];
        expect(end).toMatchObject({ status: 'completed', failedNodes: [] });
        expect(run.suspendedMs).toBeGreaterThanOrEqual(3000);
        const [first, last] = [run.log[0], run.log.at(-1)];
        const wholeMs = (last?.at ?? 0) - (first?.at ?? 0);
        // The clock may have been read shortly before and after the events.
        expect((end?.durationMs ?? 0) + run.suspendedMs).toBeLessThan(wholeMs + 1500);
      },
    },
    {
      rule: '12.1d another attempt calls the model again',
      flow: flow([
        '{ id: p, type: prompt, input: { prompt: Fail }, config: { model: "scripted::model.yaml" }, policy: { retry: { maxAttempts: 2 } } }',
      ]),
      check(run) {
        expect(run.of('model:request')).toHaveLength(2);
        expect(run.of('task:failed')[0]).toMatchObject({ attempts: 2 });
      },
    },
    {
      rule: '12.1e a loop starts no more items than may wait, and the next one after an answer',
      flow: flow([
        '{ id: each, type: control.foreach, input: { items: [a, b], maxParallel: 2, maxWaiting: 1, body: [ok] } }',
        '{ id: ok, type: human_approval, input: { title: "Send {{item}}?" } }',
      ]),
      answers: [
        { nodeId: 'each[0].ok', payload: approve },
        { nodeId: 'each[1].ok', payload: approve },
      ],
      check(run) {
        const order = run.events.flatMap((event) =>
          event.type === 'approval:requested' || event.type === 'approval:resolved' ? [event.nodeId] : [],
        );
        expect(order).toEqual(['each[0].ok', 'each[0].ok', 'each[1].ok', 'each[1].ok']);
      },
    },
    {
      rule: '12.1e a loop of passes starts none before the last one has ended',
      flow: flow([
        '{ id: ask, type: control.loop, input: { body: [ok], while: { equals: { var: ok.comment, value: again } } } }',
        '{ id: ok, type: human_approval, input: { title: "Again?" } }',
      ]),
      answers: [
        { nodeId: 'ask[0].ok', payload: { approved: true, comment: 'again' } },
        { nodeId: 'ask[1].ok', payload: { approved: true, comment: 'enough' } },
      ],
      check(run) {
        expect(run.at('task:start', 'ask[1].ok')).toBeGreaterThan(run.at('task:complete', 'ask[0].ok'));
        expect(run.output('ask')).toMatchObject({ last: { ok: { comment: 'enough' } }, reason: 'condition' });
      },
    },
    {
      rule: '12.1h of two answers, the first one counts, and the second is rejected',
      flow: flow(
        ['{ id: ok, type: human_approval, input: { title: "Go on?" } }', echo('b', '{{ok.comment}}')],
        [edge('ok', 'b')],
      ),
      answers: [
        {
          nodeId: 'ok',
          payload: { approved: true, comment: 'first' },
          rival: { approved: true, comment: 'second' },
        },
      ],
      check(run) {
        expect(run.of('approval:resolved')).toMatchObject([{ by: 'kim', payload: { comment: 'first' } }]);
        expect(run.output('b')).toEqual({ text: 'first' });
      },
    },
    {
      rule: '12.2 edited parameters and the comment reach the node that asked',
      flow: flow(['{ id: ok, type: human_approval, input: { title: "Pay?", params: { amount: 30, to: kim } } }']),
      answers: [{ nodeId: 'ok', payload: { approved: true, comment: 'less', params: { amount: 25 } } }],
      check: (run) => expect(run.output('ok')).toMatchObject({ comment: 'less', params: { amount: 25, to: 'kim' } }),
    },
    {
      rule: '12.5 the history says that a run waits for an approval',
      flow: flow(['{ id: ok, type: human_approval, input: { title: "Go on?" } }']),
      answers: [{ nodeId: 'ok', payload: approve }],
      check: (run) => expect(run.waited).toBe('PENDING_APPROVAL'),
    },
    {
      rule: '12.5 the history says that a run waits for values',
      flow: flow([
        '{ id: fill, type: user_input, input: { title: "Who?", schema: { type: object, properties: { who: { type: string } } } } }',
      ]),
      answers: [{ nodeId: 'fill', payload: { values: { who: 'Ada' } } }],
      check: (run) => expect(run.waited).toBe('PENDING_USER_INPUT'),
    },
    {
      rule: '13.3 an approval derives its title from its message',
      flow: flow(['{ id: ok, type: human_approval, input: { message: "Go on?\\nIt costs nothing." } }']),
      answers: [{ nodeId: 'ok', payload: approve }],
      check: (run) => expect(run.of('approval:requested')[0]).toMatchObject({ request: { title: 'Go on?' } }),
    },
  ];
}
