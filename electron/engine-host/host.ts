/**
 * The engine host: a utility process that runs the engine of one workspace. Main passes it a port for each window and
 * ends the process.
 */
import type { MessageEvent, MessagePortMain } from 'electron';
import { z } from 'zod';
import type { Engine, EngineOptions, RunActions, RunReads } from '../../engine/index.ts';
import { openWorkspaceFlows } from '../../engine/workspace-flows.ts';
import { personContract } from '../ipc/contracts/person-contract.ts';
import { type RemotePlace, remotePlace, remoteWorkspace } from '../ipc/contracts/remote-contract.ts';
import { EngineError, type RunId, systemClock } from '../ipc/engine-base.ts';
import { type FromHostMessage, remotePasswordKey, type ToHostMessage, toHostMessage } from '../ipc/host-messages.ts';
import { serve } from '../ipc/rpc-server.ts';
import { createLine, type PortTransport } from '../ipc/transport.ts';
import { createLateEngine, type LateEngine } from './late-engine.ts';
import { serveWindow, type WindowSources } from './serve-window.ts';

/** Starts an Electron port received from main and wraps it in a transport. */
function transportOverMainPort(port: MessagePortMain): PortTransport {
  const line = createLine(port);
  port.on('message', ({ data }) => line.deliver(data));
  port.on('close', line.cut);
  port.start();
  return line;
}

/** Exit code of a host with an unexpected engine error. Main starts a new host. */
const crashExitCode = 1;

/** What the workspace represents: a remote history, or a sent run. */
const shownArgument = z.union([
  z.object({ place: remotePlace, workspace: remoteWorkspace }),
  z.object({ sentRun: z.string() }),
]);

const windows = new Set<PortTransport>();

function tellMain(message: FromHostMessage): void {
  process.parentPort.postMessage(message);
}

function crash(error: unknown): never {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`millrace engine host: ${text}\n`);
  process.exit(crashExitCode);
}

function admitWindow(sources: WindowSources, event: MessageEvent): void {
  const [port] = event.ports;
  if (port === undefined) return;
  const transport = transportOverMainPort(port);
  windows.add(transport);
  transport.onClose(() => windows.delete(transport));
  serveWindow(sources, transport);
}

/** Reports active runs to main, which asks the user before it ends a host that has some. */
function reportRuns(runs: Pick<RunReads, 'subscribe'>): void {
  const underWay = new Set<string>();
  runs.subscribe((events) => {
    const before = [...underWay].join();
    for (const { runId, parentRunId, event } of events) {
      const begins = event.type === 'run:start' || event.type === 'run:resumed';
      if (begins && parentRunId === undefined) underWay.add(runId);
      if (event.type === 'run:end' || event.type === 'run:suspended') underWay.delete(runId);
    }
    if ([...underWay].join() !== before) tellMain({ type: 'runs', underWay: [...underWay] });
  });
}

/**
 * Resumes the runs of an unresponsive host that the user ended. A run that cannot be resumed is listed as interrupted.
 */
async function resumeRuns(runs: Pick<RunActions, 'resumeRun'>, runIds: readonly string[]): Promise<void> {
  for (const runId of runIds) {
    await runs
      .resumeRun({ runId: runId as RunId })
      .catch((error: unknown) =>
        process.stderr.write(`millrace engine host: run ${runId} could not be resumed: ${error}\n`),
      );
  }
}

async function shutDown(engine: Engine | undefined): Promise<void> {
  await engine?.close();
  for (const transport of windows) transport.close();
  process.exit(0);
}

/** The connection for calls that main makes on behalf of the user. */
const personLine = createLine({
  postMessage: (message) => tellMain({ type: 'person', message }),
  close: () => undefined,
});

/** Keys are kept only in the memory of this process. No window, event, log or error contains them. */
let keys: ReadonlyMap<string, string> = new Map();

function takeKeys({ keys: taken, delivery }: Extract<ToHostMessage, { type: 'keys' }>): void {
  keys = new Map(Object.entries(taken));
  tellMain({ type: 'keys-taken', delivery });
}

/**
 * Time in milliseconds after which the engine is loaded. Windows usually need it earlier, as soon as they display data.
 */
const latestStartMs = 3000;

