/**
 * Runs the command line in the packaged program: a utility process of main. A packaged program cannot run as Node, so the
 * `millrace` command on the PATH starts this, and so does the service for triggers. Arguments: `command` or `service`, the
 * folder of the bundled packs, the program's private folder, then the command line's own arguments.
 */
import path from 'node:path';
import { Readable } from 'node:stream';
import type { EngineSettings } from '../../engine/cli/cli-context.ts';
import { runCli } from '../../engine/cli/run-cli.ts';

const [program = '', file = '', purpose = '', builtInPacks = '', ownFolder = '', ...args] = process.argv;
process.argv = [program, file, ...args];

/** The stdin of this process is empty. Main sends a piece of its stdin for each message. */
function readStdinFromMain(): void {
  const stdin = new Readable({ read: () => process.parentPort.postMessage('read') });
  process.parentPort.on('message', ({ data }) => stdin.push(data));
  Object.defineProperty(process, 'stdin', { value: stdin });
}

/**
 * Resolves with the settings of the desktop program's engines once main has sent the keys, which are kept only in the
 * memory of this process. Then obeys main.
 */
async function settingsFromMain(): Promise<EngineSettings> {
  const loaded = import('../ipc/host-messages.ts');
  let keys: Readonly<Record<string, string>> = {};
  await new Promise<void>((resolve) => {
    process.parentPort.on('message', async ({ data }) => {
      const message = (await loaded).toHostMessage.parse(data);
      if (message.type === 'shutdown') process.emit('SIGTERM', 'SIGTERM');
      if (message.type !== 'keys') return;
      ({ keys } = message);
      process.parentPort.postMessage({ type: 'keys-taken', delivery: message.delivery });
      resolve();
    });
  });
  return {
    keyOf: (variable) => (Object.hasOwn(keys, variable) ? keys[variable] : undefined),
    vault: () => keys,
    ...{ bindsKeys: true, confinesReading: true, asksPermission: true },
    privateFolders: [ownFolder],
  };
}

async function run(): Promise<void> {
  if (purpose === 'command') readStdinFromMain();
  const settings = purpose === 'service' ? await settingsFromMain() : undefined;
  const command = [path.join(path.dirname(process.execPath), 'bin', 'millrace')];
  const code = await runCli(process, { builtInPacks, command, ...(settings && { settings }) });
  // Writes to pipes are asynchronous here. Wait until the pipes have accepted the output.
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))));
  // The process would not exit by itself, because its channel to main stays open.
  process.exit(code);
}

void run();
