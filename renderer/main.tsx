/**
 * Starts the page: connects it to main and to the engine, and draws it.
 */
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import './ui/base.css';
import './app/first-paint.css';
import { AppShell } from './app/app-shell.tsx';
import { CommandProvider } from './app/commands/command-context.tsx';
import { createDialogs } from './app/commands/dialogs.ts';
import { followEditorLook, followTheme } from './app/theme.ts';
import { createEngineClient, listenForEnginePort } from './bridge/engine-client.ts';
import { createMainClient } from './bridge/main-client.ts';
import { openOffered } from './stores/open-offered.ts';
import { createStores } from './stores/stores.ts';
import { StoresProvider } from './stores/stores-context.tsx';
import { createDocumentService } from './stores/text/service.ts';
import { nextFrame } from './ui/next-frame.ts';
import { TooltipProvider } from './ui/tooltip.tsx';

// Compiled checks need `new Function`, which the page's content policy forbids.
z.config({ jitless: true });

async function start(root: HTMLElement): Promise<void> {
  followTheme(window);
  const main = createMainClient(window.bridge);
  const engine = createEngineClient((listener) => listenForEnginePort(window, listener));
  const documents = createDocumentService(documentWorkers());
  const stores = createStores({ engine, main, documents, nextFrame });
  const [info] = await Promise.all([main.call('app.info'), stores.editorSettings.getState().load()]);
  followEditorLook(window, stores.editorSettings);
  stores.workspace.getState().setInfo(info);
  stores.settings.getState().setTheme(info.theme);
  if (info.workspace !== null) {
    await stores.session.restore();
    stores.session.follow();
    addEventListener('pagehide', stores.session.keep);
    // The engine opens the workspace while the page is drawn.
    void main.call('engine.connect');
    void openOffered(main, stores);
  }
  const commandContext = { stores, dialogs: createDialogs() };
  createRoot(root).render(
    <StoresProvider stores={stores}>
      <CommandProvider context={commandContext}>
        <TooltipProvider>
          <AppShell />
        </TooltipProvider>
      </CommandProvider>
    </StoresProvider>,
  );
}

/** Starts workers that check texts. The first is there at once, so that it loads while the page does. */
function documentWorkers(): () => Worker {
  const start = (): Worker => new Worker(new URL('./stores/text/worker.ts', import.meta.url), { type: 'module' });
  let first: Worker | null = start();
  return () => {
    const worker = first ?? start();
    first = null;
    return worker;
  };
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');
void start(root);
