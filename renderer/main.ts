/**
 * Starts the page: the window, or an error message if it cannot be loaded.
 */
import './ui/base.css';
import './app/first-paint.css';
import { showWindowFailure } from './app/window-failure.ts';
import { language } from './ui/language.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');
// Zod reads this setting when it loads. Otherwise its first schema tests whether it may compile code, which the content
// security policy forbids and reports. The bundle creates schemas before the window can call `z.config`.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

loadTranslation()
  .then(() => import('./window.tsx'))
  .then(({ startWindow }) => startWindow(root))
  .catch((error: unknown) => showWindowFailure(window, error));

/** Loads the text of other languages before the modules that show it. An English window starts without it. */
async function loadTranslation(): Promise<void> {
  if (language === 'de') await import('./german.ts');
}
