/**
 * The text of the page that is shown if the window fails, in German.
 */
import type { Translation } from '../ui/language.ts';
import type { failureText } from './text.ts';

export const german: Translation<ReturnType<typeof failureText>> = {
  title: 'Dieses Fenster konnte nicht dargestellt werden',
  about:
    'Nichts ist verloren: Dateien, ungespeicherte Änderungen und Läufe liegen außerhalb des Fensters. Einzelheiten liefert „Help > Copy Diagnostics“.',
  reload: 'Fenster neu laden',
};
