import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();
const examples = path.resolve(import.meta.dirname, '../../resources/workspace');
const desk = 'support-desk/support.dialogue.yaml';

function copyExample(): void {
  for (const part of ['support-desk', 'tools'])
    cpSync(path.join(examples, part), path.join(cli.folder, part), { recursive: true });
}

test('chat replays the support desk as its script expects: orders, a refund with its approval, a skill, a plan', async () => {
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

test('chat ends with 1 at the first turn that comes to something else, and says what', async () => {
  copyExample();
  cli.write('wrong.yaml', 'turns:\n  - { user: hello, expect: { flow: refund } }\n  - { user: hello }\n');
  const { code, stderr } = await cli.call(['chat', desk, '--script', 'wrong.yaml', '--workspace', '.']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('turn 1: flow: expected "refund", found "small_talk"')]);
  cli.write('bad.yaml', 'turns:\n  - { user: hello, ui: {} }\n  - { usr: hello }\n');
  const bad = await cli.call(['chat', desk, '--script', 'bad.yaml', '--workspace', '.']);
  expect(bad.code).toBe(2);
  expect(bad.stderr).toContain('bad.yaml:2:5');
});

test('chat --json prints each event of the conversation, and --session goes on with it', async () => {
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
  const unknown = await cli.call(['chat', desk, '--session', 'nobody', '--script', 'two.yaml', '--workspace', '.']);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('There is no conversation nobody')]);
  const broken = await cli.call(['chat', 'one.yaml', '--workspace', '.']);
  expect(broken.code).toBe(2);
});
