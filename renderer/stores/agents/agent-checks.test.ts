import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';

let window: TestWindow;
let asked: string[];

const problem = {
  code: 'agent.lua-syntax' as const,
  severity: 'error' as const,
  message: 'Lua syntax error.',
  range: { line: 3, column: 1, endLine: 3, endColumn: 2 },
};

beforeEach(() => {
  asked = [];
  window = openTestWindow({
    readAgent: () => ({ text: '# Data\n```lua\n(\n```\n', file: '/ws/a.aip', path: 'a.aip', isWritable: true }),
    checkAgent: (text) => {
      asked.push(text);
      return text.includes('(\n') ? [problem] : [];
    },
  });
});
afterEach(() => window.close());

const found = (): string[] =>
  window.stores.openFiles
    .getState()
    .files.get('a.aip')
    ?.diagnostics.map(({ code }) => code) ?? [];

test('checks scripts in the engine after a pause in typing, and adds its problems to those of the parser', async () => {
  window.engine.connect();
  await window.stores.openFiles.getState().open('a.aip', 'agent');
  await vi.waitFor(() => expect(found()).toEqual(['agent.lua-syntax']), { timeout: 5_000 });
  expect(asked).toHaveLength(1);

  window.stores.edits.type('a.aip', [{ start: 0, end: 0, text: '# Output\n\n' }]);
  window.stores.edits.type('a.aip', [{ start: 0, end: 0, text: 'x\n' }]);
  await vi.waitFor(() => expect(found()).toEqual(['agent.missing-fence', 'agent.lua-syntax']), { timeout: 5_000 });
  expect(asked).toHaveLength(2);
  expect(asked[1]).toMatch(/^x\n# Output/);
});
