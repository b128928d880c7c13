import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();
const examples = path.resolve(import.meta.dirname, '../../resources/workspace');
const desk = 'support-desk/support.dialogue.yaml';

function copyExample(): void {
  for (const part of ['support-desk', 'tools'])
    cpSync(path.join(examples, part), path.join(cli.folder, part), { recursive: true });
}

test('chat replays the support desk script: orders, a refund with its approval, a skill, a plan', async () => {
  copyExample();
  const { code, stdout, stderr } = await cli.call([
    'chat',
    desk,
    '--script',
    'support-desk/support.chat.yaml',
    '--workspace',
    '.',
  ]);
  expect(stderr).toContain('10 turns, all as expected.');
  expect(code).toBe(0);
  expect(stdout).toContain('30 are on their way for AB-12.');
});

test('chat exits with 1 at the first turn that does not meet its expectations, and prints the difference', async () => {
  copyExample();
  cli.write('wrong.yaml', 'turns:\n  - { user: hello, expect: { flow: refund } }\n  - { user: hello }\n');
  const { code, stderr } = await cli.call(['chat', desk, '--script', 'wrong.yaml', '--workspace', '.']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('turn 1: flow: expected "refund", found "small_talk"')]);
  cli.write('bad.yaml', 'turns:\n  - { user: hello, ui: {} }\n  - { usr: hello }\n');
  const bad = await cli.call(['chat', desk, '--script', 'bad.yaml', '--workspace', '.']);
  expect(bad.code).toBe(2);
  expect(bad.stderr).toContain('bad.yaml:2:5');
});

test('chat --json prints each event of the conversation, and --session continues it', async () => {
  copyExample();
  cli.write('one.yaml', 'turns:\n  - { user: refund AB-12 }\n');
  const first = await cli.call(['--json', 'chat', desk, '--script', 'one.yaml', '--workspace', '.']);
  const events = first.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ event }) => event.type)).toContain('ambiguity:declared');
  const [{ sessionId }] = events;
  cli.write(
    'two.yaml',
    'turns:\n  - { ui: { flow: refund, slots: { amount: 5 } }, expect: { stack: [refund], reply: "Pay 5 back" } }\n',
  );
  const more = await cli.call(['chat', desk, '--session', sessionId, '--script', 'two.yaml', '--workspace', '.']);
  expect([more.code, more.stderr]).toEqual([0, expect.stringContaining('all as expected')]);
  const other = `${desk.slice(0, -'support.dialogue.yaml'.length)}other.dialogue.yaml`;
  const again = ['chat', other, '--session', sessionId, '--script', 'three.yaml', '--workspace', '.'];
  cli.write('three.yaml', 'turns:\n  - { user: hello }\n');
  cpSync(path.join(cli.folder, desk), path.join(cli.folder, other));
  const elsewhere = await cli.call(again);
  expect([elsewhere.code, elsewhere.stderr]).toEqual([
    2,
    expect.stringContaining(`belongs to ${desk}, which still exists`),
  ]);
  rmSync(path.join(cli.folder, desk));
  const moved = await cli.call(again);
  expect([moved.code, moved.stderr]).toEqual([
    0,
    expect.stringContaining(`started with ${desk}, which no longer exists`),
  ]);
  const unknown = await cli.call(['chat', other, '--session', 'nobody', '--script', 'two.yaml', '--workspace', '.']);
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('Conversation nobody is not in this history.'),
  ]);
  const broken = await cli.call(['chat', 'one.yaml', '--workspace', '.']);
  expect(broken.code).toBe(2);
});

describe('in a terminal', () => {
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  afterEach(() => Object.defineProperty(process, 'stdin', stdin));

  function type(...lines: readonly string[]): void {
    const input = Readable.from(lines.map((line) => `${line}\n`));
    Object.defineProperty(process, 'stdin', { configurable: true, get: () => input });
  }

  test('lines are messages, and those that start with a slash are commands', async () => {
    copyExample();
    type('refund AB-12', '30', '/reject', '/quit', 'hello');
    const { code, stdout, stderr } = await cli.call(['chat', desk, '--workspace', '.']);
    expect(code).toBe(0);
    expect(stdout).toContain('waits for an approval: Pay 30 back for AB-12');
    expect(stderr).toContain('[refund:Active]');
    expect(stderr).toContain('[no active flows]');
    expect(stdout).not.toContain('Hello');
  });

  test('X-10 a command starts a plan proposed by a run, once the run has completed', async () => {
    copyExample();
    cli.write(
      'propose.flow.yaml',
      `flow: { name: Propose }
nodes:
  - id: plan
    type: plan_proposal
    input:
      plan: { summary: Close, steps: [{ step_id: report, description: R., step_type: agent }, { step_id: reconcile, description: C., step_type: agent }], estimated_cost: { amount: 0 } }
  - { id: agree, type: human_approval, input: { title: Do all this? } }
edges: [{ from: plan, to: agree }]
`,
    );
    expect((await cli.call(['run', 'propose.flow.yaml'])).code).toBe(3);
    type('/plan 1 plan', '/plan 9 plan', '/quit');
    const early = await cli.call(['chat', desk, '--workspace', '.']);
    expect(early.stderr).toContain('A plan can start only after its run has completed');
    expect(early.stderr).toContain("Run #9 is not in this workspace's history");
    expect((await cli.call(['resume', '1', '--approve'])).code).toBe(0);
    type('/plan 1 plan', '/quit');
    const { stdout } = await cli.call(['chat', desk, '--workspace', '.']);
    expect(stdout.indexOf('The report is written')).toBeLessThan(stdout.indexOf('Orders and payments agree'));
    expect(stdout).toContain('The report is written');
  });
});
