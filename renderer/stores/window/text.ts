/**
 * The text of settings and secrets of the window.
 */
import { inLanguage } from '../../ui/language.ts';

export const text = inLanguage('stores/window', {
  notAllowed: 'Nothing was changed: you did not allow it.',
  saveSettingFailed: "Couldn't save the setting",
  readSettingsFailed: "Couldn't read the editor settings",
  openDocsFailed: "Couldn't open the documentation",
});
