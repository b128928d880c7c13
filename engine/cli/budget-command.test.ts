import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

const flow = `flow: { name: Long, policy: { budget: { tokens: 30 } } }
nodes:
  - { id: one, type: prompt, config: { model: "scripted::model.yaml" }, input: { prompt: "Write." } }
  - { id: two, type: prompt, config: { model: "scripted::model.yaml" }, input: { prompt: "Write more." } }
edges: [{ from: one, to: two }]
`;
const replies = `replies:
  - { match: "", reply: "A long text.", usage: { promptTokens: 10, completionTokens: 20 } }
`;

test('13.14 a run that has used its budget exits with 3, and continues once the budget is raised', async () => {
  cli.write('long.flow.yaml', flow);
  cli.write('model.yaml', replies);
  const ran = await cli.call(['run', 'long.flow.yaml']);
  expect(ran.code).toBe(3);
  expect(ran.stdout).toMatch(
    /paused before two: its budget of 30 tokens is reached\n {2}input: \{"prompt":"Write more\."\}\n {2}millrace resume \S+ --raise tokens=LIMIT\n$/,
  );
  const refused = await cli.call(['resume', 'latest', '--raise', 'tokens=30']);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('Raise one of these limits to a higher value.'),
  ]);
  const wrong = await cli.call(['resume', 'latest', '--raise', 'dollars=1']);
  expect(wrong.stderr).toContain('--raise dollars=1 is not a limit. Write usd=LIMIT, tokens=LIMIT, seconds=LIMIT.');
  const both = await cli.call(['resume', 'latest', '--raise', 'tokens=90', '--step']);
  expect(both.code).toBe(2);
  const listed = await cli.call(['runs', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject({ status: 'suspended', waitStatus: 'PAUSED' });
  const raised = await cli.call(['resume', 'latest', '--raise', 'tokens=90', '--by', 'Kim']);
  expect([raised.code, raised.stdout]).toEqual([0, expect.stringContaining('two')]);
});

test('13.14 an empty or unknown budget is reported with its position', async () => {
  const headers = ['{ budget: {} }', '{ budget: { dollars: 1 } }', '{ budget: { usd: 0 } }'];
  for (const [at, policy] of headers.entries())
    cli.write(`${at}.flow.yaml`, `flow: { name: f, policy: ${policy} }\nnodes: []\nedges: []\n`);
  const { stdout, stderr } = await cli.call(['validate', '0.flow.yaml', '1.flow.yaml', '2.flow.yaml']);
  expect(stdout + stderr).toContain(
    '0.flow.yaml:1:36 error flow.bad-value "budget" needs at least one of usd, tokens and seconds.\n',
  );
  expect(stdout + stderr).toContain('1:38 error flow.unknown-key Unknown key "dollars".');
  expect(stdout + stderr).toContain('2.flow.yaml:1:43 error flow.bad-value "usd" must be more than 0.\n');
});
