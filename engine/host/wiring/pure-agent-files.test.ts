/** Tests agent files with a pure contract: which functions their scripts have and do not have. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { type AgentWorkspace, afterAllOf, createAgentWorkspace, type EndedAgent } from './test-agent-workspace.ts';

let at: AgentWorkspace;
beforeEach(() => {
  at = createAgentWorkspace();
});
afterEach(() => at.close());

const pure = '# Options\n\n```toml\ncontract = "pure"\n```\n\n';

/** Runs a pure agent in a trusted workspace with a secret and a file, which other agents could access. */
async function run(rest: string): Promise<EndedAgent> {
  at.write('workspace/main.aip', pure + rest);
  at.write('workspace/notes.md', 'notes');
  const engine = await at.open({ isTrusted: true, env: { SECRET_OF_ENV: 'hunter2', PATH: process.env['PATH'] } });
  return await at.run(engine, { agent: 'main.aip' });
}

async function value(code: string): Promise<unknown> {
  const { end } = await run(scriptSection('After All', code));
  expect(end).toMatchObject({ status: 'completed' });
  return afterAllOf(end);
}

describe('what is not available', () => {
  const absent = {
    'MF-122': ['cmd', 'git', 'editor'],
    'MF-123': ['agent'],
    'MF-124': ['file', 'path', 'pdf', 'zip'],
    'MF-126': ['web'],
    'MF-127': ['secret'],
  };
  test.each(Object.entries(absent))('%s %j is undefined in a pure agent, under any name of aip', async (_, names) => {
    const list = names.map((name) => `"${name}"`).join(', ');
    const code = `local found = {}
      for _, name in ipairs({ ${list} }) do
        for _, root in ipairs({ aip, utils, aipack, _G.aip, package.loaded._G.aip, getmetatable(aipack).__index }) do
          if root[name] ~= nil then found[#found + 1] = name end
        end
      end
      return { found = #found, text = type(aip.text.trim), json = type(aip.json.parse) }`;
    expect(await value(code)).toEqual({ found: 0, text: 'function', json: 'function' });
  });

  test('MF-124 functions that read and write files are missing, but other functions of their module are available', async () => {
    const code = `return { apply = type(aip.udiffx.apply_file_changes), load = type(aip.udiffx.load_files_context),
      words = type(aip.udiffx.file_changes_instruction) }`;
    expect(await value(code)).toEqual({ apply: 'nil', load: 'nil', words: 'function' });
  });

  test('an autonomous agent after a pure one has all of them', async () => {
    await value('return aip.file == nil');
    at.write('workspace/other.aip', scriptSection('After All', 'return aip.file.load("notes.md").content'));
    const { end } = await at.run(await at.open(), { agent: 'other.aip' });
    expect(afterAllOf(end)).toBe('notes');
  });

  test('MF-124 calling one results in an error that names it, at its line', async () => {
    const { end } = await run(scriptSection('After All', '\nreturn aip.file.save("stolen.md", "x")'));
    expect(end).toMatchObject({ status: 'failed', error: { code: 'lua.error', line: 10, stage: 'AfterAll' } });
    expect(end.error?.message).toContain("(field 'file')");
    expect(existsSync(at.at('workspace/stolen.md'))).toBe(false);
  });

  test('MF-127 Lua itself has no loophole: no io, no environment, no bytecode', async () => {
    const code = `return { io = type(io), getenv = type(os.getenv), execute = type(os.execute), dump = type(string.dump),
      dofile = type(dofile), loadfile = type(loadfile), debug = type(debug.getregistry) }`;
    const none = {
      io: 'nil',
      getenv: 'nil',
      execute: 'nil',
      dump: 'nil',
      dofile: 'nil',
      loadfile: 'nil',
      debug: 'nil',
    };
    expect(await value(code)).toEqual(none);
  });

  test('MF-127 CTX contains information about the run, but no paths', async () => {
    const code =
      'local names = {}; for name in pairs(CTX) do names[#names + 1] = name end; table.sort(names); return names';
    expect(await value(code)).toEqual(['AGENT_NAME', 'RUN_UID', 'STAGE']);
  });

  test('MF-010 nothing remains after a run: neither globals nor changes of the library', async () => {
    const code = 'seen = (seen or 0) + 1; aip.text.trim = nil; string.upper = nil; return seen';
    expect(await value(code)).toBe(1);
    expect(await value(`${code.replace('return', 'local up = string.lower; return')}`)).toBe(1);
    expect(await value('return type(aip.text.trim) .. type(string.upper)')).toBe('functionfunction');
  });
});

