/**
 * Tests a product flow with a program that is killed with -9: during an agent call, while it waits for a person, and in
 * a tool.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import type { RunEvent } from '../isomorphic.ts';
import { eventsOf, setUpBuiltCli } from '../testing/cli-fixture.ts';

const cli = setUpBuiltCli();

const product = {
  'flows/refund.yaml': `id: refund
autonomy_level: semi_auto
steps:
  - { id: draft, type: agent, agent: desk.writer, params: { order: "{{payload.order}}" } }
  - { id: agree, type: human_approval, message: "Pay it?" }
  - { id: pay, type: tool, tool: desk.pay, params: { order: "{{payload.order}}" } }
  - { id: tell, type: agent, agent: desk.teller, params: { letter: "{{artifacts.step.draft.output.value}}" } }
`,
  // After its model has responded, it keeps running long enough to be killed.
  'agents/writer.aip': `# Options
\`\`\`toml
contract = "pure"
model = "scripted::replies.yaml"
\`\`\`
# User
Write about {{input.params.order}}
# Output
\`\`\`lua
local began = os.clock()
while os.clock() - began < 0.5 do end
return ai_response.content
\`\`\`
`,
  'agents/teller.aip':
    '# Options\n```toml\ncontract = "pure"\n```\n# Output\n```lua\nreturn { sent = input.params.letter }\n```\n',
  // Does its work and then waits until the test lets it end.
  'tools/pay.tool.yaml': `tool_id: pay
description: Pays an order back.
risk: low
input_schema: { type: object, properties: { order: { type: string } }, required: [order] }
run:
  lua: |
    aip.file.append("paid.txt", input.order .. "\\n")
    while not aip.path.exists("go.txt") do end
    return { paid = input.order }
`,
};

function logOf(stdout: string): readonly RunEvent[] {
  return eventsOf(stdout).map(({ event }) => event);
}

/** Starts the program and kills it as soon as the condition holds. */
async function killed(args: readonly string[], printed: string, when = () => true): Promise<void> {
  const started = cli.start([...args, '--json', '--trust']);
  await started.whenPrinted(printed);
  await vi.waitFor(() => expect(when()).toBe(true), 20_000);
  started.child.kill('SIGKILL');
  await started.result;
}

const paid = (): string => readFileSync(path.join(cli.folder, 'paid.txt'), 'utf8');

/** The shell creates the file before the tool writes to it. */
const hasPaid = (): boolean => existsSync(path.join(cli.folder, 'paid.txt')) && paid() !== '';

test('MF-142 MF-063 killed in an agent, in a pause and in a tool, a product run resumes from its last step each time', async () => {
  for (const [name, text] of Object.entries(product)) cli.write(`products/desk/${name}`, text);
  cli.write('replies.yaml', 'replies:\n  - match: "about A-17"\n    reply: Dear customer\n');
  cli.write('.millrace/keep', '');
  await killed(['run', 'desk/refund', '--input', 'order=A-17'], '"model:response"');
  const [found] = (await cli.call(['runs', 'list', '--json'])).stdout.trim().split('\n');
  const { runId, status } = JSON.parse(found ?? '') as { readonly runId: string; readonly status: string };
  expect(status).toBe('interrupted');

  await killed(['resume', runId], '"approval:requested"');
  const waiting = await cli.call(['inbox', '--json']);
  expect(JSON.parse(waiting.stdout)).toMatchObject({ runId, name: 'agree' });

  await killed(['resume', runId, '--approve'], '"tool:attempt"', hasPaid);
  const asked = await cli.call(['resume', runId, '--json', '--trust']);
  expect({ code: asked.code, last: logOf(asked.stdout).at(-1) }).toEqual({
    code: 3,
    last: { type: 'run:suspended', reason: 'approval', nodeId: 'pay' },
  });
  expect(asked.stdout).toContain('Call desk.pay again?');
  expect(paid()).toBe('A-17\n');

  cli.write('go.txt', '');
  const ended = await cli.call(['resume', runId, '--approve', '--json', '--trust']);
  expect(ended.code).toBe(0);
  expect(logOf(ended.stdout).at(-1)).toMatchObject({ status: 'completed', output: { sent: 'Dear customer' } });
  // A person has approved the repetition.
  expect(paid()).toBe('A-17\nA-17\n');

  const log = logOf((await cli.call(['runs', 'events', runId])).stdout);
  const countOf = (type: RunEvent['type']): number => log.filter((event) => event.type === type).length;
  expect([countOf('model:request'), countOf('approval:resolved'), countOf('agent:complete')]).toEqual([1, 2, 2]);
  const done = log.flatMap((event) => (event.type === 'task:complete' && event.nodeId ? [event.nodeId] : []));
  expect(done.filter((id) => id.indexOf(':') === -1)).toEqual(['draft', 'agree', 'pay', 'tell']);
});
