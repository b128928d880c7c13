/**
 * The text of settings, secrets and panes of the window.
 */
import { inLanguage } from '../../ui/language.ts';

export const text = inLanguage('stores/window', {
  notAllowed: 'Nothing was changed: you did not allow it.',
  saveSettingFailed: "Couldn't save the setting",
  readSettingsFailed: "Couldn't read the editor settings",
  openDocsFailed: "Couldn't open the documentation",
  inspectorWidth: 'Make the inspector wide or narrow',
  inspectorWidthWords: 'input form output side by side three columns data',
  undoFilesWords: 'put back restore revert what the run has written',
});
