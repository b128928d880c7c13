import { expect, test } from 'vitest';
import { createFakeCapabilities } from '../../../testing/fake-capabilities.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { scriptLuaType } from './script-lua-type.ts';

test('BB-21 runs the code as Lua with its input and emits policy decisions', async () => {
  const { capabilities } = createFakeCapabilities({
    code: {
      run: async ({ language, code, input }, { hub }) => {
        const decision = { allowed: true, rule: 'web', effect: 'web', target: 'https://a.example' } as const;
        hub.emit({ type: 'governance:decision', ...decision });
        return { language, code, input };
      },
    },
  });
  const node = { type: 'script.lua', input: { a: 1 }, config: { code: 'return 1' } };
  const { output, events } = await runSingleNode(node, { capabilities });
  expect(output).toEqual({ language: 'lua', code: 'return 1', input: { a: 1 } });
  expect(events.map(({ event }) => event.type)).toContain('governance:decision');
});

test('a node of another type emits no decisions', async () => {
  const { capabilities } = createFakeCapabilities({
    code: {
      run: async (_script, { hub }) => {
        hub.emit({ type: 'governance:decision', allowed: true, rule: 'x', effect: 'web', target: 'y' });
        return null;
      },
    },
  });
  const { error } = await runSingleNode({ type: 'script.js', config: { code: '' } }, { capabilities });
  expect(error?.code).toBe('node.bad-event');
});

test('its card shows how the code begins', () => {
  expect(scriptLuaType.summary({ code: '-- Reads all notes.\nreturn 1' })).toEqual(['Reads all notes.']);
  expect(scriptLuaType.summary({ code: 'return 1' })).toEqual([{ chip: 'return 1' }]);
});

test('BB-21 does not run again after a crash without asking', () => {
  expect(scriptLuaType.effects).toBe('external');
});
