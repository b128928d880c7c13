import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

/** A flow with a loop over mails, a node that fails on one of them, and a branch. */
function write({ rule, fails = false, last = 'report' }: { rule: string; fails?: boolean; last?: string }): void {
  cli.write(
    'mails.flow.yaml',
    `flow: { name: Mails, input: { mails: [one, two, three] } }
nodes:
  - { id: rules, type: echo, input: { text: ${JSON.stringify(rule)} } }
  - { id: same, type: echo, input: { text: always } }
  - id: each
    type: control.foreach
    input: { items: "{{flow.input.mails}}", as: mail, body: [draft, check] }
  - { id: draft, type: echo, input: { text: "{{mail}} {{rules.text}}" } }
  - id: check
    type: ${fails ? 'control.fail' : 'echo'}
    input: { ${fails ? 'message' : 'text'}: "{{mail}}" }
  - { id: ${last}, type: echo, input: { text: "{{each}}" } }
edges:
  - { from: rules, to: each }
  - { from: draft, to: check }
  - { from: each, to: ${last} }
`,
  );
}

async function runMails(...args: readonly string[]): Promise<void> {
  await cli.call(['run', 'mails.flow.yaml', ...args]);
}

async function compare(...args: readonly string[]) {
  const { code, stdout, stderr } = await cli.call(['runs', 'compare', ...args]);
  return { code, stdout, stderr };
}

test('lists the nodes that differ, with the states of both runs, and why', async () => {
  write({ rule: 'old' });
  await runMails();
  write({ rule: 'new' });
  await runMails('--input', 'mails=["one","two"]');
  const { code, stdout } = await compare('1', '2');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^A {2}run #1 {2}completed · .*\nB {2}run #2 {2}completed · /);
  expect(stdout).toContain('4 of 6 nodes differ');
  expect(stdout).toMatch(/rules: output differs\n {2}A {2}completed.*\n {2}B.*\n {2}definition: text "old" → "new"\n/);
  // A loop is not listed if its body differs.
  expect(stdout).not.toContain('\neach:');
  expect(stdout).toMatch(/draft: output differs · in 3 of 3 items\n {2}A {2}completed · 3 of 3 completed/);
  expect(stdout).toContain('input: rules.text "old" → "new" (each[0].draft)');
  expect(stdout).toContain('check: other items ran · in 1 of 3 items');
});

test('prints the same as JSON, with nodes of only one version and edges taken in one run', async () => {
  write({ rule: 'a' });
  await runMails();
  write({ rule: 'a', fails: true, last: 'summary' });
  await runMails();
  const { stdout } = await compare('1', 'latest', '--json');
  const { a, b, runs, nodes, edges, differing, explained } = JSON.parse(stdout);
  expect([a.number, b.number, runs.a.status, runs.b.status]).toEqual([1, 2, 'completed', 'failed']);
  const at = (id: string) => nodes.find((node: { id: string }) => node.id === id);
  expect(differing).toEqual(['draft', 'check', 'summary', 'report']);
  expect(at('same')).toMatchObject({ difference: 'same', onlyIn: null, a: { status: 'completed', ran: 1 } });
  expect(at('summary')).toMatchObject({ onlyIn: 'b', a: null });
  expect(at('report')).toMatchObject({ onlyIn: 'a', difference: 'only-a', b: null });
  expect(at('check')).toMatchObject({ difference: 'state', isInLoop: true, b: { status: 'failed', completed: 0 } });
  expect(at('check').places[0]).toEqual({ place: 'each[0].check', difference: 'state' });
  expect(edges).toContainEqual({ id: 'each->report', onlyIn: 'a' });
  expect(explained[1].causes[0]).toMatchObject({ kind: 'definition' });
  expect(explained[1].causes[0].values).toContainEqual({ path: 'type', a: 'echo', b: 'control.fail' });
});

test('says that nothing differs, and refuses runs that cannot be compared', async () => {
  write({ rule: 'a' });
  await runMails();
  await runMails();
  expect((await compare('1', '2')).stdout).toContain('No node differs');
  cli.write('other.flow.yaml', 'flow: { name: O }\nnodes: [{ id: x, type: echo, input: { text: x } }]\nedges: []');
  await cli.call(['run', 'other.flow.yaml']);
  const other = await compare('1', '3');
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toContain('Only runs of the same flow can be compared. Run 1 is of mails.flow.yaml');
  expect((await compare('1', '77')).stderr).toContain('#77');
});
