import { dialog } from 'electron';
import type { MainHandlers } from './main-handlers.ts';

/** Which folder the window works in. */
export const workspaceHandlers: MainHandlers<'workspace.choose' | 'workspace.open'> = (program, window) => ({
  'workspace.choose': async () => {
    const { workspace } = window.content;
    const { filePaths } = await dialog.showOpenDialog(window.browserWindow, {
      title: 'Open Folder',
      properties: ['openDirectory', 'createDirectory'],
      ...(workspace === null ? {} : { defaultPath: workspace }),
    });
    const [folder] = filePaths;
    if (folder === undefined) return { opened: false };
    await program.openWorkspace(window, folder);
    return { opened: true };
  },
  'workspace.open': async ({ path }) => {
    await program.openWorkspace(window, path);
    return {};
  },
});
