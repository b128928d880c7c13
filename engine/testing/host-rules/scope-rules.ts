/** Rules about the events of a run, its models and agents. */
import { expect } from 'vitest';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { scriptSection } from '../run-agent-file.ts';
import { echo, edge, fails, flow, type HostRule, steps } from './host-rule.ts';

export function scopeRules(): readonly HostRule[] {
  return [
    {
      rule: 'FE-80 the phase lies between the start and the end of the run, around all tasks',
      flow: flow([echo('a')]),
      check: (run) =>
        expect(run.types).toEqual([
          'run:start',
          'phase:start',
          'task:start',
          'node:input',
          'task:complete',
          'phase:complete',
          'run:end',
        ]),
    },
    {
      rule: 'FE-81 a successful node starts and completes',
      flow: flow([echo('a')]),
      check: (run) => expect(run.at('task:complete', 'a')).toBeGreaterThan(run.at('task:start', 'a')),
    },
    {
      rule: 'FE-82 a failed node starts and fails',
      flow: flow([fails]),
      check: (run) => expect(run.at('task:failed', 'bad')).toBeGreaterThan(run.at('task:start', 'bad')),
    },
    {
      rule: 'FE-83 the events of a model lie between those of its task and carry its context',
      flow: flow([
        `{ id: a, type: prompt, input: { prompt: Hello }, config: { model: "scripted::model.yaml" } }`,
        echo('b'),
      ]),
      check(run) {
        const own = run.log.filter(({ event }) => event.type.startsWith('agent:') || event.type.startsWith('model:'));
        expect(own.length).toBeGreaterThan(2);
        for (const { context, seq } of own) {
          expect(context.task?.id).toBe('node:a');
          expect(seq).toBeGreaterThan(run.at('task:start', 'a'));
          expect(seq).toBeLessThan(run.at('task:complete', 'a'));
        }
      },
    },
    {
      rule: 'FE-84 every event is numbered by the hub, also those of called flows, agents and loops',
      flow: flow([
        '{ id: call, type: flow, input: { flow: below.flow.yaml } }',
        '{ id: work, type: agent, input: { agent: below.aip, inputs: [1, 2] } }',
        '{ id: each, type: control.foreach, input: { items: [a, b], maxParallel: 2, body: [said] } }',
        echo('said', '{{item}}'),
      ]),
      files: {
        'below.flow.yaml': flow([echo('deep')]),
        'below.aip': scriptSection('Output', 'return input'),
      },
      check(run) {
        // `checkWhole` has compared the numbers with the places.
        const runs = new Set(run.log.map(({ runId }) => runId));
        expect(runs.size).toBe(3);
        expect(new Set(run.log.map(({ context }) => context.sessionId)).size).toBe(1);
        expect(run.log.map(({ at }) => at)).toEqual(run.log.map(({ at }) => at).sort((a, b) => a - b));
      },
    },
    {
      rule: 'X-11 a missing value fails a node of a flow, and is null in a list of steps',
      flow: flow(['{ id: a, type: tool, config: { tool: repeat }, input: { n: "{{flow.input.missing}}" } }']),
      twin: steps('{ id: a, type: tool, tool: repeat, params: { n: "{{payload.missing}}" } }'),
      check(run, asSteps) {
        expect(run.status('a')).toBe('failed');
        expect(asSteps.of('node:input')[0]?.input).toMatchObject({ n: null });
        expect(asSteps.of('run:end')[0]).toMatchObject({ status: 'completed' });
      },
    },
    {
      rule: 'X-14 reading the log again gives the same state',
      flow: flow([echo('a'), fails], [edge('a', 'bad')]),
      check(run) {
        const again = foldRun(emptyRunState, JSON.parse(JSON.stringify(run.log)) as readonly EventEnvelope[]);
        expect(JSON.stringify([...again.nodes])).toBe(JSON.stringify([...run.state.nodes]));
      },
    },
    {
      rule: 'X-07 cancel stops a wait and a pause between attempts, and only their ends follow',
      flow: flow(
        [
          '{ id: a, type: control.wait, input: { ms: 600000 } }',
          '{ id: b, type: control.fail, input: { message: x }, policy: { retry: { maxAttempts: 2, backoffMs: 600000 } } }',
        ],
        [],
        ', policy: { maxParallel: 2 }',
      ),
      cancelsAt: ({ type }) => type === 'node:retry',
      check(run) {
        expect(run.of('run:end')[0]).toMatchObject({ status: 'cancelled' });
        expect(
          run
            .of('task:cancelled')
            .map(({ nodeId }) => nodeId)
            .sort(),
        ).toEqual(['a', 'b']);
      },
    },
    {
      rule: 'FE-17 an agent node makes one run of its agent in each attempt',
      flow: flow([
        `{ id: a, type: agent, input: { agent: hello.aip, inputs: [1] } }`,
        `{ id: b, type: agent, input: { agent: never.aip, inputs: [1] }, policy: { continueOnError: true, retry: { maxAttempts: 3 } } }`,
      ]),
      files: {
        'hello.aip': scriptSection('Output', 'return "said " .. input'),
        'never.aip': scriptSection('Output', 'error("no")'),
      },
      check(run) {
        expect(run.output('a')).toMatchObject({ outputs: ['said 1'] });
        const runs = run.of('agent:start').map(({ agentName, runId }) => `${agentName} ${runId}`);
        expect(new Set(runs).size).toBe(4);
        expect(runs.map((one) => one.split(' ')[0])).toEqual(['hello.aip', 'never.aip', 'never.aip', 'never.aip']);
      },
    },
    {
      rule: 'X-02 a pack with four inputs, one of them skipped, is one node task, one child run and four item tasks',
      flow: flow([`{ id: a, type: agent, input: { agent: four.aip, inputs: [1, 2, 3, 4] } }`]),
      files: {
        'four.aip':
          '# Data\n\n```lua\nif input == 2 then return aip.flow.skip("not two") end\nreturn input\n```\n\n# Output\n\n```lua\nreturn data * 10\n```\n',
      },
      check(run) {
        const child = run.log.filter(({ rootRunId }) => rootRunId !== undefined).map(({ event }) => event);
        expect(child.filter(({ type }) => type === 'run:start')).toHaveLength(1);
        expect(child.filter(({ type }) => type === 'task:start')).toHaveLength(4);
        expect(child.filter(({ type }) => type === 'task:skipped')).toHaveLength(1);
        expect(run.output('a')).toMatchObject({ outputs: [10, null, 30, 40] });
      },
    },
    {
      rule: 'X-03 an agent whose Before All skips leaves a skip marker, and the flow goes on',
      flow: flow([`{ id: a, type: agent, input: { agent: skips.aip, inputs: [1] } }`, echo('b')], [edge('a', 'b')]),
      files: { 'skips.aip': '# Before All\n\n```lua\nreturn aip.flow.skip("nothing to do")\n```\n' },
      check(run) {
        expect(run.status('a')).toBe('skipped');
        expect(run.of('run:end')[0]).toMatchObject({ status: 'completed' });
      },
    },
  ];
}
