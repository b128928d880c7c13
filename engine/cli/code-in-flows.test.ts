/** Tests that invalid code in flows is found before anything runs. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

const broken = `flow: { name: Broken }
nodes:
  - { id: first, type: file.write, input: { path: made.txt, text: x } }
  - id: js
    type: script.js
    input: {}
    config:
      code: |
        const a = 1;
        return (;
  - id: lua
    type: script.lua
    input: {}
    config:
      code: |

        return = 2
  - { id: plain, type: script.js, input: {}, config: { code: "return )" } }
  - { id: well, type: script.lua, input: {}, config: { code: "while true do end" } }
edges: [{ from: first, to: js }]
`;

test('BB-24 validate and run reject code that does not compile, with the line of the file, and run nothing', async () => {
  cli.write('broken.flow.yaml', broken);
  const validated = await cli.call(['validate', 'broken.flow.yaml', '--json']);
  const found = validated.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(found).toEqual([
    expect.objectContaining({ file: 'broken.flow.yaml', line: 10, column: 9, severity: 'error' }),
    expect.objectContaining({ line: 17, column: 9, message: expect.stringMatching(/^Lua syntax error: /) }),
    expect.objectContaining({ line: 18, message: expect.stringMatching(/^JavaScript syntax error: /) }),
  ]);
  expect(found.map(({ code }) => code)).toEqual(Array(3).fill('node.script-syntax'));
  expect(validated.code).toBe(2);
  const ran = await cli.call(['run', 'broken.flow.yaml', '--trust']);
  expect([ran.code, ran.stdout]).toEqual([2, '']);
  const places = ran.stderr.trimEnd().split('\n');
  expect(places).toHaveLength(3);
  expect(places[0]).toMatch(/^broken\.flow\.yaml:10:9 error node\.script-syntax JavaScript syntax error: /);
  expect(existsSync(path.join(cli.folder, 'made.txt'))).toBe(false);
  expect((await cli.call(['runs', 'list', '--json'])).stdout).toBe('');
});

test('BB-24 valid code is neither run nor reported, whatever it would do', async () => {
  const code = 'for (;;) {}';
  cli.write(
    'well.flow.yaml',
    `flow: { name: Well }\nnodes: [{ id: a, type: script.js, input: {}, config: { code: "${code}" } }]\nedges: []\n`,
  );
  expect(await cli.call(['validate', 'well.flow.yaml'])).toEqual({
    code: 0,
    stdout: 'well.flow.yaml: valid\n',
    stderr: '',
  });
});
