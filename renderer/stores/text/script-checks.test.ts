import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';

const path = 'flows/a.flow.yaml';
const text = `flow: { name: A }
nodes:
  - { id: plain, type: echo, input: { text: x } }
  - id: calc
    type: script.js
    input: {}
    config:
      code: |
        const a = 1;
        return a +;
  - { id: other, type: script.lua, input: {}, config: { code: "return 1" } }
edges: []
`;

let window: TestWindow;
afterEach(() => window.close());

test('BB-24 a problem in code is listed with the problems of the file, at its line, and removed when it is fixed', async () => {
  const asked: unknown[] = [];
  window = openTestWindow({
    readFlow: () => ({ text }),
    checkScripts: (scripts) => {
      asked.push(scripts);
      return scripts.map(({ code }) => (code.includes('+;') ? { line: 2, message: 'unexpected token' } : null));
    },
  });
  window.engine.connect();
  await window.stores.openFiles.getState().open(path);
  const file = () => window.stores.openFiles.getState().files.get(path);
  const problem = {
    code: 'node.script-syntax',
    severity: 'error',
    message: 'JavaScript syntax error: unexpected token.',
    range: { line: 10, column: 9, endLine: 10, endColumn: 20 },
    nodeId: 'calc',
    codeLine: 2,
  };
  await window.until(() => expect(file()?.diagnostics).toEqual([problem]));
  expect(asked).toEqual([
    [
      { language: 'javascript', code: 'const a = 1;\nreturn a +;\n' },
      { language: 'lua', code: 'return 1' },
    ],
  ]);

  // An added line above moves it without another request.
  window.stores.edits.type(path, [{ start: 0, end: 0, text: '# first\n' }]);
  await window.until(() => expect(file()?.diagnostics[0]?.range.line).toBe(11));
  expect(asked).toHaveLength(1);

  const start = (file()?.text ?? '').indexOf('+;');
  window.stores.edits.type(path, [{ start, end: start + 2, text: '+ 1;' }]);
  await window.until(() => expect(asked).toHaveLength(2));
  await window.until(() => expect(file()?.diagnostics).toEqual([]));
});
