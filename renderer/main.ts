/**
 * Starts the page: the thread that checks texts at once, the window as soon as it is loaded.
 */
import './ui/base.css';
import './app/first-paint.css';
import { showWindowFailure } from './app/window-failure.ts';
import { startDocumentWorker } from './stores/text/start-worker.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');
const worker = startDocumentWorker();
import('./window.tsx')
  .then(({ startWindow }) => startWindow(root, worker))
  .catch((error: unknown) => showWindowFailure(window, error));
