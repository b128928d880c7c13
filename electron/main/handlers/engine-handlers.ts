import type { MainHandlers } from './main-handlers.ts';

/** The page's line to its engine host. */
export const engineHandlers: MainHandlers<'engine.connect'> = (_program, window) => ({
  'engine.connect': () => {
    window.connectEngine();
    return {};
  },
});
