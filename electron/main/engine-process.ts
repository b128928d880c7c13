/**
 * The engine host as a utility process of Electron.
 */
import { app, type MessagePortMain, utilityProcess } from 'electron';
import { fromHostMessage } from '../ipc/host-messages.ts';
import type { HostProcess } from './engine-supervisor.ts';
import type { KeyDelivery } from './key-delivery.ts';
import { builtInPacks, engineHostFile, shippedExamples } from './program-paths.ts';

/**
 * Starts the engine host of a workspace and brings it keys for as long as it lives. Only after the app is ready: before,
 * Electron crashes.
 */
export function forkEngineHost(workspace: string, delivery: KeyDelivery): HostProcess<MessagePortMain> {
  const args = [workspace, builtInPacks(), app.getPath('userData'), shippedExamples()];
  const child = utilityProcess.fork(engineHostFile, args, { serviceName: 'Millrace Engine', stdio: 'inherit' });
  const keys = delivery.attach((message) => child.postMessage(message));
  child.once('exit', () => keys.leave());
  return {
    send: (message, ports) => child.postMessage(message, [...ports]),
    kill: () => void child.kill(),
    onMessage(listener) {
      child.on('message', (data) => {
        const message = fromHostMessage.parse(data);
        if (message.type === 'keys-taken') keys.took(message.delivery);
        else listener(message);
      });
    },
    onExit(listener) {
      child.once('exit', listener);
    },
  };
}
