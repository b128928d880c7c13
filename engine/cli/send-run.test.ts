import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

const flow = `flow: { name: Tea }
nodes:
  - id: mail
    type: echo
    input: { text: "top-secret-value-1 for kim@mail.example.org about Operation Teapot" }
edges: []
`;

async function ranOnce(): Promise<void> {
  cli.write('tea.flow.yaml', flow);
  mkdirSync(path.join(cli.folder, '.millrace'), { recursive: true });
  cli.write('.millrace/.env', 'TEA_KEY=top-secret-value-1\n');
  const { code, stderr } = await cli.call(['run', 'tea.flow.yaml']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
}

test('runs send lists private values, and writes the run and its flow without them', async () => {
  await ranOnce();
  const listed = await cli.call(['runs', 'send', 'latest', '--dry-run', '--json', '--word', 'operation teapot']);
  expect({ code: listed.code, stderr: listed.stderr }).toEqual({ code: 0, stderr: '' });
  const found: { kind: string; id: string; places: unknown }[] = JSON.parse(listed.stdout);
  expect(found.map(({ kind }) => kind)).toEqual(['known', 'word', 'email']);
  expect(found[0]?.places).toEqual([{ part: 'flow' }, { part: 'node', name: 'mail' }, { part: 'run' }]);
  expect(readdirSync(cli.folder)).not.toContain('sent.json');

  const args = ['runs', 'send', 'latest', '--out', 'sent.json', '--word', 'operation teapot'];
  const sent = await cli.call([...args, '--keep', 'email']);
  expect(sent.code).toBe(0);
  expect(sent.stderr).toMatch(/replaces \w{12} known 4× in flow, node mail/);
  expect(sent.stderr).toMatch(/keeps \w{12} email/);
  const text = readFileSync(path.join(cli.folder, 'sent.json'), 'utf8');
  expect(JSON.parse(text).definition).toContain('"[secret] for kim@mail.example.org about [redacted]"');
  expect(text).not.toMatch(/top-secret|teapot/i);
});

test('runs send writes a page for browsers without them', async () => {
  await ranOnce();
  const sent = await cli.call(['runs', 'send', 'latest', '--html', '--out', 'sent.html']);
  expect(sent.code).toBe(0);
  const page = readFileSync(path.join(cli.folder, 'sent.html'), 'utf8');
  expect(page).toContain('<h2>Outputs</h2>');
  expect(page).toContain('[secret] for [email] about Operation Teapot');
  expect(page).not.toMatch(/top-secret|kim@mail/);
});

test('runs replay runs a sent run again without a workspace, and names the node without a result', async () => {
  await ranOnce();
  await cli.call(['runs', 'send', 'latest', '--out', 'sent.json']);
  mkdirSync(path.join(cli.folder, 'elsewhere'));
  const replayed = await cli.call(['runs', 'replay', 'sent.json', '--workspace', 'elsewhere']);
  expect({ code: replayed.code, stderr: replayed.stderr }).toEqual({ code: 0, stderr: '' });
  expect(replayed.stdout).toMatch(/#2\nrerun of .*\[secret\] for \[email\]/s);
  expect(readdirSync(path.join(cli.folder, 'elsewhere'))).toEqual([]);
  const sent = JSON.parse(readFileSync(path.join(cli.folder, 'sent.json'), 'utf8'));
  sent.events = sent.events.filter(({ event }: { event: { type: string } }) => event.type !== 'task:complete');
  writeFileSync(path.join(cli.folder, 'sent.json'), JSON.stringify(sent));
  const missing = await cli.call(['runs', 'replay', 'sent.json']);
  expect(missing.code).toBe(1);
  expect(missing.stdout).toContain('The sent run has no recorded result of "mail"');
});

test('runs send explains what is missing', async () => {
  await ranOnce();
  const unset = await cli.call(['runs', 'send', 'latest']);
  expect({ code: unset.code, stderr: unset.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('--out FILE'),
  });
  const wrong = await cli.call(['runs', 'send', 'latest', '--out', 'a.json', '--keep', 'abc']);
  expect({ code: wrong.code, stderr: wrong.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('--keep abc'),
  });
  expect(readdirSync(cli.folder)).not.toContain('a.json');
});

test('runs open shows a sent run elsewhere, and names what is damaged', async () => {
  await ranOnce();
  await cli.call(['runs', 'send', 'latest', '--out', 'sent.json']);
  mkdirSync(path.join(cli.folder, 'elsewhere'));
  const elsewhere = ['--workspace', 'elsewhere'];
  const opened = await cli.call(['runs', 'open', 'sent.json', ...elsewhere]);
  expect({ code: opened.code, stderr: opened.stderr }).toEqual({ code: 0, stderr: '' });
  expect(opened.stdout).toContain('[secret] for [email] about Operation Teapot');
  const shown = await cli.call(['runs', 'show', 'latest']);
  const withoutPrivate = shown.stdout.replaceAll('top-secret-value-1', '[secret]').replaceAll(/\S+@\S+/g, '[email]');
  expect(opened.stdout).toBe(withoutPrivate);
  expect(readdirSync(path.join(cli.folder, 'elsewhere'))).toEqual([]);

  const text = readFileSync(path.join(cli.folder, 'sent.json'), 'utf8');
  writeFileSync(path.join(cli.folder, 'cut.json'), text.slice(0, text.indexOf('"run:end"')));
  const cut = await cli.call(['runs', 'open', 'cut.json', '--json']);
  expect(JSON.parse(cut.stdout)).toMatchObject({ status: 'interrupted' });
  expect(cut.stderr).toContain('note: The file is damaged');
  const other = await cli.call(['runs', 'open', 'tea.flow.yaml']);
  expect({ code: other.code, stderr: other.stderr }).toEqual({
    code: expect.any(Number),
    stderr: expect.stringContaining('tea.flow.yaml is not a run that Millrace has sent or exported'),
  });
  expect(other.code).not.toBe(0);
});
