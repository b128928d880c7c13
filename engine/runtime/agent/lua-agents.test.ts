import { describe, expect, test } from 'vitest';
import type { JsonMap } from '../../language/json/json-value.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createLuaScripts } from '../../testing/lua-scripts.ts';
import { type AgentRunOptions, runAgentText, scriptSection, startAgentText } from '../../testing/run-agent-file.ts';

const scripts = createLuaScripts();

function textOf(sections: Readonly<Record<string, string>>): string {
  return Object.entries(sections)
    .map(([heading, code]) => scriptSection(heading, code))
    .join('');
}

/** Runs scripts in real Lua. Keys are headings. */
function runLua(sections: Readonly<Record<string, string>>, options: AgentRunOptions = {}) {
  return runAgentText(textOf(sections), { scripts, ...options });
}

const sample = `# Description
Free text, never executed.

# Options
\`\`\`toml
model = "mini-low"
input_concurrency = 3
\`\`\`

# Before All
\`\`\`lua
if is_null(inputs) then return aip.flow.skip("nothing to do") end
return aip.flow.before_all_response({ before_all = { lang = "fr" } })
\`\`\`

# Data
\`\`\`lua
return { text = "content of " .. input.path }
\`\`\`

# System \`cache = true\`
Translate to {{before_all.lang}}.

# Instruction
{{data.text}}

# Output
\`\`\`lua
return { name = input.name, text = ai_response.content, model = options.resolved_model }
\`\`\`

# After All
\`\`\`lua
return #outputs
\`\`\`
`;

describe('a complete agent file', () => {
  test('runs from its first stage to its last', async () => {
    const { capabilities, asked } = createFakeCapabilities();
    const inputs = ['a', 'b'].map((name) => ({ _type: 'FileInfo', path: `in/${name}.md`, name: `${name}.md` }));
    const baseOptions = { model_aliases: { mini: 'fake::m' } };
    const { result } = await runAgentText(sample, { scripts, capabilities, inputs, baseOptions });
    const model = 'fake::m-low';
    expect(result).toMatchObject({
      status: 'completed',
      outputs: [
        { name: 'a.md', text: 'content of in/a.md\n\n', model },
        { name: 'b.md', text: 'content of in/b.md\n\n', model },
      ],
      afterAll: 2,
    });
    expect(asked[0]).toMatchObject({ model, cacheKey: 'session-1' });
    expect(asked[0]?.messages[0]).toMatchObject({ role: 'system', content: 'Translate to fr.\n\n', cache: true });
  });

  test('skips itself without inputs', async () => {
    const { result } = await runAgentText(sample, { scripts });
    expect(result).toMatchObject({ status: 'skipped', skipReason: 'nothing to do' });
  });
});

describe('values passed between stages', () => {
  test('AP-17 null in a list is preserved between stages, and ipairs skips it', async () => {
    const { result } = await runLua({
      'Before All': 'return { 1, null, 3 }',
      Data: 'local n = 0\nfor _ in ipairs(before_all) do n = n + 1 end\nreturn { list = before_all, n = n }',
      Output: 'return { list = data.list, n = data.n, is_null = is_null(data.list[2]) }',
      'After All': 'return outputs',
    });
    expect(result.afterAll).toEqual([{ list: [1, null, 3], n: 3, is_null: true }]);
  });

  test('AP-17 a nil at the end of a list is dropped', async () => {
    const { result } = await runLua({ Data: 'return { 1, 2, nil }', Output: 'return data' });
    expect(result.outputs).toEqual([[1, 2]]);
  });

  test('AP-3 a missing input is nil, and null in outputs', async () => {
    const { result } = await runLua(
      {
        'Before All': 'return aip.flow.before_all_response({ inputs = {} })',
        Data: 'if input == nil then return aip.flow.skip() end',
        'After All': 'return { #outputs, outputs[1] == null, outputs[1] == nil }',
      },
      { inputs: ['a'] },
    );
    expect(result.afterAll).toEqual([1, true, false]);
  });

  test('preserves whole numbers and fractions', async () => {
    const { result } = await runLua({
      Data: 'return { 1, 1.5 }',
      Output: 'return math.type(data[1]) .. math.type(data[2])',
    });
    expect(result.outputs).toEqual(['integerfloat']);
  });

  test('AP-1 ai_response is nil if no model was called', async () => {
    const { result } = await runLua({ Data: 'return "x"', Output: 'return ai_response == nil' });
    expect(result.outputs).toEqual([true]);
  });
});

