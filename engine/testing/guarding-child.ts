/**
 * A program that starts commands and does nothing more until it is killed. Called as `<workspace> <program> …`, it runs shell commands as
 * flows and scripts do and starts one as a server, all of them with the shell line that follows. When that of the script has ended, it writes the file `script-is-over`.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createCommandRunner } from '../command/command-runner.ts';
import { endServerWithEngine } from '../command/engine-guard.ts';
import { commandMark } from '../command/process-tree.ts';
import { runCommand } from '../script/run-command.ts';

const [workspace = '', ofFlow = '', ofScript = '', ofServer = ''] = process.argv.slice(2);
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
const server = spawn('sh', ['-c', ofServer], { env: { ...environment, [commandMark]: mark }, stdio: 'ignore' });
endServerWithEngine(server, mark);
setInterval(() => undefined, 60_000);
