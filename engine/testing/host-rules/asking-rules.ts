/** Rules about requests to people. */
import { expect } from 'vitest';
import { attemptRules } from './attempt-rules.ts';
import { echo, edge, fails, flow, type HostRule } from './host-rule.ts';

const approve = { approved: true };

export function askingRules(): readonly HostRule[] {
  return [
    {
      rule: '12.1 an unanswered request ends the node as suspended, and an answer continues it',
      flow: flow(
        ['{ id: ok, type: human_approval, input: { title: "Go on?" } }', echo('b', '{{ok.comment}}')],
        [edge('ok', 'b')],
      ),
      answers: [{ nodeId: 'ok', payload: { approved: true, comment: 'yes' } }],
      check(run) {
        expect(run.of('node:suspended')).toHaveLength(1);
        expect(run.of('approval:requested')).toHaveLength(1);
        expect(run.of('approval:resolved')[0]).toMatchObject({ nodeId: 'ok', by: 'kim', payload: { approved: true } });
        expect(run.output('b')).toEqual({ text: 'yes' });
      },
    },
    {
      rule: '12.1f a failure ends what waits, and never waits for a person',
      flow: flow(
        [
          '{ id: ok, type: human_approval, input: { title: "Go on?" } }',
          '{ id: w, type: control.wait, input: { ms: 30 } }',
          fails,
        ],
        [edge('w', 'bad')],
        ', policy: { maxParallel: 2 }',
      ),
      check(run) {
        expect(run.of('task:cancelled').map(({ nodeId }) => nodeId)).toEqual(['ok']);
        expect(run.of('run:end')[0]).toMatchObject({ status: 'failed' });
      },
    },
    {
      rule: '12.1g the run is suspended only when nothing runs and no timer is pending',
      flow: flow(
        [
          '{ id: ok, type: human_approval, input: { title: "Go on?" } }',
          '{ id: w, type: control.wait, input: { ms: 60 } }',
        ],
        [],
        ', policy: { maxParallel: 2 }',
      ),
      answers: [{ nodeId: 'ok', payload: approve }],
      check(run) {
        expect(run.of('run:suspended')).toMatchObject([{ reason: 'approval', nodeId: 'ok' }]);
        expect(run.types.indexOf('run:suspended')).toBeGreaterThan(run.at('task:complete', 'w'));
        expect(run.types.indexOf('run:resumed')).toBeGreaterThan(run.types.indexOf('run:suspended'));
      },
    },
    {
      rule: '12.1f cancel ends what waits, which closes its requests',
      flow: flow(['{ id: ok, type: human_approval, input: { title: "Go on?" } }', echo('b')], [edge('ok', 'b')]),
      cancelsAt: ({ type }) => type === 'run:suspended',
      check(run) {
        expect(run.of('task:cancelled')).toMatchObject([{ nodeId: 'ok', reason: 'cancel' }]);
        expect(run.of('run:end')[0]).toMatchObject({ status: 'cancelled' });
        expect(run.started).toEqual(['ok']);
      },
    },
    {
      rule: '12.1e every waiting item of a loop is answered on its own',
      flow: flow([
        '{ id: each, type: control.foreach, input: { items: [a, b], maxParallel: 2, body: [ok] } }',
        '{ id: ok, type: human_approval, input: { title: "Send {{item}}?" } }',
      ]),
      answers: [
        { nodeId: 'each[1].ok', payload: { approved: true, comment: 'second' } },
        { nodeId: 'each[0].ok', payload: { approved: true, comment: 'first' } },
      ],
      check: (run) =>
        expect(run.output('each')).toMatchObject({
          iterations: [{ outputs: { ok: { comment: 'first' } } }, { outputs: { ok: { comment: 'second' } } }],
        }),
    },
    {
      rule: '12.1i a request of a called flow is answered by the full name of the node',
      flow: flow(['{ id: call, type: flow, input: { flow: asks.flow.yaml } }']),
      answers: [{ nodeId: 'call/may', payload: approve }],
      check: (run) => expect(run.output('call')).toMatchObject({ outputs: { ok: true } }),
    },
    {
      rule: '12.1 an agent asks for an input, and the stage runs again; 12.1c each input has its own answer to the same key; 12.1i each is answered by its full name',
      flow: flow([`{ id: write, type: agent, input: { agent: asker.aip, inputs: [p, q] } }`]),
      files: {
        'asker.aip':
          '# Data\n\n```lua\nlocal given = CTX.ANSWERS.ok\nif given == nil then return aip.flow.ask({ key = "ok", title = "Write " .. input .. "?" }) end\nreturn given.comment\n```\n\n# Output\n\n```lua\nreturn data\n```\n',
      },
      answers: [
        { nodeId: 'write/input:1', payload: { approved: true, comment: 'b' } },
        { nodeId: 'write/input:0', payload: { approved: true, comment: 'a' } },
      ],
      check: (run) => expect(run.output('write')).toMatchObject({ outputs: ['a', 'b'] }),
    },
    ...attemptRules(),
    {
      rule: '12.2 a rejected approval takes the wired branch',
      flow: flow(
        ['{ id: ok, type: human_approval, input: { title: "Go on?" } }', echo('no')],
        ['{ from: ok, to: no, when: { equals: { var: ok.route, value: rejected } } }'],
      ),
      answers: [{ nodeId: 'ok', payload: { approved: false } }],
      check: (run) => expect(run.status('no')).toBe('completed'),
    },
    {
      rule: '12.2 a rejected approval without a branch fails the node and is not tried again',
      flow: flow([
        '{ id: ok, type: human_approval, input: { title: "Go on?" }, policy: { retry: { maxAttempts: 3 } } }',
      ]),
      answers: [{ nodeId: 'ok', payload: { approved: false } }],
      check(run) {
        expect(run.of('task:failed')[0]?.error.code).toBe('approval.rejected');
        expect(run.of('node:retry')).toEqual([]);
      },
    },
    {
      rule: '12.4 a request with a deadline is answered by its policy',
      flow: flow([
        '{ id: ok, type: human_approval, input: { title: "Go on?" }, config: { deadlineMs: 50, onDeadline: approve } }',
      ]),
      check: (run) =>
        expect(run.of('approval:resolved')[0]).toMatchObject({ by: 'deadline', payload: { approved: true } }),
    },
    {
      rule: '12.4 at its deadline, a request is rejected or fails by its policy, and 12.1d fails without another attempt',
      flow: flow([
        '{ id: no, type: human_approval, input: { title: "Go on?" }, config: { deadlineMs: 30, onDeadline: reject }, policy: { continueOnError: true, retry: { maxAttempts: 3 } } }',
        '{ id: late, type: human_approval, input: { title: "Go on?" }, config: { deadlineMs: 30, onDeadline: fail }, policy: { continueOnError: true, retry: { maxAttempts: 3 } } }',
      ]),
      check(run) {
        expect(run.of('task:failed').map(({ nodeId, error }) => [nodeId, error.code])).toEqual([
          ['no', 'approval.rejected'],
          ['late', 'ask.expired'],
        ]);
        expect(run.of('node:retry')).toEqual([]);
      },
    },
    {
      rule: '12.4 a request with a reminder waits beyond its deadline',
      flow: flow([
        '{ id: ok, type: human_approval, input: { title: "Go on?" }, config: { deadlineMs: 1, onDeadline: remind } }',
      ]),
      answers: [{ nodeId: 'ok', payload: approve }],
      check(run) {
        expect(run.of('approval:resolved')).toMatchObject([{ by: 'kim' }]);
        expect(run.of('run:end')[0]).toMatchObject({ status: 'completed' });
      },
    },
    {
      rule: '12.1 entered values reach the node',
      flow: flow(
        [
          '{ id: fill, type: user_input, input: { title: "Who?", schema: { type: object, properties: { who: { type: string } }, required: [who] } } }',
          echo('b', '{{fill.values.who}}'),
        ],
        [edge('fill', 'b')],
      ),
      answers: [{ nodeId: 'fill', payload: { values: { who: 'Ada' } } }],
      check: (run) => expect(run.output('b')).toEqual({ text: 'Ada' }),
    },
  ];
}