describe('errors of scripts', () => {
  test('contain the line of the file and the stage', async () => {
    const { result } = await runAgentText(`# Note\nText\n\n${scriptSection('Data', 'local a = 1\nerror("broken")')}`, {
      scripts,
    });
    expect(result.error).toMatchObject({ code: 'lua.error', stage: 'Data', line: 7 });
    expect(result.error?.message).toContain('broken');
  });

  test('AP-11 become outputs if the options allow it', async () => {
    const { result } = await runLua(
      { Data: 'if input == 2 then error("no two") end', Output: 'return input' },
      { inputs: [1, 2, 3], baseOptions: { allow_run_on_task_fail: true } },
    );
    expect(result).toMatchObject({
      status: 'completed',
      outputs: [1, { error: expect.stringContaining('no two') }, 3],
    });
  });

  test('stops an endless script when its time limit is reached', async () => {
    const { result } = await runLua({ Data: 'while true do end' }, { scriptTimeoutMs: 50 });
    expect(result.error).toMatchObject({ code: 'lua.timeout', stage: 'Data' });
  });

  test('AP-9 stops an endless script on cancel', async () => {
    const text = textOf({ Data: 'print("on")\nwhile true do end', 'After All': 'return 1' });
    const run = startAgentText(text, { scripts, inputs: [1, 2, 3], baseOptions: { input_concurrency: 2 } });
    const isOn = () => run.events.filter(({ event }) => event.type === 'log' && event.level === 'print').length;
    await expect.poll(isOn, { timeout: 10_000 }).toBe(2);
    run.cancel();
    const { result, events } = await run.done;
    expect(result).toMatchObject({ status: 'cancelled', afterAll: null });
    const ends = events.flatMap(({ event }) => (event.type === 'task:cancelled' ? [event.taskId] : []));
    expect(ends.sort()).toEqual(['input:0', 'input:1']);
  });
});

describe('CTX', () => {
  const place = {
    name: 'acme@tool/chat/ask',
    file: '/packs/acme/tool/chat/ask.aip',
    shownPath: 'acme@tool/chat/ask',
    pack: {
      namespace: 'acme',
      name: 'tool',
      folder: '/packs/acme/tool',
      subPath: 'chat/ask',
      baseSupportFolder: '/base/support',
      workspaceSupportFolder: '/ws/support',
    },
  };

  async function contexts(options: AgentRunOptions): Promise<readonly JsonMap[]> {
    const { result } = await runLua(
      { 'Before All': 'return CTX', Output: 'return { before_all, CTX }', 'After All': 'return { outputs[1], CTX }' },
      options,
    );
    const [[before, output], after] = result.afterAll as unknown as [[JsonMap, JsonMap], JsonMap];
    return [before, output, after];
  }

  test('identifies agent, run, task and stage', async () => {
    const [before, output, after] = await contexts({ context: { PWD: '/ws', RUN_NUM: 7 } });
    const common = {
      SESSION_UID: 'session-1',
      PWD: '/ws',
      RUN_NUM: 7,
      RUN_UID: 'run-1',
      AGENT_NAME: 'agents/test.aip',
      AGENT_FILE_PATH: '/ws/agents/test.aip',
      AGENT_FILE_DIR: '/ws/agents',
      AGENT_FILE_NAME: 'test.aip',
      AGENT_FILE_STEM: 'test',
    };
    expect(before).toEqual({ ...common, STAGE: 'BeforeAll' });
    expect(output).toEqual({ ...common, ANSWERS: {}, STAGE: 'Output', TASK_UID: 'run-1-1', TASK_NUM: 1 });
    expect(after).toEqual({ ...common, STAGE: 'AfterAll' });
  });

  test('identifies the pack and the caller', async () => {
    const parentRunId = 'run-0' as NonNullable<AgentRunOptions['parentRunId']>;
    const [before] = await contexts({ place, parentRunId });
    expect(before).toMatchObject({
      PARENT_RUN_UID: 'run-0',
      PACK_NAMESPACE: 'acme',
      PACK_NAME: 'tool',
      PACK_IDENTITY: 'acme@tool',
      PACK_REF: 'acme@tool/chat/ask',
      PACK_SUB_PATH: 'chat/ask',
      PACK_DIR: '/packs/acme/tool',
      PACK_BASE_SUPPORT_DIR: '/base/support',
      PACK_WORKSPACE_SUPPORT_DIR: '/ws/support',
    });
  });

  test("contains no path for a pack's main agent, and forward slashes in Windows paths", async () => {
    const pack = { ...place.pack, subPath: '', folder: 'C:\\packs\\acme\\tool' };
    const [before] = await contexts({ place: { ...place, file: 'C:\\packs\\acme\\tool\\main.aip', pack } });
    expect(before).not.toHaveProperty('PACK_SUB_PATH');
    expect(before).toMatchObject({
      PACK_REF: 'acme@tool',
      PACK_DIR: 'C:/packs/acme/tool',
      AGENT_FILE_PATH: 'C:/packs/acme/tool/main.aip',
      AGENT_FILE_DIR: 'C:/packs/acme/tool',
      AGENT_FILE_STEM: 'main',
    });
  });
});

test('a label set by a script replaces the default label of its input', async () => {
  const { state } = await runLua({ Data: 'aip.task.set_label("Number " .. input)' }, { inputs: [5] });
  expect(state.nodes.get('input:0')?.label).toBe('Number 5');
});
