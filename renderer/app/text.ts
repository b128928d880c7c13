/**
 * The text of the page that is shown if the window fails.
 */
import { inLanguage } from '../ui/language.ts';

/** Returns the text. This module is loaded before any translation, so the text is chosen only when it is shown. */
export const failureText = () =>
  inLanguage('app', {
    title: "Couldn't display this window",
    about:
      'Nothing is lost: files, unsaved changes and runs are kept outside the window. For details, choose Help > Copy Diagnostics.',
    reload: 'Reload the window',
  });
