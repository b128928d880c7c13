/** Rules about failures, retries and time limits. */
import { expect } from 'vitest';
import { echo, edge, fails, flow, type HostRule, tolerant } from './host-rule.ts';

/** A command that completes with output when it is stopped. Its text does not contain the output. */
const lateOutput = 'trap "echo too la""te; exit 0" TERM; while :; do sleep 0.05; done';

export function failureRules(): readonly HostRule[] {
  return [
    {
      rule: 'FE-41 with fail-fast, which FE-40 makes the default, nothing starts after a failure',
      flow: flow([fails, echo('b'), echo('c')]),
      check(run) {
        expect(run.started).toEqual(['bad']);
        expect(run.of('run:end')[0]).toMatchObject({ status: 'failed', failedNodes: ['bad'] });
      },
    },
    {
      rule: 'FE-42 without fail-fast, an independent node still runs',
      flow: flow([fails, echo('b')], [], tolerant),
      check: (run) => expect(run.status('b')).toBe('completed'),
    },
    {
      rule: 'FE-44 a failure under the defaults, which FE-43 states, fails the flow',
      flow: flow([fails]),
      check: (run) => expect(run.of('run:end')[0]).toMatchObject({ status: 'failed' }),
    },
    {
      rule: 'FE-45 a tolerated failure leaves an error marker, and FE-46 a condition can read it',
      flow: flow(
        [
          '{ id: bad, type: control.fail, input: { message: "no" }, policy: { continueOnError: true } }',
          `{ id: b, type: echo, input: { text: "{{bad.error}}" }, when: { equals: { var: bad.failed, value: true } } }`,
        ],
        [edge('bad', 'b')],
      ),
      check(run) {
        expect(run.of('run:end')[0]).toMatchObject({ status: 'completed', failedNodes: ['bad'] });
        expect(run.status('b')).toBe('completed');
      },
    },
    {
      rule: 'FE-47 without fail-fast, a node that must not fail still ends the flow (D-02-1)',
      flow: flow(
        ['{ id: bad, type: control.fail, input: { message: "no" }, policy: { continueOnError: false } }', echo('b')],
        [],
        tolerant,
      ),
      check(run) {
        expect(run.started).toEqual(['bad']);
        expect(run.of('run:end')[0]).toMatchObject({ status: 'failed', failedNodes: ['bad'] });
      },
    },
    {
      rule: 'FE-51 one attempt is one attempt',
      flow: flow([`{ id: a, type: control.fail, input: { message: x }, policy: { retry: { maxAttempts: 1 } } }`]),
      check(run) {
        expect(run.of('node:retry')).toEqual([]);
        expect(run.of('task:failed')[0]).toMatchObject({ attempts: 1 });
      },
    },
    {
      rule: 'FE-53 a permanent failure is tried exactly three times, and FE-54 without a pause',
      flow: flow([`{ id: a, type: control.fail, input: { message: x }, policy: { retry: { maxAttempts: 3 } } }`]),
      check(run) {
        expect(run.of('node:retry').map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
          [1, 0],
          [2, 0],
        ]);
        expect(run.of('task:failed')[0]).toMatchObject({ attempts: 3 });
      },
    },
    {
      rule: 'FE-55 the pause between attempts is constant',
      flow: flow([
        `{ id: a, type: control.fail, input: { message: x }, policy: { retry: { maxAttempts: 3, backoffMs: 20 } } }`,
      ]),
      check: (run) => expect(run.of('node:retry').map(({ delayMs }) => delayMs)).toEqual([20, 20]),
    },
    {
      rule: 'FE-57 the marker of a node that was tried in vain counts its attempts',
      flow: flow(
        [
          `{ id: a, type: control.fail, input: { message: x }, policy: { continueOnError: true, retry: { maxAttempts: 2 } } }`,
          `{ id: b, type: constant, input: { value: "{{a.attempts}}" } }`,
        ],
        [edge('a', 'b')],
      ),
      check: (run) => expect(run.output('b')).toEqual({ value: 2 }),
    },
    {
      rule: 'FE-60 a node over its time limit is stopped, and FE-61 counts as failed',
      flow: flow([`{ id: a, type: control.wait, input: { ms: 60000 }, policy: { timeoutMs: 30 } }`]),
      check(run) {
        expect(run.of('task:failed')[0]?.error.code).toBe('node.timeout');
        expect(run.of('run:end')[0]).toMatchObject({ status: 'failed' });
      },
    },
    {
      rule: 'FE-60 a loop and a called flow over their time limits are stopped',
      flow: flow([
        '{ id: each, type: control.foreach, input: { items: [a], body: [long] }, policy: { timeoutMs: 30, continueOnError: true } }',
        '{ id: long, type: control.wait, input: { ms: 600000 } }',
        '{ id: call, type: flow, input: { flow: long.flow.yaml }, policy: { timeoutMs: 30, continueOnError: true } }',
      ]),
      files: { 'long.flow.yaml': flow(['{ id: long, type: control.wait, input: { ms: 600000 } }']) },
      check: (run) =>
        expect(run.of('task:failed').map(({ nodeId, error }) => [nodeId, error.code])).toEqual([
          ['each', 'node.timeout'],
          ['call', 'node.timeout'],
        ]),
    },
    {
      rule: 'FE-62 a node over its time limit is tried again',
      flow: flow([
        `{ id: a, type: control.wait, input: { ms: 60000 }, policy: { timeoutMs: 20, retry: { maxAttempts: 2 } } }`,
      ]),
      check: (run) => expect(run.of('task:failed')[0]).toMatchObject({ attempts: 2 }),
    },
    {
      rule: 'FE-63 a tolerated time limit leaves an error marker',
      flow: flow(
        [
          `{ id: a, type: control.wait, input: { ms: 60000 }, policy: { timeoutMs: 20, continueOnError: true } }`,
          echo('b'),
        ],
        [edge('a', 'b')],
      ),
      check: (run) => expect(run.status('b')).toBe('completed'),
    },
    {
      rule: 'FE-64 a result that arrives after the time limit is not used',
      flow: flow(
        [
          `{ id: a, type: command.run, config: { program: sh }, input: { args: ["-c", '${lateOutput}'] }, policy: { timeoutMs: 300, continueOnError: true } }`,
          '{ id: b, type: constant, input: { value: "{{a.error}}" } }',
        ],
        [edge('a', 'b')],
      ),
      check(run) {
        expect(run.output('b')).toMatchObject({ value: { code: 'node.timeout' } });
        expect(run.of('task:complete').map(({ nodeId }) => nodeId)).toEqual(['b']);
        expect(JSON.stringify(run.log)).not.toContain('too late');
      },
    },
    {
      rule: 'FE-65 a fast node is not affected by its time limit',
      flow: flow([`{ id: a, type: echo, input: { text: x }, policy: { timeoutMs: 60000 } }`]),
      check: (run) => expect(run.status('a')).toBe('completed'),
    },
    {
      rule: 'FE-92 a failing flow fails its phase, then the run',
      flow: flow([fails]),
      check: (run) => expect(run.types.slice(-3)).toEqual(['task:failed', 'phase:failed', 'run:end']),
    },
  ];
}
