/**
 * Creates the window: connects the page to main and to the engine, and renders it.
 */
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { AppShell } from './app/app-shell.tsx';
import { CommandProvider } from './app/commands/command-context.tsx';
import { createDialogs } from './app/commands/dialogs.ts';
import { followEditorLook, followTheme } from './app/theme.ts';
import { showWindowFailure } from './app/window-failure.ts';
import { createEngineClient, listenForEnginePort } from './bridge/engine-client.ts';
import { createMainClient } from './bridge/main-client.ts';
import { whenFirstShown } from './stores/first-look.ts';
import { openOffered, openSentRun } from './stores/open-offered.ts';
import { createStores } from './stores/stores.ts';
import { StoresProvider } from './stores/stores-context.tsx';
import { createDocumentService, withFirstChecksOnPage } from './stores/text/service.ts';
import { startDocumentWorker } from './stores/text/start-worker.ts';
import { inLiveFrame } from './ui/live-frame.ts';
import { TooltipProvider } from './ui/tooltip.tsx';

// Compiled checks require `new Function`, which the content security policy of the page forbids.
z.config({ jitless: true });

/** Renders the window into an element. Rejects if the state of the window cannot be loaded from main. */
export async function startWindow(root: HTMLElement): Promise<void> {
  followTheme(window);
  const main = createMainClient(window.bridge);
  let tellShown: () => void = () => undefined;
  const whenShown = new Promise<void>((resolve) => {
    tellShown = resolve;
  });
  let tellPainted: () => void = () => undefined;
  const whenPainted = new Promise<void>((resolve) => {
    tellPainted = resolve;
  });
  // Open files are restored before the engine is asked for a first flow. Any other call makes the host load its engine,
  // which takes a core that the first frame needs.
  const engine = createEngineClient(
    (listener) => listenForEnginePort(window, (transport) => void restored.then(() => listener(transport))),
    whenPainted,
  );
  const documents = withFirstChecksOnPage(createDocumentService(startDocumentWorker), whenPainted);
  const stores = createStores({ engine, main, documents, nextFrame: inLiveFrame });
  const restored = stores.session.restore();
  void whenFirstShown(stores).then(tellShown);
  // The engine opens the workspace while the page is rendered.
  void main.call('engine.connect');
  const [info] = await Promise.all([main.call('app.info'), stores.editorSettings.getState().load(), restored]);
  followEditorLook(window, stores.editorSettings);
  stores.workspace.getState().setInfo(info);
  stores.settings.getState().setTheme(info.theme);
  if (info.workspace !== null) {
    stores.session.follow();
    addEventListener('pagehide', stores.session.keep);
    void openOffered(main, stores);
    if (info.sentRun !== undefined) void openSentRun(stores);
  }
  const commandContext = { stores, dialogs: createDialogs() };
  createRoot(root, { onUncaughtError: (error) => showWindowFailure(window, error) }).render(
    <StoresProvider stores={stores}>
      <CommandProvider context={commandContext}>
        <TooltipProvider>
          <AppShell whenShown={whenShown} onPainted={tellPainted} />
        </TooltipProvider>
      </CommandProvider>
    </StoresProvider>,
  );
}
