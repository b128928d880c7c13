/** Kills `millrace runs save-test` with -9, and reads every file that it leaves. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseCassette } from '../history/cassette/cassette-file.ts';
import { parseCases } from '../language/cases/parse-cases.ts';
import { createDice } from '../testing/chaos-sessions.ts';
import { setUpBuiltCli } from '../testing/cli-fixture.ts';
import { testRounds } from '../testing/test-rounds.ts';

const cli = setUpBuiltCli();
const at = (name: string): string => path.join(cli.folder, 'ws', name);

/** Checks that the test file is valid and that its recordings are there. Returns the number of its cases. */
function expectWhole(): number {
  const recordings = existsSync(at('ask.cassettes')) ? readdirSync(at('ask.cassettes')) : [];
  for (const name of recordings.filter((one) => !one.endsWith('.tmp')))
    expect(parseCassette(name, readFileSync(at(`ask.cassettes/${name}`), 'utf8')).length).toBe(1);
  if (!existsSync(at('ask.test.yaml'))) return 0;
  const { doc, diagnostics } = parseCases(readFileSync(at('ask.test.yaml'), 'utf8'));
  expect(diagnostics).toEqual([]);
  for (const one of doc?.cases ?? []) expect(existsSync(at(one.cassette ?? ''))).toBe(true);
  return doc?.cases.length ?? 0;
}

test('13.13 saving a run as a test that is killed leaves no half-written file, and the next one works', async () => {
  cli.write('ws/model.yaml', 'replies:\n  - { match: "Hello", reply: "Hello, Ann." }\n');
  cli.write(
    'ws/ask.flow.yaml',
    'flow: { name: Ask }\nnodes: [{ id: ask, type: prompt, config: { model: "scripted::model.yaml" }, input: { prompt: Hello } }]\nedges: []\n',
  );
  expect((await cli.call(['run', 'ws/ask.flow.yaml', '--workspace', 'ws'])).code).toBe(0);
  const roll = createDice(24);
  let cases = 0;
  for (let round = 0; round < testRounds(3); round++) {
    const { child, result } = cli.start(['runs', 'save-test', 'latest', '--workspace', 'ws']);
    const before = existsSync(at('ask.cassettes')) ? readdirSync(at('ask.cassettes')).length : 0;
    // Half of the rounds wait for the recording, which is written just before the test file.
    const waitsForRecording = roll() < 0.5;
    const until = Date.now() + roll() * 1_500;
    const isDue = (): boolean =>
      waitsForRecording
        ? existsSync(at('ask.cassettes')) && readdirSync(at('ask.cassettes')).length > before
        : Date.now() > until;
    while (!isDue() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGKILL');
    await result;
    const left = expectWhole();
    expect([cases, cases + 1]).toContain(left);
    cases = left;
  }
  const saved = await cli.call(['runs', 'save-test', 'latest', '--workspace', 'ws']);
  expect([saved.code, expectWhole()]).toEqual([0, cases + 1]);
  const tested = await cli.call(['test', '--workspace', 'ws']);
  expect([tested.code, tested.stdout]).toEqual([0, expect.stringContaining(`${cases + 1} passed`)]);
}, 600_000);
