import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import type { AgentOptions } from './agent-doc.ts';
import { mergeOptions, optionsFromLua, readAgentOptions, readConfigOptions, resolveAlias } from './agent-options.ts';

describe('reading a config file', () => {
  test('reads options below [options], or [default_options] in older files', () => {
    const below = (name: string) => `[${name}]\nmodel = "m"\ninput_concurrency = 0\n[${name}.model_aliases]\na = "b"\n`;
    const options = { model: 'm', input_concurrency: 0, model_aliases: { a: 'b' } };
    expect(readConfigOptions(parse(below('options')), 'c.toml')).toEqual(options);
    expect(readConfigOptions(parse(below('default_options')), 'c.toml')).toEqual(options);
    expect(readConfigOptions(parse('[options]\ntop_p = 1\n[default_options]\nmodel = "m"'), 'c.toml')).toEqual({
      top_p: 1,
    });
    expect(readConfigOptions(parse('model = "not read here"'), 'c.toml')).toEqual({});
  });

  test('rejects [default-options] and suggests [options]', () => {
    expect(() => readConfigOptions(parse('[default-options]'), '/w/config.toml')).toThrow(
      /^Config invalid \(config path: \/w\/config\.toml\)\n {2}reason: .*\[options\]$/,
    );
  });

  test('rejects a wrong type and names file and key', () => {
    expect(() => readConfigOptions(parse('[options]\ntemperature = "warm"\nmodel = 1'), 'c.toml')).toThrow(
      'Config invalid (config path: c.toml)\n  reason: model must be text; temperature must be a number',
    );
    expect(() => readConfigOptions(parse('options = 1'), 'c.toml')).toThrow('reason: options must be a table');
    expect(() => readAgentOptions({ model_aliases: { a: 1 } }, 'c.toml')).toThrow(
      'reason: model_aliases.a must be text',
    );
    expect(() => readAgentOptions({ input_concurrency: -1 }, 'c.toml')).toThrow(
      'reason: input_concurrency must be a whole number of at least 0',
    );
  });

  test('allows names of built-in object properties', () => {
    const { model_aliases: aliases } = readAgentOptions(parse('[model_aliases]\nconstructor = "m"'), 'c.toml');
    expect(resolveAlias('constructor', aliases)).toBe('m');
    expect(resolveAlias('toString', aliases)).toBe('toString');
  });
});

describe('options of a script', () => {
  test('treats null as not set, and an empty list as an empty table', () => {
    expect(optionsFromLua({ model: null, temperature: 0.5, resolved_model: 'x', model_aliases: [] })).toEqual({
      temperature: 0.5,
      model_aliases: {},
    });
    expect(optionsFromLua([])).toEqual({});
    expect(optionsFromLua(null)).toEqual({});
    expect(optionsFromLua({ model_aliases: { a: null, b: 'm' } })).toEqual({ model_aliases: { b: 'm' } });
  });

  test('rejects a wrong type and names the key', () => {
    expect(() => optionsFromLua({ top_p: 'high' })).toThrow(
      'The script returned invalid options: top_p must be a number.',
    );
    expect(() => optionsFromLua('fast')).toThrow('options must be a table');
    expect(() => optionsFromLua([1])).toThrow('options must be a table');
  });
});

describe('layers', () => {
  test('AP-12 a stronger layer replaces what it sets, only for the task it applies to', () => {
    const run = mergeOptions([{ model: 'a', temperature: 1 }, { model: 'b' }, { model: 'c' }]);
    expect(run).toEqual({ model: 'c', temperature: 1 });
    expect(mergeOptions([run, { model: 'd' }]).model).toBe('d');
    expect(run.model).toBe('c');
  });

  test('zero and false count as set; aliases are merged name by name and never cleared', () => {
    const layers: AgentOptions[] = [
      { temperature: 1, allow_run_on_task_fail: true, model_aliases: { a: '1', b: '2' } },
      { temperature: 0, allow_run_on_task_fail: false, model_aliases: {} },
      { model_aliases: { b: '3', c: '4' } },
    ];
    expect(mergeOptions(layers)).toEqual({
      temperature: 0,
      allow_run_on_task_fail: false,
      model_aliases: { a: '1', b: '3', c: '4' },
    });
    expect(mergeOptions([])).toEqual({});
  });
});

describe('aliases', () => {
  const aliases = { mini: 'gpt-x', 'mini-high': 'gpt-y', loop: 'mini' };

  test('AP-13 keeps a reasoning suffix when resolving an alias', () => {
    expect(resolveAlias('mini-low', aliases)).toBe('gpt-x-low');
    expect(resolveAlias('mini-xhigh', aliases)).toBe('gpt-x-xhigh');
  });

  test('prefers an exact name, resolves aliases only once, and keeps other names', () => {
    expect(resolveAlias('mini', aliases)).toBe('gpt-x');
    expect(resolveAlias('mini-high', aliases)).toBe('gpt-y');
    expect(resolveAlias('loop', aliases)).toBe('mini');
    expect(resolveAlias('other-low', aliases)).toBe('other-low');
    expect(resolveAlias('mini-medium-low', aliases)).toBe('mini-medium-low');
    expect(resolveAlias('mini')).toBe('mini');
  });
});
