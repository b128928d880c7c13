import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

const flow = `flow: { name: Draft, input: { n: 1 } }
nodes:
  - { id: draft, type: prompt, input: { prompt: "Draft {{flow.input.n}}" }, config: { model: "scripted::replies.yaml" } }
  - { id: ask, type: human_approval, input: { title: Send it? } }
  - { id: wait, type: control.wait, input: { ms: 1 } }
edges: [{ from: draft, to: ask }]
`;

const replies = `replies:
  - match: Draft
    reply: A draft.
    usage: { promptTokens: 20, completionTokens: 5 }
`;

interface PrintedEstimate {
  readonly runCount: number;
  readonly tokens: object;
  readonly usd: object;
  readonly noHistory: readonly string[];
}

test('prints ranges from earlier runs, and names what they do not include', async () => {
  cli.write('draft.flow.yaml', flow);
  cli.write('replies.yaml', replies);
  const before = await cli.call(['estimate', 'draft.flow.yaml']);
  expect([before.code, before.stdout]).toEqual([
    0,
    `draft.flow.yaml: at least 0 ms (from 0 earlier runs)
  draft: no history
  wait: no history
no history: draft, wait (not included)
waits for people: ask (not included)
`,
  ]);
  const ran = await cli.call(['run', 'draft.flow.yaml', '--to', 'draft']);
  expect(ran).toMatchObject({ code: 0 });
  const { stdout } = await cli.call(['estimate', 'draft.flow.yaml', '--input', 'n=2']);
  expect(stdout).toMatch(
    /^draft\.flow\.yaml: at least \d.*, 25 tokens \(from 1 earlier run\)\n {2}draft: \d.*, 25 tokens\n/,
  );
  const part = await cli.call(['estimate', 'draft.flow.yaml', '--to', 'draft', '--json']);
  const printed = JSON.parse(part.stdout) as PrintedEstimate;
  expect(printed).toMatchObject({
    runCount: 1,
    tokens: { low: 25, high: 25 },
    usd: { low: 0, high: 0 },
    noHistory: [],
  });
});

test('explains why there is no estimate', async () => {
  cli.write('bad.flow.yaml', 'flow: {}\n');
  expect((await cli.call(['estimate', 'bad.flow.yaml'])).code).toBe(2);
  const agent = await cli.call(['estimate', 'demo@proof']);
  expect([agent.code, agent.stderr]).toEqual([2, 'millrace: demo@proof is an agent. Only flows have estimates.\n']);
});
