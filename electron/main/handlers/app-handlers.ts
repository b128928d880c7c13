import { app } from 'electron';
import type { MainHandlers } from './main-handlers.ts';

/** What the page shows of the program as a whole. */
export const appHandlers: MainHandlers<'app.info'> = (program, window) => ({
  'app.info': () => {
    const { workspace, problem } = window.content;
    return {
      version: app.getVersion(),
      workspace,
      ...(problem === undefined ? {} : { workspaceProblem: problem }),
      theme: program.settings.settings.theme,
      recentWorkspaces: program.settings.recentWorkspaces(),
    };
  },
});
