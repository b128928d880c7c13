import type { MainHandlers } from './main-handlers.ts';

/** Other windows. */
export const windowHandlers: MainHandlers<'window.openNew'> = (program, window) => ({
  'window.openNew': () => {
    program.openWindow(window.content);
    return {};
  },
});
