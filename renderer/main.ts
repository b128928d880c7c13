/**
 * Starts the page: the window, or a message when it cannot be loaded.
 */
import './ui/base.css';
import './app/first-paint.css';
import { showWindowFailure } from './app/window-failure.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');
import('./window.tsx')
  .then(({ startWindow }) => startWindow(root))
  .catch((error: unknown) => showWindowFailure(window, error));
