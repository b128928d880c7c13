/**
 * A program that starts commands and then waits until it is killed. Called as `<workspace> <program> …`: runs shell
 * commands like a flow and like a script do, and starts one as a server, each with its own shell command from the
 * arguments. When the script's command has ended, it writes the file `script-is-over`. A fifth argument names one of
 * these shell commands; the program then stops permanently right after starting it, before it can record the process.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { createCommandRunner } from '../world/command/command-runner.ts';
import { guardProgram } from '../world/command/engine-guard.ts';
import { commandMark } from '../world/command/process-tree.ts';
import { runCommand } from '../world/script/run-command.ts';

const [workspace = '', ofFlow = '', ofScript = '', ofServer = '', stopsAt] = process.argv.slice(2);
if (stopsAt !== undefined) stopWhenStarted(stopsAt);
const { signal } = new AbortController();
const environment = process.env;
const runner = createCommandRunner({
  ...{ workspace, environment, isTrusted: async () => true },
  policy: () => ({ decision: 'allow', rule: 'test', reason: '', trustHelps: false }),
});
void runner.run({ program: 'sh', args: ['-c', ofFlow], env: {}, maxBytes: 1000 }, signal);
const asked = { command: 'sh', args: ['-c', ofScript], cwd: workspace, environment };
void runCommand(asked, signal).then(() => writeFileSync(path.join(workspace, 'script-is-over'), '1'));
const mark = 'server-mark';
const guard = guardProgram(mark, 'server');
guard.started(spawn('sh', ['-c', ofServer], { env: { ...environment, [commandMark]: mark }, stdio: 'ignore' }));
setInterval(() => undefined, 60_000);

function stopWhenStarted(line: string): void {
  const programs = createRequire(import.meta.url)('node:child_process') as { spawn: typeof spawn };
  const start = programs.spawn as (...all: readonly unknown[]) => unknown;
  const startAndStop = (...all: readonly unknown[]): unknown => {
    const child = start(...all);
    if ((all[1] as readonly string[])[1] === line) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return child;
  };
  programs.spawn = startAndStop as typeof spawn;
  syncBuiltinESMExports();
}
