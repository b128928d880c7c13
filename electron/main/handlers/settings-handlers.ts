import type { MainHandlers } from './main-handlers.ts';

/** What the user sets for the program as a whole. */
export const settingsHandlers: MainHandlers<'settings.setTheme'> = (program) => ({
  'settings.setTheme': ({ theme }) => {
    program.setTheme(theme);
    return {};
  },
});
