/** Rules about the order and the values of nodes. */
import { expect } from 'vitest';
import { scriptSection } from '../run-agent-file.ts';
import { echo, edge, fails, flow, type HostRule, tolerant } from './host-rule.ts';

export function orderRules(): readonly HostRule[] {
  return [
    {
      rule: 'FE-04 edges in any order: each node runs after the nodes before it',
      flow: flow([echo('c', '{{b.text}}'), echo('a'), echo('b', '{{a.text}}')], [edge('b', 'c'), edge('a', 'b')]),
      check: (run) => expect(run.started).toEqual(['a', 'b', 'c']),
    },
    {
      rule: 'FE-10 one phase encloses all work',
      flow: flow([echo('a'), echo('b'), echo('c')]),
      check(run) {
        expect(run.of('phase:start').map(({ name }) => name)).toEqual(['Run Flow']);
        expect(run.types.slice(0, 2)).toEqual(['run:start', 'phase:start']);
        expect(run.types.slice(-2)).toEqual(['phase:complete', 'run:end']);
      },
    },
    {
      rule: 'FE-11 each executed node is one task, even if it is tried again',
      flow: flow([`{ id: a, type: control.fail, input: { message: x }, policy: { retry: { maxAttempts: 3 } } }`]),
      check: (run) => expect(run.of('task:start').map(({ taskId }) => taskId)).toEqual(['node:a']),
    },
    {
      rule: 'FE-13 a condition is evaluated before the task opens and before the bindings are resolved',
      flow: flow([
        `{ id: a, type: echo, input: { text: "{{gone.text}}" }, when: { equals: { var: flow.input.go, value: yes } } }`,
      ]),
      check(run) {
        expect(run.started).toEqual([]);
        expect(run.status('a')).toBe('skipped');
      },
    },
    {
      rule: 'FE-14 a strict binding to a missing path fails the task and names the path',
      flow: flow([echo('a', '{{flow.input.nothing.there}}')]),
      check(run) {
        expect(run.types).toEqual(expect.arrayContaining(['task:start', 'task:failed', 'phase:failed']));
        expect(run.of('task:failed')[0]?.error.message).toContain('flow.input.nothing.there');
      },
    },
    {
      rule: 'FE-15 a node receives resolved values',
      flow: flow([echo('a', '{{flow.input.who}}')]),
      inputs: { who: 'Ada' },
      check: (run) => expect(run.of('node:input')[0]?.input).toEqual({ text: 'Ada' }),
    },
    {
      rule: 'FE-18 a later node can bind to an output',
      flow: flow([echo('a', 'x'), echo('b', '{{a.text}}y')], [edge('a', 'b')]),
      check: (run) => expect(run.output('b')).toEqual({ text: 'xy' }),
    },
    {
      rule: 'FE-20 without parallel mode, independent nodes run one after the other',
      flow: flow(['{ id: a, type: control.wait, input: { ms: 20 } }', echo('b')]),
      check: (run) => expect(run.at('task:start', 'b')).toBeGreaterThan(run.at('task:complete', 'a')),
    },
    {
      rule: 'FE-21 in a diamond, the last node starts after both branches',
      flow: flow(
        [echo('a'), '{ id: b, type: control.wait, input: { ms: 10 } }', echo('c'), echo('d')],
        [edge('a', 'b'), edge('a', 'c'), edge('b', 'd'), edge('c', 'd')],
        ', policy: { maxParallel: 3 }',
      ),
      check(run) {
        for (const id of ['b', 'c']) expect(run.at('task:start', 'd')).toBeGreaterThan(run.at('task:complete', id));
      },
    },
    {
      rule: 'FE-22 a node after a tolerated failure runs',
      flow: flow([fails, echo('b')], [edge('bad', 'b')], tolerant),
      check: (run) => expect(run.status('b')).toBe('completed'),
    },
    {
      rule: 'FE-23 a node after a success runs',
      flow: flow([echo('a'), echo('b')], [edge('a', 'b')]),
      check: (run) => expect(run.started).toEqual(['a', 'b']),
    },
    {
      rule: 'FE-24 while a node has not settled, no other node starts',
      flow: flow([
        '{ id: a, type: control.wait, input: { ms: 20 } }',
        '{ id: b, type: command.run, config: { program: sh }, input: { args: ["-c", "sleep 0.1"] } }',
        '{ id: c, type: control.fail, input: { message: x }, policy: { continueOnError: true, retry: { maxAttempts: 2, backoffMs: 20 } } }',
        '{ id: d, type: agent, input: { agent: idle.aip, inputs: [1, 2] } }',
        echo('e'),
      ]),
      files: { 'idle.aip': scriptSection('Output', 'return input') },
      check(run) {
        expect(run.started).toEqual(['a', 'b', 'c', 'd', 'e']);
        const ends = run.events.filter(({ type }) => /^task:/.test(type)).map(({ type }) => type === 'task:start');
        expect(ends).toEqual(ends.map((_, index) => index % 2 === 0));
      },
    },
    {
      rule: 'FE-25 in parallel mode, independent nodes overlap and dependent ones do not',
      flow: flow(
        ['{ id: a, type: control.wait, input: { ms: 50 } }', echo('b'), echo('c')],
        [edge('a', 'c')],
        ', policy: { maxParallel: 2 }',
      ),
      check(run) {
        expect(run.at('task:start', 'b')).toBeLessThan(run.at('task:complete', 'a'));
        expect(run.at('task:start', 'c')).toBeGreaterThan(run.at('task:complete', 'a'));
      },
    },
    {
      rule: 'FE-90 a binding without an edge does not make an edge',
      flow: flow([echo('b', '{{a.text}}'), echo('a')]),
      check(run) {
        expect(run.started).toEqual(['b']);
        expect(run.of('run:end')[0]).toMatchObject({ status: 'failed' });
      },
    },
    {
      rule: 'FE-91 the order in the file does not matter where an edge decides',
      flow: flow([echo('a'), echo('b')], [edge('b', 'a')]),
      check: (run) => expect(run.started).toEqual(['b', 'a']),
    },
  ];
}
