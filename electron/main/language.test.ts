import { afterEach, expect, test } from 'vitest';
import { permissionQuestion, trustQuestion } from './consent/consent.ts';
import { german } from './german.ts';
import { followLanguage, loadLanguage } from './language.ts';
import { text } from './text.ts';
import { createMenuTemplate } from './windows/app-menu.ts';

const loadGerman = async () => german;

afterEach(() => followLanguage({ read: () => 'en', loadGerman }));

const menu = (): unknown[] =>
  createMenuTemplate(
    { isMac: false, isDevelopment: false, recentWorkspaces: [], theme: 'dark', keepsRunning: false },
    {
      invokeCommand: () => undefined,
      openWorkspace: () => undefined,
      openNewWindow: () => undefined,
      setTheme: () => undefined,
      setKeepsRunning: () => undefined,
      openDocs: () => undefined,
      help: async () => undefined,
    },
  ).map(({ label }) => label);

test('menus and dialogs follow the language while the program runs', async () => {
  let language: 'en' | 'de' = 'en';
  followLanguage({ read: () => language, loadGerman });
  expect(menu()).toEqual(['&File', '&Edit', '&View', '&Run', '&Window', '&Help']);
  expect(trustQuestion('/a').message).toBe('Trust this folder?');
  language = 'de';
  await loadLanguage();
  expect(menu()).toEqual(['&Datei', '&Bearbeiten', '&Ansicht', 'A&usführen', '&Fenster', '&Hilfe']);
  expect(trustQuestion('/a').message).toBe('Diesem Ordner vertrauen?');
});

test('a German text has a form for one and for several', async () => {
  followLanguage({ read: () => 'de', loadGerman });
  await loadLanguage();
  expect([1, 3].map((count) => text().leave.runs({ count }))).toEqual([
    'Ein Lauf ist noch nicht beendet.',
    '3 Läufe sind noch nicht beendet.',
  ]);
  expect(permissionQuestion('/a', [{ kind: 'trust', command: 'ls' }]).message).toBe('Diese Berechtigung geben?');
});
