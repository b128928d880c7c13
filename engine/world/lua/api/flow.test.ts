import { describe, expect, test } from 'vitest';
import { runLua } from '../../../testing/run-lua.ts';

describe('aip.flow', () => {
  test.each([
    ['aip.flow.skip("no need")', { kind: 'Skip', data: { reason: 'no need' } }],
    ['aip.flow.skip()', { kind: 'Skip', data: {} }],
    ['aip.flow.skip(null)', { kind: 'Skip', data: {} }],
    ['aip.flow.skip(3)', { kind: 'Skip', data: { reason: '3' } }],
    ['aip.flow.redo_run()', { kind: 'Redo' }],
    ['aip.flow.before_all_response()', { kind: 'BeforeAllResponse' }],
    ['aip.flow.before_all_response(123)', { kind: 'BeforeAllResponse', data: 123 }],
    ['aip.flow.before_all_response({ inputs = {} })', { kind: 'BeforeAllResponse', data: { inputs: {} } }],
    [
      'aip.flow.data_response({ input = null, data = { 1, null }, options = { model = "m" } })',
      { kind: 'DataResponse', data: { input: null, data: [1, null], options: { model: 'm' } } },
    ],
  ])('%s returns the table of its directive', async (code, directive) => {
    expect(await runLua(`return ${code}`)).toEqual({ _aipack_: directive });
  });

  test('rejects a table as the reason', async () => {
    await expect(runLua('return aip.flow.skip({})')).rejects.toThrow('error converting Lua table to String');
  });
});
