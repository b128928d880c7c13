/** Tests the question after failed starts without Electron. */
import { expect, test, vi } from 'vitest';

const system = vi.hoisted(() => ({ answer: 0, shown: [] as unknown[] }));

vi.mock('electron', () => ({
  app: {},
  clipboard: {},
  shell: {},
  dialog: {
    showMessageBox: async (options: unknown) => {
      system.shown.push(options);
      return { response: system.answer, checkboxChecked: false };
    },
  },
}));

const { offerSafeMode } = await import('./help.ts');

test.each([
  [0, true],
  [1, false],
  // The dialog was closed.
  [-1, false],
])('safe mode lists what it disables, and starts only with its button (%d)', async (answer, isChosen) => {
  Object.assign(system, { answer, shown: [] });
  expect(await offerSafeMode()).toBe(isChosen);
  expect(system.shown).toEqual([
    {
      type: 'warning',
      message: 'Millrace failed to start several times. Start in safe mode?',
      detail:
        'In safe mode, Millrace ignores your packs, trusted folders, models and settings, and changes none of them. If it starts, one of them is the cause.',
      buttons: ['Start in Safe Mode', 'Start Normally'],
      defaultId: 0,
      cancelId: 1,
      noLink: true,
    },
  ]);
});
