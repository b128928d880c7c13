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
    return { opened: await program.openWorkspace(window, folder) };
  },
  'workspace.open': async ({ path }) => {
    return { opened: await program.openWorkspace(window, path) };
  },
});
