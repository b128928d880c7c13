/**
 * The engine host as a utility process of Electron.
 */
import { type MessagePortMain, utilityProcess } from 'electron';
import { fromHostMessage } from '../ipc/host-messages.ts';
import type { HostProcess } from './engine-supervisor.ts';
import { engineHostFile } from './program-paths.ts';

/** Starts the engine host of a workspace. Only after the app is ready: before, Electron crashes. */
export function forkEngineHost(workspace: string): HostProcess<MessagePortMain> {
  const child = utilityProcess.fork(engineHostFile, [workspace], { serviceName: 'Millrace Engine', stdio: 'inherit' });
  return {
    send: (message, ports) => child.postMessage(message, [...ports]),
    kill: () => void child.kill(),
    onMessage(listener) {
      child.on('message', (message) => listener(fromHostMessage.parse(message)));
    },
    onExit(listener) {
      child.once('exit', listener);
    },
  };
}
