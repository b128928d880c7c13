/** Tests agents with models that call tools. */
import { expect, test, vi } from 'vitest';
import type { JsonMap } from '../../language/json/json-value.ts';
import { createAnswerDesk } from '../../testing/answer-desk.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createFakeScripts } from '../../testing/fake-scripts.ts';
import { runAgentText, scriptSection, startAgentText } from '../../testing/run-agent-file.ts';
import { calls, eventsOf, external, says, tool, toolsIn } from '../../testing/tool-prompts.ts';

const optionsOf = (toml: string): string => `# Options\n\`\`\`toml\n${toml}\n\`\`\`\n`;

test('the model of an input receives the tools of the options and a maximum number of steps', async () => {
  let next = 0;
  const { capabilities, asked } = createFakeCapabilities({
    files: { 'a.txt': 'What it says' },
    reply: () => (next++ % 2 === 0 ? calls(['core__file_read', { path: 'a.txt' }]) : says('It says so.')),
  });
  const text = `${optionsOf('tools = ["core.file_read"]\nmax_steps = 2')}# User\nRead {{input}}\n`;
  const { result, events } = await runAgentText(text, { inputs: ['a', 'b'], capabilities });
  expect(result.outputs).toEqual(['It says so.', 'It says so.']);
  expect(toolsIn(asked[1])).toEqual([['core__file_read', expect.stringContaining('What it says'), false]]);
  expect(eventsOf(events, 'tool:result')).toHaveLength(2);
  next = 0;
  const short = text.replace('max_steps = 2', 'max_steps = 1');
  const failed = await runAgentText(short, { inputs: ['a'], capabilities });
  expect(failed.result.error).toMatchObject({ code: 'model.too-many-steps', stage: 'Ai' });
});

test('an agent of a pack may use read-only tools and tools from the same pack', async () => {
  const own = tool('mine.act', async () => 'done', { ...external, pack: 'acme@mine' });
  const other = tool('act', async () => 'done', external);
  // An MCP server of the same name, another publisher's pack of the same name, and a tool that imitates a core tool.
  const posing = [
    tool('mine.server', async () => 'done', { ...external, kind: 'mcp' }),
    tool('mine.theirs', async () => 'done', { ...external, pack: 'other@mine' }),
    tool('core.mine', async () => 'done', { pack: 'other@core' }),
  ];
  const { capabilities } = createFakeCapabilities({ tools: [own, other, ...posing], reply: () => says('Done') });
  const pack = {
    ...{ namespace: 'acme', name: 'mine', folder: '/packs/mine', subPath: '' },
    ...{ baseSupportFolder: '/s', workspaceSupportFolder: '/w' },
  };
  const place = { name: 'acme@mine', file: '/packs/mine/main.aip', shownPath: 'acme@mine', pack };
  const endWith = async (name: string) => {
    const text = `${optionsOf(`tools = ["${name}"]`)}# User\nDo\n`;
    const { result } = await runAgentText(text, { inputs: ['a'], capabilities, place });
    return result.error?.code ?? result.outputs;
  };
  expect(await endWith('core.file_read')).toEqual(['Done']);
  expect(await endWith('mine.act')).toEqual(['Done']);
  for (const { description } of posing) expect(await endWith(description.name)).toBe('tool.not-for-packs');
  expect(await endWith('act')).toBe('tool.not-for-packs');
  expect(await endWith('core.file_write')).toBe('tool.not-for-packs');
});

test.each([
  [{ approved: true, params: { to: 'bob' } }, [{ to: 'bob' }], /changed the arguments.*\nsent$/s],
  [{ approved: false, comment: 'No' }, [], /did not allow send .*: No$/],
] as const)(
  'an input with a tool that asks waits, and continues with %j: nothing is repeated or paid twice',
  async (payload, sent, words) => {
    const delivered: JsonMap[] = [];
    const send = tool(
      'send',
      async (params) => {
        delivered.push(params);
        return 'sent';
      },
      { ...external, requiresApproval: true },
    );
    const { capabilities, asked } = createFakeCapabilities({
      tools: [send],
      reply: ({ messages }) => (messages.length === 1 ? calls(['send', { to: 'ann' }]) : says('Done')),
    });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const scripts = createFakeScripts({
      Data: async ({ globals }) => {
        if (globals['input'] === 'a') return null;
        await held;
        return { _aipack_: { kind: 'Skip', data: { reason: 'held' } } };
      },
    });
    const desk = createAnswerDesk();
    const text = `${optionsOf('tools = ["send"]')}${scriptSection('Data', 'Data')}# User\nWrite {{input}}\n`;
    const options = { inputs: ['a', 'b'], scripts, capabilities, answers: desk, baseOptions: { input_concurrency: 1 } };
    const run = startAgentText(text, options);
    const request = await vi.waitFor(() => {
      const event = run.events.find((one) => one.event.type === 'approval:requested')?.event;
      if (event?.type !== 'approval:requested') throw new Error('Nothing was asked');
      return event;
    });
    expect(request).toMatchObject({ nodeId: 'input:0', request: { params: { to: 'ann' } } });
    desk.give({ name: 'input:0', key: request.key, payload }, run.events);
    release();
    const { result, events } = await run.done;
    expect(result.outputs?.[0]).toBe('Done');
    expect(delivered).toEqual(sent);
    expect(asked).toHaveLength(2);
    expect(scripts.ran.map(({ globals }) => globals['input'])).toEqual(['a', 'b']);
    expect(toolsIn(asked[1])).toEqual([['send', expect.stringMatching(words), payload.approved === false]]);
    expect(eventsOf(events, 'agent:tool:start')).toHaveLength(1);
  },
);
