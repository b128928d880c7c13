import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

/** An escape character, and one that changes the text direction. */
const steering = ['\u001b', '\u202e'];

const asking = `
flow: { name: "Ask\\e[2J now" }
nodes:
  - id: gate
    type: human_approval
    config: { deadlineMs: 1800000, onDeadline: reject }
    input: { title: "Send \\e[31mit\\e[0m\\u202e?\\nAnd more" }
  - { id: each, type: control.foreach, input: { items: ["a", "b"], as: one, body: [who] } }
  - { id: who, type: user_input, input: { title: "Who gets {{one}}?", schema: { type: object, properties: { name: { type: string } } } } }
edges: []
`;

test('12.6 lists open requests, urgent first, with the commands that answer them, and nothing that controls a terminal or a shell', async () => {
  cli.write('ask.flow.yaml', asking);
  expect((await cli.call(['run', 'ask.flow.yaml'])).code).toBe(3);
  const { code, stdout } = await cli.call(['inbox']);
  expect(code).toBe(0);
  for (const sign of steering) expect(stdout).not.toContain(sign);
  expect(stdout.split('\n')).toEqual([
    '#1 Ask now  gate  Send it? And more',
    expect.stringMatching(/^ {4}for 1 min, due in (?:29|30) min, then it is rejected$/),
    '    millrace resume 1 --node gate --approve (or --reject)',
    '#1 Ask now  each[0].who  Who gets a?',
    '    for 1 min',
    "    millrace resume 1 --node 'each[0].who' --answer FILE",
    '#1 Ask now  each[1].who  Who gets b?',
    '    for 1 min',
    "    millrace resume 1 --node 'each[1].who' --answer FILE",
    '',
  ]);
  const lines = (await cli.call(['inbox', '--json'])).stdout;
  for (const sign of steering) expect(lines).not.toContain(sign);
  expect(
    lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    expect.objectContaining({
      name: 'gate',
      deadlineAt: expect.any(Number),
      onDeadline: 'reject',
      askedAt: expect.any(Number),
    }),
    expect.objectContaining({ name: 'each[0].who', request: expect.objectContaining({ kind: 'input' }) }),
    expect.objectContaining({ name: 'each[1].who' }),
  ]);
  expect((await cli.call(['resume', '1', '--node', 'gate', '--reject'])).code).not.toBe(2);
  expect((await cli.call(['inbox'])).stdout).not.toContain('gate');
});
