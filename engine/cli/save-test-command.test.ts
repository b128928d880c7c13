/** Tests `millrace runs save-test`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { helloFlow, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

test('13.13 runs save-test adds a run to a test file, which passes', async () => {
  cli.write('hello.flow.yaml', helloFlow);
  await cli.call(['run', 'hello.flow.yaml', '--input', 'who=Ann']);
  const saved = await cli.call(['runs', 'save-test', 'latest']);
  expect(saved).toMatchObject({ code: 0, stderr: 'Added the case "run 1" to hello.test.yaml.\n' });
  const text = readFileSync(path.join(cli.folder, 'hello.test.yaml'), 'utf8');
  expect(text).toBe(`target: hello.flow.yaml
cases:
  - name: run 1
    input:
      who: Ann
      times: 1
    expect:
      skipped: [never]
`);
  const all = await cli.call(['runs', 'save-test', '1', '--all', '--name', 'all of it', '--json']);
  expect(JSON.parse(all.stdout)).toMatchObject({ file: 'hello.test.yaml', name: 'all of it', calls: 0, missing: [] });
  expect(readFileSync(path.join(cli.folder, 'hello.test.yaml'), 'utf8')).toContain('greet.text: hello Ann 1');
  expect(await cli.call(['test'])).toMatchObject({ code: 0 });
});

test('13.13 runs save-test names the reason if a run cannot become a test', async () => {
  cli.write('hello.flow.yaml', helloFlow);
  await cli.call(['run', 'hello.flow.yaml']);
  await cli.call(['rerun', '1', '--from', 'greet', '--trust']);
  const refused = await cli.call(['runs', 'save-test', 'latest']);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('Run 2 cannot become a test: it reuses results of an earlier run.');
  const elsewhere = await cli.call(['runs', 'save-test', '1', '--file', 'hello.yaml']);
  expect(elsewhere.stderr).toContain('ends in .test.yaml');
});
