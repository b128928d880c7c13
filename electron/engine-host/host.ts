/**
 * The engine host: a utility process with the engine of one workspace. Main hands it a port for each window and ends it.
 */
import type { MessageEvent, MessagePortMain } from 'electron';
import { createEngine, type Engine } from '../../engine/index.ts';
import { EngineError, systemClock } from '../ipc/engine-base.ts';
import { type FromHostMessage, type ToHostMessage, toHostMessage } from '../ipc/host-messages.ts';
import { createLine, type PortTransport } from '../ipc/transport.ts';
import { serveWindow } from './serve-window.ts';

/** Starts a port of Electron's own kind, which main handed over, and makes it a transport. */
function transportOverMainPort(port: MessagePortMain): PortTransport {
  const line = createLine(port);
  port.on('message', ({ data }) => line.deliver(data));
  port.on('close', line.cut);
  port.start();
  return line;
}

/** Exit code of a host whose engine threw what nobody expected. Main starts another. */
const crashExitCode = 1;

const windows = new Set<PortTransport>();

function tellMain(message: FromHostMessage): void {
  process.parentPort.postMessage(message);
}

function crash(error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`millrace engine host: ${text}\n`);
  process.exit(crashExitCode);
}

function admitWindow(engine: Engine, event: MessageEvent): void {
  const [port] = event.ports;
  if (port === undefined) return;
  const transport = transportOverMainPort(port);
  windows.add(transport);
  transport.onClose(() => windows.delete(transport));
  serveWindow(engine, transport, systemClock);
}

/** Main asks the user before it ends a host in which runs go on. */
function reportRuns(engine: Engine): void {
  const underWay = new Set<string>();
  engine.subscribe((events) => {
    const before = underWay.size;
    for (const { runId, parentRunId, event } of events) {
      if (event.type === 'run:start' && parentRunId === undefined) underWay.add(runId);
      if (event.type === 'run:end') underWay.delete(runId);
    }
    if (underWay.size !== before) tellMain({ type: 'runs', underWay: underWay.size });
  });
}

async function shutDown(engine: Engine): Promise<void> {
  await engine.close();
  for (const transport of windows) transport.close();
  process.exit(0);
}

/** Keys stay in this process's memory: no window, event, log or error has them. */
let keys: ReadonlyMap<string, string> = new Map();

function takeKeys({ keys: taken, delivery }: Extract<ToHostMessage, { type: 'keys' }>): void {
  keys = new Map(Object.entries(taken));
  tellMain({ type: 'keys-taken', delivery });
}

async function start([
  workspace = '',
  builtInPacks = '',
  ownFolder = '',
  examplesFolder = '',
]: readonly string[]): Promise<void> {
  const whenKeysCame = new Promise<void>((resolve) => {
    process.parentPort.on('message', (event) => {
      const message = toHostMessage.parse(event.data);
      if (message.type === 'keys') {
        takeKeys(message);
        resolve();
      } else {
        // An engine that cannot be made is told of below.
        engine.then((made) => obey(made, message.type, event)).catch(() => undefined);
      }
    });
  });
  // Where the vault lies, among other things.
  const privateFolders = [ownFolder];
  const keyOf = (variable: string): string | undefined => keys.get(variable);
  const engine = whenKeysCame.then(() =>
    createEngine({ workspace, keyOf, builtInPacks, examplesFolder, privateFolders }),
  );
  reportRuns(await engine);
  tellMain({ type: 'ready' });
}

function obey(engine: Engine, wish: 'port' | 'shutdown', event: MessageEvent): void {
  if (wish === 'port') admitWindow(engine, event);
  else shutDown(engine).catch(crash);
}

// A terminal sends these to all processes of the program. Main hears them, too, and ends this one when its runs are stored.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);

start(process.argv.slice(2)).catch((error: unknown) => {
  if (!EngineError.is(error)) crash(error);
  // Main ends this process: an exit of its own could overtake the message.
  tellMain({ type: 'refused', message: error.message });
});
