/** Rules about agents and tools in flows, and about hosts that restart. */
import { expect } from 'vitest';
import { scriptSection } from '../run-agent-file.ts';
import { echo, edge, flow, type HostRule } from './host-rule.ts';

const agent = (file: string, inputs: string, more = ''): string =>
  `{ id: work, type: agent, input: { agent: ${file}, inputs: ${inputs} }${more} }`;

const counted = 'n=$(cat tries.txt 2>/dev/null || echo 0); echo $((n + 1)) > tries.txt; [ $n -ge 2 ] && echo done';

export function agentRules(): readonly HostRule[] {
  return [
    {
      rule: 'X-04 an agent that requests two redos is three child runs in one node task, 500 ms apart',
      flow: flow([agent('redo.aip', '[a]')]),
      files: {
        'redo.aip': scriptSection(
          'After All',
          'if (CTX.REDO_COUNT or 0) < 2 then return aip.flow.redo_run() end\nreturn CTX.REDO_COUNT',
        ),
      },
      check(run) {
        const starts = run.log.filter(({ rootRunId, event }) => rootRunId !== undefined && event.type === 'run:start');
        const counts = starts.map(({ event }) => ('redoCount' in event ? event.redoCount : undefined));
        expect(counts).toEqual([undefined, 1, 2]);
        expect(run.started).toEqual(['work']);
        expect(run.output('work')).toMatchObject({ after_all: 2 });
      },
    },
    {
      rule: 'X-05 a redo from Data fails the child run with the fixed message, and the node is tried again',
      flow: flow([agent('early.aip', '[a]', ', policy: { retry: { maxAttempts: 2 } }')]),
      files: { 'early.aip': scriptSection('Data', 'return aip.flow.redo_run()') },
      check(run) {
        const sentence = 'aip.flow.redo_run() can be returned only from # Before All or # After All stages.';
        expect(run.of('node:retry').map(({ error }) => error.message)).toEqual([sentence]);
        expect(run.of('task:failed')[0]?.error.message).toBe(sentence);
      },
    },
    {
      rule: 'X-13 errors of items that the agent tolerates are outputs, and the node succeeds',
      flow: flow([agent('tolerant.aip', '[a, b]', ', policy: { continueOnError: true }')]),
      files: {
        'tolerant.aip': `# Options\n\`\`\`toml\nallow_run_on_task_fail = true\n\`\`\`\n${scriptSection('Data', 'if input == "b" then error("no b") end\nreturn input')}${scriptSection('Output', 'return data')}`,
      },
      check(run) {
        expect(run.of('run:end')[0]).toMatchObject({ status: 'completed', failedNodes: [] });
        expect(run.output('work')).toMatchObject({ outputs: ['a', { error: expect.stringContaining('no b') }] });
      },
    },
    {
      rule: 'FE-70 an agent completes with its output, although the connection to its model stays open',
      flow: flow([agent('open.aip', '[hello]'), echo('next', '{{work.outputs}}')], [edge('work', 'next')]),
      files: { 'open.aip': '# Options\n\n```toml\nmodel = "open::tiny"\n```\n\n# User\n\n{{input}}\n' },
      check(run) {
        expect(run.output('work')).toMatchObject({ outputs: ['Hello'] });
        expect(run.started).toEqual(['work', 'next']);
        expect(run.status('next')).toBe('completed');
      },
    },
    {
      rule: 'X-06 after a restart, a run that waits for an approval continues at the next node with the earlier outputs',
      flow: flow(
        [
          echo('a', 'before'),
          '{ id: ok, type: human_approval, input: { title: "Go on?" } }',
          echo('b', '{{a.text}} and after'),
        ],
        [edge('a', 'ok'), edge('ok', 'b')],
      ),
      restarts: true,
      answers: [{ nodeId: 'ok', payload: { approved: true } }],
      check(run) {
        expect(run.started).toEqual(['a', 'ok', 'b']);
        expect(run.output('b')).toEqual({ text: 'before and after' });
      },
    },
    {
      rule: 'FE-52 after two failures, the third attempt succeeds, and the task completes once',
      flow: flow([
        `{ id: a, type: command.run, config: { program: sh }, input: { args: ["-c", '${counted}'] }, policy: { retry: { maxAttempts: 3 } } }`,
      ]),
      check(run) {
        expect(run.of('node:retry')).toHaveLength(2);
        expect(run.of('task:complete')).toMatchObject([{ nodeId: 'a', attempts: 3 }]);
      },
    },
  ];
}
