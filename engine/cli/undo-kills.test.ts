/** Kills the command that undoes a run with -9 at random moments, and undoes the rest afterwards. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createDice } from '../testing/chaos-sessions.ts';
import { setUpBuiltCli } from '../testing/cli-fixture.ts';
import { testRounds } from '../testing/test-rounds.ts';

const cli = setUpBuiltCli();
const count = 20;
const names = Array.from({ length: count }, (_, index) => `n${index}`);

/** Replaces `in/NAME`, and creates `out/NAME/made`, for each name. */
const flow = `flow: { name: Save, policy: { maxParallel: 1 } }
nodes:
  - { id: each, type: control.foreach, input: { items: [${names.join(', ')}], body: [change, make] } }
  - { id: change, type: file.write, input: { path: "in/{{item}}", text: "new {{item}}" } }
  - { id: make, type: file.write, input: { path: "out/{{item}}/made", text: "made {{item}}" } }
edges: [{ from: change, to: make }]`;

/** Returns the content of all files in a folder of the workspace, by path. */
function contents(of: string): Readonly<Record<string, string>> {
  const folder = path.join(cli.folder, 'ws', of);
  if (!existsSync(folder)) return {};
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      if (!entry.isFile() || entry.name.endsWith('.tmp')) return [];
      const file = path.join(entry.parentPath, entry.name);
      return [[path.relative(folder, file), readFileSync(file, 'utf8')] as const];
    }),
  );
}

const old = (): number => Object.values(contents('in')).filter((text) => text.startsWith('old')).length;

test('an undo that is killed loses nothing, and the next one finishes it', async () => {
  cli.write('ws/save.flow.yaml', flow);
  for (const name of names) cli.write(`ws/in/${name}`, `old ${name}`);
  const before = contents('in');
  const roll = createDice(39);
  let interrupted = 0;
  for (let round = 0; round < testRounds(2); round++) {
    const run = await cli.call(['run', 'ws/save.flow.yaml', '--workspace', 'ws']);
    expect([run.code, Object.keys(contents('out')).length]).toEqual([0, count]);
    const { child, result } = cli.start(['runs', 'undo', 'latest', '--yes', '--workspace', 'ws']);
    // Files are put back one after the other. Half of them leave enough work for a kill that comes late.
    const from = Math.floor((roll() * count) / 2);
    while (old() < from && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGKILL');
    await result;
    const rest = contents('in');
    expect(Object.keys(rest).sort()).toEqual([...names].sort());
    for (const [name, text] of Object.entries(rest)) expect([`old ${name}`, `new ${name}`]).toContain(text);
    for (const [file, text] of Object.entries(contents('out'))) expect(text).toBe(`made ${path.dirname(file)}`);
    if (old() < count || Object.keys(contents('out')).length > 0) interrupted++;
    const end = await cli.call(['runs', 'undo', 'latest', '--yes', '--workspace', 'ws']);
    expect([end.code, contents('in'), existsSync(path.join(cli.folder, 'ws/out'))]).toEqual([0, before, false]);
  }
  expect(interrupted).toBeGreaterThan(0);
}, 600_000);