/** Returns the function that opens the engine of a folder, or of what it represents, which main has named. */
async function engineOpener(shown: string): Promise<(options: EngineOptions) => Promise<Engine>> {
  if (shown === '') return (await import('../../engine/index.ts')).createEngine;
  const found = shownArgument.parse(JSON.parse(shown));
  const { openRemoteEngine, openSentEngine } = await import('../../engine/remote.ts');
  if ('sentRun' in found) return (options) => openSentEngine({ ...options, file: found.sentRun });
  const { place, workspace } = found;
  const password = (): string | undefined => keys.get(remotePasswordKey);
  return (options) => openRemoteEngine({ ...options, place, remoteWorkspace: workspace, password });
}

/** The flows of a remote history or a sent run are known only to its engine. */
function lateFlows({ need }: LateEngine): WindowSources['flows'] {
  return {
    listFlows: async () => await (await need()).listFlows(),
    readFlow: async (path) => await (await need()).readFlow(path),
  };
}

async function listRemoteWorkspaces(place: RemotePlace, password: string | null): Promise<readonly string[]> {
  const { listRemoteWorkspaces: list } = await import('../../engine/remote.ts');
  return await list(place, password ?? undefined);
}

async function start([
  workspace = '',
  builtInPacks = '',
  ownFolder = '',
  examplesFolder = '',
  baseFolder = '',
  galleryFolder = '',
  assistantFolder = '',
  shown = '',
]: readonly string[]): Promise<void> {
  let tellKeys: () => void = () => undefined;
  const whenKeysCame = new Promise<void>((resolve) => {
    tellKeys = resolve;
  });
  // This folder contains the vault, for example.
  const privateFolders = [ownFolder];
  const keyOf = (variable: string): string | undefined => keys.get(variable);
  const engine = createLateEngine(async () => {
    const [open] = await Promise.all([engineOpener(shown), whenKeysCame]);
    return open({
      workspace,
      keyOf,
      vault: () => Object.fromEntries(keys),
      bindsKeys: true,
      startedBy: { kind: 'person' },
      confinesReading: true,
      resumesAnswered: true,
      asksPermission: true,
      ...(builtInPacks === '' ? {} : { builtInPacks }),
      ...(baseFolder === '' ? {} : { homeFolder: baseFolder }),
      examplesFolder,
      galleryFolder,
      assistantFolder,
      privateFolders,
    });
  });
  // Registered first, because calls waiting for the engine run immediately after it.
  const isServed = engine.made.then((made) => {
    // Runs in a remote history do not end with this host.
    if (shown === '') {
      reportRuns(made);
      made.followRetention();
    }
    serve(personContract, { ...made, listRemoteWorkspaces }, personLine);
  });
  const flows = shown === '' ? openWorkspaceFlows(workspace) : lateFlows(engine);
  const sources = { flows, engine, clock: systemClock };
  process.parentPort.on('message', (event) => {
    const message = toHostMessage.parse(event.data);
    if (message.type === 'ping') tellMain({ type: 'pong' });
    else if (message.type === 'keys') {
      takeKeys(message);
      tellKeys();
    } else if (message.type === 'port') admitWindow(sources, event);
    else obey(engine, message);
  });
  tellMain({ type: 'ready' });
  systemClock.setTimer(() => void engine.need().catch(() => undefined), latestStartMs);
  await isServed;
}

type HostRequest = Exclude<ToHostMessage, { type: 'ping' | 'keys' | 'port' }>;

function obey(engine: LateEngine, wish: HostRequest): void {
  if (wish.type === 'shutdown') {
    // An engine that was never created, or could not be created, has nothing to store.
    const made = engine.isNeeded ? engine.made.catch(() => undefined) : Promise.resolve(undefined);
    made.then(shutDown).catch(crash);
    return;
  }
  engine.need().then(
    (made) => (wish.type === 'person' ? personLine.deliver(wish.message) : resumeRuns(made, wish.runIds).catch(crash)),
    // Reported below.
    () => undefined,
  );
}

// A terminal sends these signals to all processes of the program. Main also receives them and ends this process once
// its runs are stored.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);

start(process.argv.slice(2)).catch((error: unknown) => {
  if (!EngineError.is(error)) crash(error);
  // Main ends this process, because exiting here could lose the message.
  tellMain({ type: 'refused', message: error.message });
});
