/**
 * The main process from the point of view of the page.
 */
export { maxPinBytes, maxPinsBytes } from '../../electron/ipc/pinned-outputs.ts';

import type { z } from 'zod';
import type { MainBridge } from '../../electron/ipc/bridge.ts';
import { mainContract, mainPushes, type Preferences, type Theme } from '../../electron/ipc/contracts/main-contract.ts';
import { onPush, type PushListeners } from '../../electron/ipc/pushes.ts';
import { type ArgsOf, type Client, createClient, type ResultOf, type RpcReply } from '../../electron/ipc/rpc.ts';
import { createLine, type Transport } from '../../electron/ipc/transport.ts';
import { text } from './text.ts';

type Pushes = typeof mainPushes;

/** Arguments of a call to main. */
export type MainArgs<Name extends keyof typeof mainContract> = ArgsOf<(typeof mainContract)[Name]>;

/** Result of a call to main. */
export type MainResult<Name extends keyof typeof mainContract> = ResultOf<(typeof mainContract)[Name]>;

export type EnvNames = ResultOf<(typeof mainContract)['secrets.readEnv']>;
export type AppInfo = ResultOf<(typeof mainContract)['app.info']>;
export type EngineState = z.output<Pushes['engine.state']>;

export type { BackgroundState, SessionService } from '../../electron/ipc/contracts/background-contract.ts';
export type { DeliverySetting, DeliveryState } from '../../electron/ipc/contracts/delivery-contract.ts';
export type { OtherWorkspace } from '../../electron/ipc/contracts/inbox-contract.ts';
export type { RemotePlace } from '../../electron/ipc/contracts/remote-contract.ts';
export type { UpdateStep, Updates } from '../../electron/ipc/contracts/update-contract.ts';
export type { Preferences, Theme };

export type FileVersion = ResultOf<(typeof mainContract)['versions.list']>['versions'][number];

/** Main's response to an edit step of a file. */
export type StepAnswer = ResultOf<(typeof mainContract)['draft.step']>;

export interface MainClient {
  /** Throws the error returned by main. */
  readonly call: Client<typeof mainContract>['call'];
  /** Subscribes to pushes of main. Returns a function that unsubscribes. */
  onPush(listeners: PushListeners<Pushes>): () => void;
}

/** Creates a client from the object that the preload script adds to the page. */
export function createMainClient(bridge: MainBridge): MainClient {
  const transport = transportOverBridge(bridge);
  return {
    call: createClient(mainContract, transport).call,
    onPush: (listeners) => onPush(mainPushes, transport, listeners),
  };
}

/** Never closes, because it lasts as long as the page. */
function transportOverBridge(bridge: MainBridge): Transport {
  const line = createLine({
    // Only `createClient` posts here, and it posts only calls.
    postMessage: (message) => void forward(message as { id: number; name: string; args: unknown }),
    close: () => undefined,
  });
  const forward = async ({ id, name, args }: { id: number; name: string; args: unknown }): Promise<void> => {
    line.deliver({ kind: 'reply', id, reply: await callMain(bridge, name, args) });
  };
  bridge.onPush(line.deliver);
  return line;
}

/** A value that cannot cross the context bridge throws in the call itself. */
async function callMain(bridge: MainBridge, name: string, args: unknown): Promise<RpcReply> {
  try {
    return await bridge.call(name, args);
  } catch (error) {
    return {
      ok: false,
      error: { code: 'rpc.disconnected', message: text.noReply({ call: name, problem: String(error) }) },
    };
  }
}

/**
 * Returns the absolute path of a file that the user dropped on the window or selected in a dialog. Empty for a file
 * created by a script.
 */
export function pathOfFile(file: File): string {
  return window.bridge.pathOfFile(file);
}
