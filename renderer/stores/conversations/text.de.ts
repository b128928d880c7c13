/**
 * The titles of notices about conversations in German.
 */
import type { Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  openFailed: 'Das Gespräch konnte nicht geöffnet werden',
  readEarlierStateFailed: 'Der frühere Zustand konnte nicht gelesen werden',
  readOlderFailed: 'Frühere Nachrichten konnten nicht gelesen werden',
  runPlanFailed: 'Der Plan konnte nicht gestartet werden',
  moveFailed: 'Das Gespräch konnte nicht verschoben werden',
  sendFailed: 'Die Nachricht konnte nicht gesendet werden',
  sendValuesFailed: 'Die Werte konnten nicht gesendet werden',
  dropFailed: 'Der Flow konnte nicht abgebrochen werden',
  continueFailed: 'Das Gespräch konnte nicht fortgesetzt werden',
  cancelFailed: 'Der Gesprächszug konnte nicht abgebrochen werden',
  rollBackFailed: 'Der Gesprächszug konnte nicht zurückgenommen werden',
};
