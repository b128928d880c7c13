import { describe, expect, test } from 'vitest';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { createLuaRuntime } from '../../world/lua/lua-runtime.ts';
import { probeScripts } from '../../world/lua/probe-scripts.ts';
import { createTemplateRenderer } from '../../world/template/template-renderer.ts';
import 'virtual:lua-worker';
import { checkAgent } from './check-agent.ts';

const lua = createLuaRuntime();

/** Returns each problem as `line:column severity code message`. */
async function check(text: string): Promise<string[]> {
  const found = await checkAgent(text, {
    scripts: (...asked) => probeScripts(lua, ...asked),
    template: createTemplateRenderer('agent').problemOf,
  });
  return found.map(
    ({ range, severity, code, message }) => `${range.line}:${range.column} ${severity} ${code} ${message}`,
  );
}

describe('scripts of an agent file', () => {
  test('report no problems if they are valid Lua and use existing functions', async () => {
    const data = 'local t = aip.file.load(input.path)\n-- aip.file.nothing\nreturn { t = t, s = "aip.no.thing" }';
    expect(await check(`${scriptSection('Data', data)}# User\n{{data.t}} {{data.s}}\n`)).toEqual([]);
    expect(await check('# User\nHello\n')).toEqual([]);
  });

  test('report invalid Lua at the line of the file', async () => {
    const text = `${scriptSection('Before All', 'return 1')}\n${scriptSection('Data', 'local a = 1\nreturn { a = = 2 }')}`;
    expect(await check(text)).toEqual(["9:1 error agent.lua-syntax Lua syntax error: unexpected symbol near '='."]);
    expect(await check(scriptSection('Data', 'if x then\nreturn 1'))).toEqual([
      expect.stringMatching(/^5:1 error agent\.lua-syntax Lua syntax error: 'end' expected/),
    ]);
  });

  test('are not executed', async () => {
    expect(await check(scriptSection('Data', 'while true do end'))).toEqual([]);
  });

  test('report calls of unknown functions, with the nearest name', async () => {
    const text = scriptSection(
      'Output',
      '  aip.file.laod("x")\n  return aip.fiel.load("y"), x.aip.nothing, utils.text.trimm("")',
    );
    expect(await check(text)).toEqual([
      '3:12 warning agent.unknown-function "laod" does not exist in aip.file. Did you mean "load"?',
      '4:14 warning agent.unknown-function "fiel" does not exist in aip. Did you mean "file"?',
      '4:56 warning agent.unknown-function "trimm" does not exist in aip.text. Did you mean "trim"?',
    ]);
  });
});

describe('unused data', () => {
  const data = scriptSection('Data', 'return {\n  note = 1,\n  styl = 2,\n}');

  test('is reported at the field', async () => {
    expect(await check(`${data}# User\n{{data.note}}\n`)).toEqual([
      '5:3 info agent.unused-data Field "styl" is never used: neither a prompt nor Output refers to it.',
    ]);
  });

  test('is not reported if Output names it or data is passed on as a whole', async () => {
    const prompt = '# User\n{{data.note}}\n';
    expect(await check(`${data}${prompt}${scriptSection('Output', 'return data.styl')}`)).toEqual([]);
    expect(await check(`${data}${prompt}${scriptSection('Output', 'return f(data)')}`)).toEqual([]);
    expect(await check(`${data}# User\n{{#each data}}{{this}}{{/each}}\n`)).toEqual([]);
    expect(await check(data)).toEqual([]);
  });
});

describe('prompts of an agent file', () => {
  test('that cannot be filled are reported at the line of the file', async () => {
    const text =
      '# System\nYou are {{input.role}}}\n\n# User\nHello\n  {{#if input}}\n{{/each}}\n# Assistant\n{{upper input}}\n';
    expect(await check(text)).toEqual([
      expect.stringMatching(/^6:3 error agent\.template-syntax Invalid template: if doesn't match each/),
      '9:1 error agent.template-syntax Invalid template: helper "upper" does not exist.',
    ]);
  });

  test('may have options in their heading, which are also templates', async () => {
    expect(await check('# User `cache = {{input.c}}`\nHello\n')).toEqual([]);
    expect(await check('# User `cache = {{input.c`\nHello\n')).toEqual([
      expect.stringMatching(/^1:1 error agent\.template-syntax/),
    ]);
  });
});
