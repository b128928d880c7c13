/**
 * The main process as the page sees it.
 */
export { maxPinBytes, maxPinsBytes } from '../../electron/ipc/pinned-outputs.ts';

import type { z } from 'zod';
import type { MainBridge } from '../../electron/ipc/bridge.ts';
import { mainContract, mainPushes, type Preferences } from '../../electron/ipc/main-contract.ts';
import { onPush, type PushListeners } from '../../electron/ipc/pushes.ts';
import { type ArgsOf, type Client, createClient, type Reply, type ResultOf } from '../../electron/ipc/rpc.ts';
import { createLine, type Transport } from '../../electron/ipc/transport.ts';

type Pushes = typeof mainPushes;

/** What main is asked with. */
export type MainArgs<Name extends keyof typeof mainContract> = ArgsOf<(typeof mainContract)[Name]>;

/** What it answers. */
export type MainResult<Name extends keyof typeof mainContract> = ResultOf<(typeof mainContract)[Name]>;

export type EnvNames = ResultOf<(typeof mainContract)['secrets.readEnv']>;
export type AppInfo = ResultOf<(typeof mainContract)['app.info']>;
export type EngineState = z.output<Pushes['engine.state']>;

export type { DeliverySetting, DeliveryState } from '../../electron/ipc/delivery-contract.ts';
export type { OtherWorkspace } from '../../electron/ipc/inbox-contract.ts';
export type { UpdateStep, Updates } from '../../electron/ipc/update-contract.ts';
export type { Preferences };

export type FileVersion = ResultOf<(typeof mainContract)['versions.list']>['versions'][number];

/** What main answers to steps of a file's edits. */
export type StepAnswer = ResultOf<(typeof mainContract)['draft.step']>;

export interface MainClient {
  /** Throws what main answered. */
  readonly call: Client<typeof mainContract>['call'];
  /** Subscribes to what main pushes. Returns the subscription's end. */
  onPush(listeners: PushListeners<Pushes>): () => void;
}

/** Makes a client of the object that the preload put into the page. */
export function createMainClient(bridge: MainBridge): MainClient {
  const transport = transportOverBridge(bridge);
  return {
    call: createClient(mainContract, transport).call,
    onPush: (listeners) => onPush(mainPushes, transport, listeners),
  };
}

/** It lasts as long as the page. */
function transportOverBridge(bridge: MainBridge): Transport {
  const line = createLine({
    // Only `createClient` posts here, and it posts calls.
    postMessage: (message) => void forward(message as { id: number; name: string; args: unknown }),
    close: () => undefined,
  });
  const forward = async ({ id, name, args }: { id: number; name: string; args: unknown }): Promise<void> => {
    line.deliver({ kind: 'reply', id, reply: await callMain(bridge, name, args) });
  };
  bridge.onPush(line.deliver);
  return line;
}

/** What cannot pass the context bridge is thrown in the call itself. */
async function callMain(bridge: MainBridge, name: string, args: unknown): Promise<Reply> {
  try {
    return await bridge.call(name, args);
  } catch (error) {
    const message = `The main process did not answer ${name}: ${error}`;
    return { ok: false, error: { code: 'rpc.disconnected', message } };
  }
}

/**
 * Where a file lies that the person dropped on the window or chose in a dialog, absolute; empty for one that a script has
 * made.
 */
export function pathOfFile(file: File): string {
  return window.bridge.pathOfFile(file);
}
