/**
 * Tests deciding files that a policy allows runs to write: later runs do not load them until a person has reviewed the
 * changes.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import { parsePolicy } from '../../runtime/governance/parse-policy.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { type AgentWorkspace, createAgentWorkspace } from './test-agent-workspace.ts';
import { expectRefused, move, refusedNodes, save } from './test-deciding-files.ts';

let at: AgentWorkspace;
let engine: Engine;
beforeEach(async () => {
  at = createAgentWorkspace();
  at.write(
    'base/policy.yaml',
    'may_write: ["millrace.policy.yaml", "tools/*.tool.yaml", "products/shop/**", "desk/**"]\n',
  );
  engine = await at.open({ isTrusted: true });
});
afterEach(() => at.close());

const write = (path: string, text: string): object => ({ type: 'file.write', input: { path, text } });
const list = { type: 'tool', input: { glob: '*' }, config: { tool: 'core.file_list' } };

/** Runs nodes one after the other, and returns all events. */
async function run(nodes: readonly object[], path = 'f.flow.yaml'): Promise<readonly RunEvent[]> {
  const named = nodes.map((node, index) => ({ id: `n${index}`, ...node }));
  const edges = named.slice(1).map(({ id }, index) => ({ from: `n${index}`, to: id }));
  const text = JSON.stringify({ flow: { name: 'F' }, nodes: named, edges });
  const { runId } = await engine.startRun({ path, text, inputs: {} });
  await engine.whenEnded(runId);
  return (await engine.readEvents(runId, -1, 5000)).map(({ event }) => event);
}

const statusOf = (events: readonly RunEvent[]): unknown => (events.at(-1) as { status?: unknown }).status;
const unseen = (path: string) => ({ code: 'files.unseen', details: { path } });

describe('13.1 may_write', () => {
  test('allows runs to write what it names, and nothing else', async () => {
    at.write('workspace/tools/a.tool.yaml', '# kept\n');
    const paths = [
      'tools/new.tool.yaml',
      'products/shop/agents/a.aip',
      'tools/../millrace.policy.yaml',
      '.mcp.json',
      'products/depot/policy.yaml',
    ];
    const rules = await refusedNodes(
      at,
      paths.map((path) => write(path, '# x')),
      { isTrusted: true },
    );
    expect(rules).toEqual({ '.mcp.json': 'deciding-file', 'products/depot/policy.yaml': 'deciding-file' });
  });

  test('does not allow moving or deleting a folder with deciding files', async () => {
    at.write('workspace/products/shop/agents/a.aip', '# Instruction\n');
    at.write('workspace/x/a.tool.yaml', 'x');
    await expectRefused(at, [move('products/shop', 'taken'), move('x', 'tools'), 'aip.file.delete("products")']);
  });

  test('applies to the base folder only with an absolute path', async () => {
    at.write('base/policy.yaml', 'may_write: ["**"]\n');
    await expectRefused(at, [save(at.at('base/policy.yaml')), save(at.at('base/pack/custom/a/b/main.aip'))], {
      isTrusted: true,
    });
  });

  test.each([
    ['a workspace', 'millrace.policy.yaml'],
    ['a product', 'products/shop/policy.yaml'],
  ])('is an error in the policy of %s, which then blocks everything', async (_, file) => {
    at.write(`workspace/${file}`, 'max_steps: 9\nmay_write: ["**"]\n');
    const events = await run([write('out.md', 'x')], 'products/shop/flows/f.flow.yaml');
    expect(events).toMatchObject([{ type: 'run:refused', code: 'policy.invalid', details: { place: `${file}:2` } }]);
  });

  test('is reported at its line, also under a product', () => {
    const text = 'by_product:\n  shop:\n    may_write: [a]\n';
    expect(parsePolicy(text, 'workspace').problems).toMatchObject([
      { line: 3, message: expect.stringContaining('may_write') },
    ]);
    expect(parsePolicy(text).problems).toEqual([]);
    expect(parsePolicy(text, 'team').problems).toEqual([]);
  });
});

