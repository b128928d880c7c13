/** Rules about skipped nodes. */
import { expect } from 'vitest';
import { echo, edge, flow, type HostRule, tolerant } from './host-rule.ts';

const never = 'when: { equals: { var: flow.input.go, value: yes } }';

export function skipRules(): readonly HostRule[] {
  return [
    {
      rule: 'FE-30 a node with a false condition is never called, and FE-31 leaves a skip marker',
      flow: flow([`{ id: a, type: control.fail, input: { message: x }, ${never} }`]),
      check(run) {
        expect(run.of('node:skipped').map(({ nodeId, reason }) => [nodeId, reason])).toEqual([['a', 'when']]);
        expect(run.of('run:end')[0]).toMatchObject({ status: 'completed' });
      },
    },
    {
      rule: 'FE-32 a node that does not use the skipped output runs, and FE-33 the flow succeeds',
      flow: flow([`{ id: a, type: echo, input: { text: x }, ${never} }`, echo('b')], [edge('a', 'b')]),
      check(run) {
        expect(run.status('b')).toBe('completed');
        expect(run.of('run:end')[0]).toMatchObject({ status: 'completed' });
      },
    },
    {
      rule: 'FE-34 a strict binding to a skipped output fails, an optional one is empty',
      flow: flow(
        [`{ id: a, type: echo, input: { text: x }, ${never} }`, echo('b', '<{{?a.text}}>'), echo('c', '{{a.text}}')],
        [edge('a', 'b'), edge('a', 'c')],
        tolerant,
      ),
      check(run) {
        expect(run.output('b')).toEqual({ text: '<>' });
        expect(run.status('c')).toBe('failed');
      },
    },
    {
      rule: 'FE-35 a node with a true condition runs',
      flow: flow([`{ id: a, type: echo, input: { text: x }, ${never} }`]),
      inputs: { go: 'yes' },
      check: (run) => expect(run.status('a')).toBe('completed'),
    },
    {
      rule: 'FE-36 a comparison with an unknown value is false',
      flow: flow([`{ id: a, type: echo, input: { text: x }, when: { equals: { var: flow.input.gone, value: 1 } } }`]),
      check: (run) => expect(run.status('a')).toBe('skipped'),
    },
    {
      rule: 'FE-56 a skipped node is not tried at all',
      flow: flow([
        `{ id: a, type: control.fail, input: { message: x }, ${never}, policy: { retry: { maxAttempts: 3 } } }`,
      ]),
      check: (run) => expect(run.of('node:retry')).toEqual([]),
    },
  ];
}
