/** Calls `millrace test`, and reads what it prints and writes. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterEach, expect, test, vi } from 'vitest';
import { helloFlow, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();
afterEach(() => vi.unstubAllEnvs());

const tests = `# Tests
target: hello.flow.yaml
cases:
  - name: usual
    expect: { outputs: { greet.text: hello world 1 }, skipped: [never] }
  - name: "<odd> & \\"name\\" \\u0007 é"
    input: { who: "]]>" }
    expect: { outputs: { greet.text: "a\\nb" } }
`;

function write(): void {
  cli.write('hello.flow.yaml', helloFlow);
  cli.write('hello.test.yaml', tests);
}

test('shows each case, what differs and where, and exits with 1', async () => {
  write();
  const { code, stdout, stderr } = await cli.call(['test']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout.replace(/\d+\.\d s/g, 'T')).toBe(`hello.test.yaml hello.flow.yaml
  ✓ usual  T
  ✗ <odd> & "name"  é  T
      greet.text is "hello ]]> 1", not "a\\nb".
        -a
        -b
        +hello ]]> 1
      hello.test.yaml:6
1 failed, 1 passed in T
`);
  expect(existsSync(path.join(cli.folder, '.millrace/undo'))).toBe(false);
});

test('the files can be test files, flows and folders, and --case runs one case', async () => {
  write();
  cli.write('sub/hello.flow.yaml', helloFlow);
  cli.write('sub/hello.test.yaml', 'target: hello.flow.yaml\ncases: [{ name: below }]\n');
  const shown = async (...args: readonly string[]) =>
    (await cli.call(['test', ...args])).stdout.match(/(?<=[✓✗] )\S+/g);
  expect(await shown()).toEqual(['usual', '<odd>', 'below']);
  expect(await shown('sub')).toEqual(['below']);
  expect(await shown('sub/hello.flow.yaml')).toEqual(['below']);
  expect(await shown('hello.test.yaml', '--case', 'usual')).toEqual(['usual']);
  expect(await cli.call(['test', 'gone.flow.yaml'])).toMatchObject({
    ...{ code: 2, stdout: '' },
    stderr: expect.stringContaining('gone.flow.yaml is not a test file, and no test file tests it.'),
  });
  expect(await cli.call(['test', '--case', 'nothing'])).toMatchObject({
    ...{ code: 2 },
    stderr: expect.stringContaining('No case has the name "nothing". Cases: usual, '),
  });
});

test('without test files, it says how to create one', async () => {
  expect(await cli.call(['test'])).toMatchObject({
    ...{ code: 0, stdout: '' },
    stderr: expect.stringContaining(
      'This workspace has no test files. Create one from a run: millrace runs save-test RUN',
    ),
  });
});

test('an invalid file fails by itself, with its line', async () => {
  write();
  cli.write('bad.test.yaml', 'target: nowhere.flow.yaml\ncases: [{ name: x }]\n');
  cli.write('worse.test.yaml', 'target: hello.flow.yaml\ncases: [{ nme: x }]\n');
  const { code, stdout } = await cli.call(['test']);
  expect(code).toBe(1);
  expect(stdout).toContain(
    '✗ bad.test.yaml:1:9 The target "nowhere.flow.yaml" cannot be tested. There is no file nowhere.flow.yaml.',
  );
  expect(stdout).toContain('✗ worse.test.yaml:2:');
  expect(stdout).toContain('3 failed, 1 passed');
});

test('13.13 JUnit XML that a library reads', async () => {
  write();
  cli.write('bad.test.yaml', 'target: hello.flow.yaml\n');
  await cli.call(['test', '--junit', 'out.xml']);
  const text = readFileSync(path.join(cli.folder, 'out.xml'), 'utf8');
  expect(XMLValidator.validate(text)).toBe(true);
  const parsed = new XMLParser({
    ignoreAttributes: false,
    isArray: (name) => name === 'testsuite' || name === 'testcase',
  }).parse(text);
  expect(parsed.testsuites).toMatchObject({ '@_tests': '3', '@_failures': '1', '@_errors': '1' });
  const [bad, hello] = parsed.testsuites.testsuite;
  expect(bad).toMatchObject({ '@_name': 'bad.test.yaml', '@_errors': '1' });
  expect(bad.testcase[0].error['@_message']).toContain('`cases` is missing');
  expect(hello.testcase).toMatchObject([
    { '@_name': 'usual', '@_classname': 'hello.test.yaml', '@_line': '4' },
    { '@_name': '<odd> & "name" \ufffd é', failure: { '@_message': 'greet.text is "hello ]]> 1", not "a\\nb".' } },
  ]);
});

test('annotations for GitHub Actions', async () => {
  write();
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  const { stdout } = await cli.call(['test']);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(
    '::error file=hello.test.yaml,line=6,title=Test failed%3A <odd> & "name"  é::greet.text is "hello ]]> 1", not "a\\nb".',
  );
});

test('13.13 a missing recording comes first in every report, and what follows from it is one line', async () => {
  cli.write(
    'call.flow.yaml',
    `flow: { name: Call }
nodes:
  - { id: first, type: echo, input: { text: hi } }
  - { id: fetch, type: http.request, input: { url: "http://127.0.0.1:9/a" } }
  - { id: end, type: echo, input: { text: "{{fetch.body}}" } }
edges: [{ from: first, to: fetch }, { from: fetch, to: end }]
`,
  );
  cli.write(
    'call.test.yaml',
    `target: call.flow.yaml
cassette: call.cassette.yaml
cases:
  - { name: one, expect: { outputs: { first.text: ho, end.text: x }, ran: [end] } }
`,
  );
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  const { stdout } = await cli.call(['test', '--junit', 'out.xml']);
  const inOrder = /Node "fetch": The recording .*first\.text is "hi".*3 more checks fail because of that\./s;
  const [shown, annotation] = stdout.split('::error');
  expect(shown).toMatch(inOrder);
  expect(annotation).toMatch(inOrder);
  expect(readFileSync(path.join(cli.folder, 'out.xml'), 'utf8')).toMatch(
    /<failure message="Node &quot;fetch&quot;.*3 more checks fail because of that\.<\/failure>/s,
  );
  expect(stdout).not.toContain('end.text');
  vi.unstubAllEnvs();
  const lines = (await cli.call(['test', '--json'])).stdout.trim().split('\n');
  const { result } = lines.map((line) => JSON.parse(line)).find(({ type }) => type === 'case');
  expect(result.checks.filter(({ isOk }: { readonly isOk: boolean }) => !isOk)).toHaveLength(5);
});

test('--json prints each report, and --update accepts the new values', async () => {
  write();
  const { stdout } = await cli.call(['test', '--json', '--update']);
  const reports = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(reports.map(({ type }) => type)).toEqual(['start', 'case', 'case', 'end']);
  expect(reports[2].result.checks).toContainEqual(
    expect.objectContaining({ isOk: false, subject: 'greet.text', got: 'hello ]]> 1', nodeId: 'greet' }),
  );
  expect(readFileSync(path.join(cli.folder, 'hello.test.yaml'), 'utf8')).toBe(
    tests.replace('"a\\nb"', '"hello ]]> 1"'),
  );
  expect((await cli.call(['test'])).code).toBe(0);
});

test('--update reports what it wrote, and fails only for what is left', async () => {
  write();
  const { stdout, code } = await cli.call(['test', '--update']);
  expect(stdout).toContain('1 value was updated.');
  expect(code).toBe(0);
});

test('an invalid test file is named, whatever it was asked for by', async () => {
  write();
  writeFileSync(path.join(cli.folder, 'hello.test.yaml'), 'target: hello.flow.yaml\ncases: 1\n');
  expect((await cli.call(['test', 'hello.flow.yaml'])).stdout).toContain('hello.test.yaml:2:8 ');
  expect((await cli.call(['test', '--case', 'x'])).stderr).toContain('hello.test.yaml:2:8 ');
  expect((await cli.call(['test', '../x.test.yaml'])).stderr).toContain('is outside the workspace');
});

test('millrace schema test describes test files', async () => {
  const { code, stdout } = await cli.call(['schema', 'test']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ title: 'Test file', required: ['target', 'cases'] });
});
