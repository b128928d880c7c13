/**
 * Runs the engine host as an Electron utility process.
 */
import { app, type MessagePortMain, type UtilityProcess, utilityProcess } from 'electron';
import { personContract } from '../../ipc/contracts/person-contract.ts';
import { fromHostMessage } from '../../ipc/host-messages.ts';
import { createClient } from '../../ipc/rpc.ts';
import { createLine } from '../../ipc/transport.ts';
import type { KeyDelivery } from '../consent/key-delivery.ts';
import type { DiagnosticLog } from '../diagnostics/log-file.ts';
import { recordStream } from '../diagnostics/record.ts';
import { assistantTexts, builtInPacks, engineHostFile, shippedExamples, shippedGallery } from '../program-paths.ts';
import type { RemoteFolder } from '../remote/remote-connections.ts';
import type { HostProcess } from './engine-supervisor.ts';

interface EngineHostOptions {
  readonly delivery: KeyDelivery;
  readonly log: DiagnosticLog;
  /** An empty folder to use instead of the user's packs, settings and trust; undefined to use the user's own. */
  readonly baseFolder: string | undefined;
  /** The remote history that the workspace represents; undefined for a folder of the user. */
  readonly remote: RemoteFolder | undefined;
  /** The file of the sent run that the workspace represents; undefined for other folders. */
  readonly sentRun: string | undefined;
}

/**
 * Starts a workspace's engine host and sends it keys until it exits. Must run after the app is ready; otherwise
 * Electron crashes.
 */
export function forkEngineHost(
  workspace: string,
  { delivery, log, baseFolder, remote, sentRun }: EngineHostOptions,
): HostProcess<MessagePortMain> {
  const packs = baseFolder === undefined ? builtInPacks() : '';
  const place = remote && { place: remote.connection.place, workspace: remote.workspace };
  const shown = place ?? (sentRun === undefined ? undefined : { sentRun });
  const folders = [workspace, packs, app.getPath('userData'), shippedExamples(), baseFolder ?? '', shippedGallery()];
  const args = [...folders, assistantTexts(), shown === undefined ? '' : JSON.stringify(shown)];
  const child = utilityProcess.fork(engineHostFile, args, {
    serviceName: 'Millrace Engine',
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  if (child.stderr !== null) recordStream(log, 'engine', child.stderr);
  const keys = delivery.attach((message) => child.postMessage(message));
  const line = createLine({
    postMessage: (message) => child.postMessage({ type: 'person', message }),
    close: () => undefined,
  });
  child.once('exit', () => {
    keys.leave();
    line.cut();
  });
  return {
    person: createClient(personContract, line),
    send: (message, ports) => child.postMessage(message, [...ports]),
    kill: () => killNow(child),
    onMessage(listener) {
      child.on('message', (data) => {
        const message = fromHostMessage.parse(data);
        if (message.type === 'keys-taken') keys.took(message.delivery);
        else if (message.type === 'person') line.deliver(message.message);
        else listener(message);
      });
    },
    onExit(listener) {
      child.once('exit', listener);
    },
  };
}

/** Electron's own `kill` sends SIGTERM, which a stopped process never handles. */
function killNow(child: UtilityProcess): void {
  const { pid } = child;
  try {
    if (pid === undefined) child.kill();
    else process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}
