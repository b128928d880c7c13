/** Rules about tools and about flows written as lists of steps. */
import { expect } from 'vitest';
import { scriptSection } from '../run-agent-file.ts';
import { edge, flow, type HostRule, type RunLog, steps } from './host-rule.ts';

/** What phases, tasks, edges and nodes have emitted, without times. */
function scopesOf({ log }: RunLog): readonly unknown[] {
  return log.flatMap(({ event, context }) => {
    if (!/^(?:phase|task|edge|node):/.test(event.type)) return [];
    return [{ ...event, durationMs: 0, error: undefined, context: { ...context, sessionId: '' } }];
  });
}

const tool = (id: string, input: string, name = 'repeat'): string =>
  `{ id: ${id}, type: tool, config: { tool: ${name} }, input: ${input} }`;

const freely = ', policy: { autonomy: full_auto }';

/** The second of three tools fails if its parameter does not fit. */
function threeSteps(second: string): Pick<HostRule, 'flow' | 'twin' | 'check'> {
  return {
    flow: flow(
      [tool('load', '{ n: 1 }'), tool('mid', '{ n: "{{load.n}}" }', second), tool('save', '{ all: "{{mid}}" }')],
      [edge('load', 'mid'), edge('mid', 'save')],
      freely,
    ),
    twin: steps(
      '{ id: load, type: tool, tool: repeat, params: { n: 1 } }',
      `{ id: mid, type: tool, tool: ${second}, params: { n: "{{artifacts.step.load.output.n}}" } }`,
      `{ id: save, type: tool, tool: repeat, params: { all: "{{artifacts.step.mid.output}}" } }`,
    ),
    check(run, asSteps) {
      expect(run.started).toEqual(second === 'repeat' ? ['load', 'mid', 'save'] : ['load', 'mid']);
      expect(asSteps.started).toEqual(run.started);
      for (const id of run.started) expect(asSteps.output(id)).toEqual(run.output(id));
      expect(asSteps.of('run:end')[0]?.status).toBe(run.of('run:end')[0]?.status);
      expect(scopesOf(asSteps)).toEqual(scopesOf(run));
    },
  };
}

export function toolRules(): readonly HostRule[] {
  return [
    { rule: 'X-01 three steps are like three nodes with edges', ...threeSteps('repeat') },
    {
      rule: 'X-01 three steps are like three nodes with edges if the second one fails',
      files: {
        'tools/refuse.tool.yaml':
          'tool_id: refuse\ndescription: Fails.\nrisk: low\ninput_schema: { type: object }\nrun: { js: "throw new Error(\'no\');" }\n',
      },
      ...threeSteps('refuse'),
    },
    {
      rule: 'X-08 an agent that acts is a governed tool of steps',
      flow: steps('{ id: a, type: tool, tool: act, params: { n: 2 } }'),
      twin: steps('{ id: a, type: tool, tool: act_blocked, params: { n: 2 } }'),
      files: {
        'act.aip': scriptSection('Output', 'return { n = input.n + 1 }'),
        'tools/act.tool.yaml':
          'tool_id: act\ndescription: Acts.\nrisk: low\ninput_schema: { type: object, properties: { n: { type: number } } }\nrun: { agent: ../act.aip }\n',
        'tools/act_blocked.tool.yaml':
          'tool_id: act_blocked\ndescription: Acts.\nrisk: low\ninput_schema: { type: object, properties: { n: { type: number } } }\nrun: { agent: ../act.aip }\n',
      },
      check(run, blocked) {
        expect(run.of('run:end')[0]).toMatchObject({ status: 'completed', output: { n: 3 } });
        expect(run.of('tool:result')).toHaveLength(1);
        expect(blocked.of('run:refused')[0]).toMatchObject({
          code: 'policy_blocked',
          details: { rule: 'tool_blocked' },
        });
      },
    },
    {
      rule: 'X-12 a blocked tool is refused before the run starts, which 12.7 makes the whole log',
      flow: flow(['{ id: a, type: tool, input: { glob: "*" }, config: { tool: core.file_list } }']),
      twin: steps('{ id: a, type: tool, tool: core.file_list, params: { glob: "*" } }'),
      check(run, asSteps) {
        for (const one of [run, asSteps]) {
          expect(one.types).toEqual(['run:refused']);
          expect(one.log).toHaveLength(1);
          expect(one.of('run:refused')[0]).toMatchObject({ code: 'policy_blocked', details: { rule: 'tool_blocked' } });
        }
      },
    },
    {
      rule: 'X-12 a blocked tool is denied during the run to a prompt and an agent',
      flow: flow(
        [
          '{ id: model, type: prompt, input: { prompt: list }, config: { model: "scripted::listing.yaml", tools: ["core.*"] } }',
          '{ id: agent, type: agent, input: { agent: listing.aip, inputs: [1] } }',
        ],
        [],
        ', policy: { failFast: false }',
      ),
      files: {
        'listing.yaml':
          'replies:\n  - { match: "list", calls: [{ tool: core.file_list, input: { glob: "*" } }] }\n  - { afterTool: core.file_list, reply: Done. }\n',
        'listing.aip':
          '# Options\n\n```toml\nmodel = "scripted::listing.yaml"\ntools = ["core.*"]\n```\n\n# User\n\nlist {{input}}\n',
      },
      check(run) {
        const denied = run.log.flatMap(({ event }) =>
          event.type === 'governance:decision' && !event.allowed ? [event.rule] : [],
        );
        expect(denied).toEqual(['tool_blocked', 'tool_blocked']);
      },
    },
    {
      rule: '13.17 an approval of a tool covers one call',
      flow: flow([tool('a', '{ n: 1 }', 'guarded'), tool('b', '{ n: 1 }', 'guarded')], [edge('a', 'b')]),
      files: {
        'tools/guarded.tool.yaml':
          'tool_id: guarded\ndescription: Repeats.\nrisk: high\nrequires_approval: true\ninput_schema: { type: object }\nrun: { js: "return { ...input };" }\n',
      },
      answers: [
        { nodeId: 'a', payload: { approved: true } },
        { nodeId: 'b', payload: { approved: true, params: { n: 2 }, comment: 'more' } },
      ],
      check(run) {
        expect(run.of('approval:requested').map(({ nodeId }) => nodeId)).toEqual(['a', 'b']);
        expect([run.output('a'), run.output('b')]).toEqual([{ n: 1 }, { n: 2 }]);
      },
    },
  ];
}
