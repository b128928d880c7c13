/**
 * Runs the command line in the packaged program: a utility process that main starts instead of a window. A packaged
 * program cannot run as Node, so the `millrace` command on the PATH starts this. Arguments: the folder of the bundled
 * packs, then the command line's own arguments.
 */
import { Readable } from 'node:stream';
import { runCli } from '../../engine/cli/run-cli.ts';

const [program = '', file = '', builtInPacks = '', ...args] = process.argv;
process.argv = [program, file, ...args];
// The stdin of this process is empty. Main sends a piece of its stdin for each message.
const stdin = new Readable({ read: () => process.parentPort.postMessage('read') });
process.parentPort.on('message', ({ data }) => stdin.push(data));
Object.defineProperty(process, 'stdin', { value: stdin });
// The process would not exit by itself, because its channel to main stays open.
void runCli(process, builtInPacks).then(async (code) => {
  // Writes to pipes are asynchronous here. Wait until the pipes have accepted the output.
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))));
  process.exit(code);
});