test('the engine loads prompt parts and modules beside the agent', async () => {
  at.write(
    'workspace/lua/words.lua',
    'return { hello = function(name) return "Hello " .. name end, files = type(aip.file) }',
  );
  at.write('workspace/replies.yaml', 'replies:\n  - match: "Hello Ada"\n    reply: "Good day"\n');
  const rest = `${scriptSection('Data', 'local words = require("words"); return { text = words.hello(input), files = words.files }')}
# System
Be short.

# User
{{data.text}}

${scriptSection('Output', 'return { text = ai_response.content, files = data.files }')}`;
  at.write(
    'workspace/main.aip',
    pure.replace('"pure"', '"pure"\nmodel = "scripted::replies.yaml"\npurpose = "EXPLANATION"') + rest,
  );
  const engine = await at.open();
  const { end, runId } = await at.run(engine, { agent: 'main.aip', inputs: ['Ada'] });
  expect(end).toMatchObject({ status: 'completed', output: { outputs: [{ text: 'Good day', files: 'nil' }] } });
  const asked = (await engine.readEvents(runId, -1, 1000)).filter(({ event }) => event.type === 'model:request');
  expect(asked).toMatchObject([{ event: { purpose: 'EXPLANATION' } }]);
});

describe('what a pure agent is denied at run time', () => {
  const model = `${pure.replace('"pure"', '"pure"\nmodel = "scripted::replies.yaml"')}# User\nHello\n\n`;
  const runWith = async (text: string) => {
    at.write('workspace/replies.yaml', 'replies:\n  - match: ""\n    reply: "Hi"\n');
    at.write('workspace/main.aip', text);
    return (await at.run(await at.open({ isTrusted: true }), { agent: 'main.aip', inputs: ['a'] })).end;
  };

  test.each([
    [
      'MF-122',
      'gives its model tools',
      `${model}${scriptSection('Data', 'return aip.flow.data_response({ options = { tools = { "core.file_list" } } })')}`,
    ],
    [
      'MF-124',
      'attaches files',
      `${model}${scriptSection('Data', 'return aip.flow.data_response({ attachments = { { file_source = "notes.md" } } })')}`,
    ],
    ['MF-043', 'requests another run', pure + scriptSection('After All', 'return aip.flow.redo_run()')],
    ['MF-043', 'requests another run', pure + scriptSection('Before All', 'return aip.flow.redo_run()')],
    ['MF-053', 'asks a person', pure + scriptSection('Output', 'return aip.flow.ask({ key = "k", title = "t" })')],
  ])('%s it %s', async (_rule, what, text) => {
    const end = await runWith(text);
    expect(end).toMatchObject({ status: 'failed', error: { code: 'agent.contract' } });
    expect(end.error?.message).toBe(
      `Agent "main.aip" ${what}, which an agent with contract pure is not allowed to do: it only receives and returns data.`,
    );
  });

  test('MF-122 does not receive tools that the settings assign to all agents', async () => {
    at.write('workspace/.aipack/config.toml', '[options]\ntools = ["core.file_list"]\n');
    expect(await runWith(model)).toMatchObject({ status: 'completed', output: { outputs: ['Hi'] } });
  });
});

describe('the options', () => {
  const problems = async (lines: string): Promise<string[]> => {
    const { parseAgent } = await import('../../language/agent/parse-agent.ts');
    const { diagnostics } = parseAgent(`# Options\n\n\`\`\`toml\n${lines}\n\`\`\`\n\n# User\nHi\n`);
    return diagnostics.map(({ range, severity, message }) => `${range.line} ${severity} ${message}`);
  };

  test('declare the contract, and nothing that does not belong to it', async () => {
    expect(await problems('contract = "pure"\npurpose = "UNCERTAINTY"')).toEqual([]);
    expect(await problems('contract = "autonomous"\ntools = ["core.file_list"]')).toEqual([]);
    expect(await problems('contract = "clean"')).toEqual([
      '4 error The option "contract" must be "pure" or "autonomous".',
    ]);
    expect(await problems('purpose = "INSIGHT"')).toEqual([
      '4 error The option "purpose" only has an effect in agents with contract pure: set contract = "pure".',
    ]);
    expect(await problems('contract = "pure"\npurpose = "FUN"')).toEqual([
      '5 error The option "purpose" must be one of INSIGHT, PRIORITIZATION, EXPLANATION, UNCERTAINTY.',
    ]);
    expect(await problems('contract = "pure"\ntools = ["core.file_list"]')).toEqual([
      '5 error The option "tools" is not allowed in an agent with contract pure: remove the option.',
    ]);
    expect(await problems('contarct = "pure"')).toEqual([
      '4 warning Option "contarct" does not exist. Did you mean "contract"?',
    ]);
  });

  test('report functions that a pure agent does not have to editors, each at its position', async () => {
    const engine = await at.open();
    const script = scriptSection(
      'Data',
      'local t = aip.file.load("a")\nreturn aip.text.trim(aip.udiffx.apply_file_changes(t))',
    );
    expect(await engine.checkAgent(pure + script)).toMatchObject([
      {
        code: 'agent.not-for-pure',
        severity: 'error',
        range: { line: 9, column: 20 },
        message:
          'An agent with contract pure cannot use aip.file.load, because it can only receive and return data. Pass the data in the params of its step.',
      },
      { code: 'agent.not-for-pure', range: { line: 10, column: 33 } },
    ]);
    expect(await engine.checkAgent(script)).toEqual([]);
    expect(await engine.checkAgent(pure + scriptSection('Data', 'return aip.fiel.load("a")'))).toMatchObject([
      { code: 'agent.unknown-function', message: '"fiel" does not exist in aip. Did you mean "file"?' },
    ]);
  });
});
