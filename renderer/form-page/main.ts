/**
 * Starts a form page. Its text in another language is loaded before the modules that show it.
 */
import { addTranslation, language } from '../ui/language.ts';
import './form-page.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');

const dark = matchMedia('(prefers-color-scheme: dark)');
const showTheme = (): void => {
  document.documentElement.dataset['theme'] = dark.matches ? 'dark' : 'light';
};
dark.addEventListener('change', showTheme);
showTheme();

async function loadTranslation(): Promise<void> {
  if (language !== 'de') return;
  const [{ german: ui }, { german }] = await Promise.all([import('../ui/text.de.ts'), import('./text.de.ts')]);
  addTranslation('ui', ui);
  addTranslation('form-page', german);
}

void loadTranslation()
  .then(() => import('./form-page.tsx'))
  .then(({ startPage }) => startPage(root));
