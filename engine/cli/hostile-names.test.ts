/** Tests texts with terminal control sequences wherever the command line shows untrusted text. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventsOf, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

const esc = '\u001b';
/**
 * Color, clearing, a title, CSI as one character, right-to-left text, and a line that imitates the program's output.
 */
const evil = `X${esc}[31m${esc}[2J${esc}]0;owned\u0007\u009b2J\u202e\rX`;
const inYaml = JSON.stringify(evil);

/** Control characters except tab and line feed, and characters that change the text direction. */
const steering = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

async function call(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await cli.call(args);
  const all = stdout + stderr;
  expect(all).not.toMatch(steering);
  expect(all).not.toMatch(/^\s+at /m);
  return all;
}

const flows: readonly (readonly [what: string, text: string])[] = [
  ['the name of a flow', `flow: { name: ${inYaml} }\nnodes: [{ id: a, type: echo, input: { text: x } }]\nedges: []`],
  ['an id', `flow: { name: F }\nnodes: [{ id: ${inYaml}, type: echo, input: { text: x } }]\nedges: []`],
  ['a type', `flow: { name: F }\nnodes: [{ id: a, type: ${inYaml}, input: { text: x } }]\nedges: []`],
  ['a key', `flow: { name: F, ${inYaml}: 1 }\nnodes: [{ id: a, type: echo, input: { text: x } }]\nedges: []`],
  ['a label', `flow: { name: F }\nnodes: [{ id: a, label: ${inYaml}, type: echo, input: { text: x } }]\nedges: []`],
  ['an output', `flow: { name: F }\nnodes: [{ id: a, type: echo, input: { text: ${inYaml} } }]\nedges: []`],
  [
    'the key of an output',
    `flow: { name: F }\nnodes: [{ id: a, type: echo, input: { text: { ${inYaml}: 1 } } }]\nedges: []`,
  ],
  ['a message', `flow: { name: F }\nnodes: [{ id: a, type: control.fail, input: { message: ${inYaml} } }]\nedges: []`],
  [
    'an edge',
    `flow: { name: F }\nnodes: [{ id: a, type: echo, input: { text: x } }]\nedges: [{ from: a, to: ${inYaml} }]`,
  ],
  [
    'a binding',
    `flow: { name: F }\nnodes: [{ id: a, type: echo, input: { text: "{{${evil.replace(/[^ -~]/g, '')}}}" } }]\nedges: []`,
  ],
  ['bytes in the text', `flow: { name: F }\nnodes: [{ id: a, type: echo, input: { text: '${evil}' } }]\nedges: []`],
  ['a file that is not a flow', `${evil}: [`],
];

describe('a flow', () => {
  test.each(flows)('with %s that contains control sequences', async (_, text) => {
    cli.write('x.flow.yaml', text);
    await call('validate', 'x.flow.yaml');
    await call('format', 'x.flow.yaml', '--check');
    await call('run', 'x.flow.yaml');
    const { stdout } = await cli.call(['run', 'x.flow.yaml', '--json']);
    expect(stdout).not.toMatch(steering);
    const [first] = eventsOf(stdout);
    await call('runs', 'list');
    if (first !== undefined) {
      await call('runs', 'show', first.runId);
      await call('runs', 'events', first.runId);
      await call('runs', 'export', first.runId);
      await call('rerun', first.runId, '--from', 'a', '--plan');
    }
  });

  test('has its unchanged name in JSON', async () => {
    cli.write('x.flow.yaml', flows[0]?.[1] ?? '');
    const [first] = eventsOf((await cli.call(['run', 'x.flow.yaml', '--json'])).stdout);
    expect(first?.event).toMatchObject({ name: evil });
    expect(await call('runs', 'events', first?.runId ?? '')).toContain(String.raw`\u202e`);
  });

  test('cannot insert lines through its name', async () => {
    cli.write(
      'x.flow.yaml',
      'flow: { name: "F\\n✓ completed in 1 ms\\n" }\nnodes: [{ id: a, type: control.fail, input: { message: "no" } }]\nedges: []',
    );
    expect((await call('run', 'x.flow.yaml')).split('\n')[0]).toMatch(/^F ✓ completed in 1 ms · /);
  });
});

test.runIf(process.platform !== 'win32')('sanitizes the name of a file', async () => {
  const name = `${evil.replaceAll('/', '')}.flow.yaml`;
  cli.write(name, flows[5]?.[1] ?? '');
  for (const args of [
    ['validate', name],
    ['run', name],
    ['runs', 'list'],
    ['format', name],
    ['run', `${name}x`],
  ])
    await call(...args);
});

test.each([
  ['run', `${evil}.flow.yaml`],
  ['run', evil],
  ['runs', 'show', evil],
  ['runs', 'value', evil],
  ['redo', evil],
  ['install', evil],
  ['list', evil],
  ['unpack', evil],
  ['uninstall', evil],
  ['new', 'pack', evil],
  ['pack', evil],
  [evil],
  [`--${evil}`],
  ['run', 'x', '--input', evil],
])('sanitizes an argument of %s', async (...args) => {
  await call(...args);
});

test('sanitizes an agent: its name, its label, what it logs, pins and throws', async () => {
  cli.write(
    'a.aip',
    `# Data\n\n\`\`\`lua\nprint("${'X\\27[31m\\27[2J\\194\\155'}")\naip.task.pin("p", "X\\27[2J")\naip.task.set_label("L\\27[2J")\nerror("E\\27[31m\\226\\128\\174")\n\`\`\`\n`,
  );
  await call('validate', 'a.aip');
  await call('run', 'a.aip', '-i', evil, '-v');
});

test('sanitizes a pack: its manifest and its agents', async () => {
  const folder = path.join(cli.folder, '.aipack', 'pack', 'custom', 'my', 'evil');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'pack.toml'),
    `[pack]\nnamespace = "my"\nname = "evil"\nversion = "1.0.0"\nlicense = "\\u001b[2J"\n[installed]\nsource = "\\u001b[2J\\u009b"\n`,
  );
  await call('list');
  writeFileSync(path.join(folder, 'pack.toml'), `[pack]\nnamespace = "\\u001b[2J"\nname = "\\u009b"\nversion = "1"\n`);
  await call('list');
  await call('run', 'my@evil');
  await call('pack', folder);
});
