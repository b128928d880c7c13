/** Runs `millrace test --watch` as a process, and changes files meanwhile. */
import { expect, test } from 'vitest';
import { helloFlow, setUpBuiltCli } from '../testing/cli-fixture.ts';

const cli = setUpBuiltCli();

test('--watch runs the tests again after a change, and ends with Ctrl-C', async () => {
  cli.write('ws/hello.flow.yaml', helloFlow);
  cli.write(
    'ws/hello.test.yaml',
    'target: hello.flow.yaml\ncases: [{ name: one, expect: { outputs: { greet.text: hello world 1 } } }]\n',
  );
  const { child, result } = cli.start(['test', '--watch', '--workspace', 'ws']);
  let shown = '';
  child.stdout?.on('data', (piece) => {
    shown += String(piece);
  });
  const until = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(shown) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await until(/1 passed/);
  // The watch of files starts a moment later, so the change is repeated until it is seen.
  for (let round = 0; !/1 failed/.test(shown) && child.exitCode === null; round++) {
    cli.write('ws/hello.flow.yaml', helloFlow.replace('hello {{', `bye${round} {{`));
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(shown).toMatch(/greet\.text is "bye\d+ world 1", not "hello world 1"/);
  child.kill('SIGINT');
  expect((await result).code).toBe(130);
}, 120_000);
