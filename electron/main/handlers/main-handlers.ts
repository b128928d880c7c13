/**
 * All that the main process answers to a page.
 */
import type { mainContract } from '../../ipc/main-contract.ts';
import type { Handlers } from '../../ipc/rpc.ts';
import type { AppWindow } from '../app-window.ts';
import type { Program } from '../program.ts';
import { appHandlers } from './app-handlers.ts';
import { engineHandlers } from './engine-handlers.ts';
import { settingsHandlers } from './settings-handlers.ts';
import { windowHandlers } from './window-handlers.ts';
import { workspaceHandlers } from './workspace-handlers.ts';

/** Makes the handlers of some methods for one window. */
export type MainHandlers<Method extends keyof typeof mainContract> = (
  program: Program,
  window: AppWindow,
) => Pick<Handlers<typeof mainContract>, Method>;

/** The handlers of one window. */
export function createMainHandlers(program: Program, window: AppWindow): Handlers<typeof mainContract> {
  return {
    ...appHandlers(program, window),
    ...engineHandlers(program, window),
    ...settingsHandlers(program, window),
    ...windowHandlers(program, window),
    ...workspaceHandlers(program, window),
  };
}