describe('13.1 files written by a run', () => {
  test('do not change that run, and block later runs until a person has reviewed them', async () => {
    at.write('workspace/millrace.policy.yaml', 'blocked_tools: [core.file_read]\n');
    const policy = 'blocked_tools: [core.file_list]\n';
    // The run continues with the policy it started with.
    expect(
      statusOf(
        await run([
          write('millrace.policy.yaml', policy),
          { type: 'control.wait', input: {}, config: { seconds: 0.15 } },
          list,
        ]),
      ),
    ).toBe('completed');
    await expect(run([list])).rejects.toMatchObject(unseen('millrace.policy.yaml'));
    expect(await engine.listWritten()).toEqual([
      {
        path: 'millrace.policy.yaml',
        decides: "the workspace's policy",
        before: 'blocked_tools: [core.file_read]\n',
        text: policy,
        changes: ['-blocked_tools: [core.file_read]', '+blocked_tools: [core.file_list]'],
      },
    ]);
    expect(await engine.acceptWritten({ path: 'millrace.policy.yaml', text: 'something else' })).toBe(false);
    expect(await engine.acceptWritten({ path: 'millrace.policy.yaml', text: policy })).toBe(true);
    expect(await run([list])).toMatchObject([{ type: 'run:refused', code: 'policy_blocked' }]);
  });

  test('are remembered by engines opened later, and take effect when a person changes them', async () => {
    await run([write('tools/a.tool.yaml', '# x\n')]);
    await engine.close();
    engine = await at.open({ isTrusted: true });
    await expect(run([list])).rejects.toMatchObject(unseen('tools/a.tool.yaml'));
    await expect(engine.startAgent({ agent: 'a.aip' })).rejects.toMatchObject(unseen('tools/a.tool.yaml'));
    at.write('workspace/tools/a.tool.yaml', '# mine\n');
    expect(statusOf(await run([list]))).toBe('completed');
    expect(await engine.listWritten()).toEqual([]);
  });

  test('keep the version that a person last saw if they are written again', async () => {
    at.write('workspace/tools/a.tool.yaml', '# first\n');
    await run([write('tools/a.tool.yaml', '# second\n'), write('tools/a.tool.yaml', '# third\n')]);
    expect(await engine.listWritten()).toMatchObject([{ before: '# first\n', text: '# third\n' }]);
  });

  test('need no review if they are restored to the version that a person saw', async () => {
    at.write('workspace/tools/a.tool.yaml', '# first\n');
    await run([write('tools/a.tool.yaml', '# second\n'), write('tools/a.tool.yaml', '# first\n')]);
    expect(await engine.listWritten()).toEqual([]);
  });

  test('of a product block only the runs of that product', async () => {
    await run([write('products/shop/policy.yaml', 'max_steps: 9\n')]);
    await expect(run([list], 'products/shop/flows/f.flow.yaml')).rejects.toMatchObject(
      unseen('products/shop/policy.yaml'),
    );
    expect(statusOf(await run([list]))).toBe('completed');
  });

  test('also block a redo, a rerun and a conversation', async () => {
    const { runId } = await engine.startRun({
      path: 'f.flow.yaml',
      text: JSON.stringify({ flow: { name: 'F' }, nodes: [{ id: 'a', ...list }], edges: [] }),
      inputs: {},
    });
    await engine.whenEnded(runId);
    at.write(
      'workspace/f.flow.yaml',
      JSON.stringify({ flow: { name: 'F' }, nodes: [{ id: 'a', ...list }], edges: [] }),
    );
    await run([write('tools/a.tool.yaml', '# x\n')]);
    await expect(engine.redo({ runId })).rejects.toMatchObject(unseen('tools/a.tool.yaml'));
    await expect(engine.rerunFrom({ runId, nodeId: 'a' })).rejects.toMatchObject(unseen('tools/a.tool.yaml'));
  });

  test('do not change the tool that the run started with', async () => {
    const tool = (word: string): string =>
      `tool_id: hello\ndescription: Says a word.\nparams_schema: { type: object }\nrisk: low\nrun: { js: 'return { word: "${word}" }' }\n`;
    at.write('workspace/tools/hello.tool.yaml', tool('first'));
    const call = { type: 'tool', input: {}, config: { tool: 'hello' } };
    const events = await run([write('tools/hello.tool.yaml', tool('second')), call]);
    expect(statusOf(events)).toBe('completed');
    const done = events.find((event) => event.type === 'task:complete' && event.nodeId === 'n1');
    expect(JSON.stringify(done)).toContain('first');
  });
});

test('13.1 conversations do not read their files if a run has written them', async () => {
  const catalogue =
    'version: 1\nname: Desk\nnlu: { script: nlu.yaml }\nintents:\n  Read: {}\nflows:\n  - { name: help, intent: Read, description: Helps., policy: { builtin: chat } }\n';
  at.write('workspace/desk/a.dialogue.yaml', catalogue);
  at.write('workspace/desk/nlu.yaml', '- { match: "help", flow: help }\n');
  await run([write('desk/nlu.yaml', '- { match: ".*", flow: help }\n')]);
  expect(await engine.listWritten()).toMatchObject([{ path: 'desk/nlu.yaml' }]);
  // Other runs do not load the file.
  expect(statusOf(await run([list]))).toBe('completed');
  await expect(engine.startConversation({ path: 'desk/a.dialogue.yaml' })).rejects.toMatchObject(
    unseen('desk/nlu.yaml'),
  );
});

test('13.1 files that runs may not write are not recorded, and the record is stored where no run can write', async () => {
  await expectRefused(at, ['.mcp.json', 'packs.lock'].map(save));
  expect(existsSync(at.at('base/millrace/written'))).toBe(false);
  await run([write('tools/a.tool.yaml', '# x\n')]);
  const [record = ''] = readdirSync(at.at('base/millrace/written'));
  const before = readFileSync(at.at(`base/millrace/written/${record}`), 'utf8');
  at.write('workspace/main.aip', '');
  const nodes = [write(at.at(`base/millrace/written/${record}`), '{}'), write('../base/millrace/written/x.json', '{}')];
  for (const node of nodes) await refusedNodes(at, [node], { isTrusted: true }).catch(() => undefined);
  expect(readFileSync(at.at(`base/millrace/written/${record}`), 'utf8')).toBe(before);
});
