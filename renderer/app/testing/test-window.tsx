/**
 * For tests: a window with an engine and a main process that are simulated by the test.
 */
import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { mainContract } from '../../../electron/ipc/contracts/main-contract.ts';
import type { RpcHandlers } from '../../../electron/ipc/rpc.ts';
import type { RunEvent } from '../../../engine/isomorphic.ts';
import {
  createEngineStandIn,
  type EngineAnswers,
  type EngineStandIn,
  settled,
} from '../../bridge/testing/engine-stand-in.ts';
import { createMainStandIn } from '../../bridge/testing/main-stand-in.ts';
import { createRunTeller } from '../../bridge/testing/run-events.ts';
import { createStores, type Stores } from '../../stores/stores.ts';
import { StoresProvider } from '../../stores/stores-context.tsx';
import { createDirectDocuments } from '../../stores/testing/direct-documents.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import type { CommandContext } from '../commands/command.ts';
import { CommandProvider } from '../commands/command-context.tsx';
import { createDialogs } from '../commands/dialogs.ts';

// React requires this flag for `act`.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

export interface TestWindow {
  readonly engine: EngineStandIn;
  readonly stores: Stores;
  readonly context: CommandContext;
  /** Renders components as the app does and returns their element. */
  draw(children: ReactNode): HTMLElement;
  /** Sends a message from the main process. */
  tellFromMain(name: string, payload: unknown): void;
  /** Emits events of one run of `path`, from its start. Resolves when they are rendered. */
  tellRun(path: string, ...events: (RunEvent | readonly [event: RunEvent, nodeId: string])[]): Promise<void>;
  /** Waits until all pending work is done. */
  settle(): Promise<void>;
  /**
   * Settles until `check` no longer throws. Rejects with the error of `check` after 20 s, which is long enough for a
   * busy machine.
   */
  until(check: () => void): Promise<void>;
  /** Closes the window and releases everything it uses. */
  close(): void;
}

function nextTurn(callback: () => void): () => void {
  const timer = setTimeout(callback, 0);
  return () => clearTimeout(timer);
}

/** Opens a window with an engine and a main process that use these handlers. Other calls to main succeed. */
export function openTestWindow(
  handlers: EngineAnswers,
  mainHandlers: Partial<RpcHandlers<typeof mainContract>> = {},
): TestWindow {
  const ends: (() => void)[] = [];
  const engine = createEngineStandIn(handlers);
  const main = createMainStandIn(mainHandlers);
  const documents = createDirectDocuments();
  const stores = createStores({ engine: engine.client, main: main.client, documents, nextFrame: nextTurn });
  ends.push(() => stores.dispose());
  const context = { stores, dialogs: createDialogs() };
  const settle = () => act(settled);

  return {
    engine,
    stores,
    context,
    draw(children) {
      const element = document.body.appendChild(document.createElement('div'));
      const root = createRoot(element);
      act(() =>
        root.render(
          <StoresProvider stores={stores}>
            <CommandProvider context={context}>
              <TooltipProvider>{children}</TooltipProvider>
            </CommandProvider>
          </StoresProvider>,
        ),
      );
      ends.unshift(() => {
        act(() => root.unmount());
        element.remove();
      });
      return element;
    },
    tellFromMain: (name, payload) => act(() => main.tell(name, payload)),
    async tellRun(path, ...events) {
      const teller = createRunTeller('r1');
      teller.tell({ type: 'run:start', kind: 'flow', name: 'Flow', sourcePath: path, definitionHash: 'h', inputs: {} });
      for (const entry of events) {
        if ('type' in entry) teller.tell(entry);
        else teller.tell(...entry);
      }
      engine.push('subscribe', teller.events);
      await settle();
    },
    settle,
    async until(check) {
      const deadline = performance.now() + 20_000;
      for (;;) {
        // One after the other, because nested `act` calls are not supported.
        await settle();
        try {
          return check();
        } catch (error) {
          if (performance.now() > deadline) throw error;
        }
      }
    },
    close() {
      for (const end of ends) end();
    },
  };
}
