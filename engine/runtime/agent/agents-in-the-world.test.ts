import { existsSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { type AgentRunOptions, runAgentText, scriptSection } from '../../testing/run-agent-file.ts';
import { createLuaRuntime, type LuaRuntime } from '../../world/lua/lua-runtime.ts';
import { createScriptHost } from '../../world/script/script-host.ts';
import { createScripts } from '../../world/script/scripts.ts';
import { createTestWorld, type TestWorld } from '../../world/script/testing/test-world.ts';
import type { ScriptsCapability } from '../kernel/capabilities/capabilities.ts';

let world: TestWorld;
let runtime: LuaRuntime;
let scripts: ScriptsCapability;

beforeAll(() => {
  runtime = createLuaRuntime();
});
afterAll(() => runtime.close());
beforeEach(() => {
  world = createTestWorld();
  scripts = createScripts(runtime, (scope) => createScriptHost(world.world, scope));
});
afterEach(() => world.end());

/** Runs an agent in a workspace with real Lua and real files. */
function run(text: string, options: AgentRunOptions = {}) {
  const file = world.folder.at('workspace/agents/main.aip');
  const place = { name: 'agents/main.aip', file, shownPath: 'agents/main.aip' };
  return runAgentText(text, { scripts, place, ...options });
}

const savesAnswers = [
  scriptSection('Before All', 'return aip.flow.before_all_response({ inputs = aip.file.list("notes/*.md") })'),
  scriptSection('Data', 'return aip.file.load(input.path).content'),
  '# User\nTranslate: {{data}}\n',
  scriptSection('Output', 'aip.file.save("out/" .. input.name, ai_response.content)\nreturn input.name'),
  scriptSection('After All', 'aip.run.pin("done", 1, "Saved " .. #outputs)\nreturn outputs'),
].join('');

describe('an agent that processes files', () => {
  beforeEach(() => {
    world.folder.write('workspace/notes/a.md', 'Alpha');
    world.folder.write('workspace/notes/b.md', 'Beta');
  });

  test('reads each file, calls the model, saves the responses, and reports it', async () => {
    const { result, state } = await run(savesAnswers, { baseOptions: { input_concurrency: 2 } });
    expect(result).toMatchObject({ status: 'completed', outputs: ['a.md', 'b.md'], afterAll: ['a.md', 'b.md'] });
    expect(readFileSync(world.folder.at('workspace/out/a.md'), 'utf8')).toBe('Translate: Alpha\n');
    expect(readFileSync(world.folder.at('workspace/out/b.md'), 'utf8')).toBe('Translate: Beta\n');
    expect([...state.nodes.values()].map(({ label }) => label)).toEqual(['notes/a.md', 'notes/b.md']);
    expect(state.pins).toMatchObject([{ iden: 'done', priority: 1, content: 'Saved 2' }]);
  });

  test('neither calls the model nor writes files in a dry run without requests', async () => {
    const { capabilities, asked } = createFakeCapabilities();
    const { result } = await run(savesAnswers, { dry: 'req', capabilities });
    expect(result).toMatchObject({ status: 'completed', outputs: [null, null] });
    expect(asked).toEqual([]);
    expect(existsSync(world.folder.at('workspace/out'))).toBe(false);
  });

  test('fails a script that writes in a dry run without requests', async () => {
    const { result } = await run(scriptSection('Data', 'aip.file.save("x.md", "x")'), { dry: 'req' });
    expect(result).toMatchObject({ status: 'failed', error: { stage: 'Data' } });
    expect(existsSync(world.folder.at('workspace/x.md'))).toBe(false);
  });

  test('sends a file as an attachment, and text in place of a missing one', async () => {
    const { capabilities, asked } = createFakeCapabilities();
    world.folder.write('workspace/plan.txt', 'the plan');
    const attachments = '{ { file_source = "plan.txt", title = "Plan" }, { file_source = "gone.png" } }';
    const text = `${scriptSection('Data', `return aip.flow.data_response({ attachments = ${attachments} })`)}# User\nRead\n`;
    await run(text, { capabilities });
    const [plan, gone, prompt] = asked[0]?.messages ?? [];
    expect(plan).toHaveProperty('attachments', [
      { fileName: 'plan.txt', mediaType: 'text/plain', base64: Buffer.from('the plan').toString('base64') },
    ]);
    expect(gone).toMatchObject({
      role: 'user',
      content: expect.stringContaining("attaching file 'gone.png'\nCause: "),
    });
    expect(prompt?.content).toBe('Read\n');
  });
});
