/**
 * Logs warnings about JSON that a node read.
 */
import { type JsonNotes, jsonWarningTexts } from '../../language/json/foreign-json.ts';
import type { Hub } from '../kernel/hub/hub.ts';

/** @param what subject of the sentences, such as `The answer` */
export function warnOfJson(hub: Pick<Hub, 'emit'>, what: string, notes: JsonNotes | undefined): void {
  for (const text of notes === undefined ? [] : jsonWarningTexts(what, notes))
    hub.emit({ type: 'log', level: 'warn', text });
}
