/**
 * The text about earlier moments of a run in German.
 */
import { numberText, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  showing: ({ time }) => `Stand bei ${time}`,
  of: ({ time, state }) => `von ${time}, ${state}`,
  status: ({ time, number, total }) => `Stand bei ${time}, Ereignis ${numberText(number)} von ${numberText(total)}`,
  playhead: 'Zeitpunkt des Laufs',
  event: ({ time, number, total }) => `${time}, Ereignis ${numberText(number)} von ${numberText(total)}`,
  around: 'Um diesen Zeitpunkt',
  eventOf: ({ number, total }) => `Ereignis ${numberText(number)} von ${numberText(total)}`,
  now: 'jetzt',
  tip: {
    bar: ({ what, state, start, duration }) => `${what}: ${state}, ab ${start}, ${duration} lang`,
    attempt: ({ name, number }) => `${name}, Versuch ${numberText(number)}`,
    pause: 'Pause vor dem nächsten Versuch',
    wait: 'wartet auf eine Person',
    items: ({ name, count, start, duration }) =>
      `${name}: ${numberText(count)} Elemente, ab ${start}, ${duration} lang`,
    longest: ({ item, state, duration }) => `Am längsten: ${item}, ${state}, ${duration}`,
  },
  sum: ({ time }) => `Σ ${time}`,
  sumOf: ({ count, time }) => `Summe von ${numberText(count)} Elementen: ${time}`,
  views: {
    timeline: 'Zeitachse anzeigen',
    timelineWords: 'Balken Dauer langsam Knoten Gantt',
    log: 'Protokoll anzeigen',
    logWords: 'Log Ereignisse Zeilen Meldungen filtern suchen',
    outputs: 'Ausgaben des Laufs anzeigen',
    outputsWords: 'Tabelle Ergebnisse Daten Werte Zeilen',
    items: 'Zu den Elementen der Schleife gehen',
    itemsWords: 'Iterationen Index auswählen langsamste fehlgeschlagene',
  },
  commands: {
    earlier: 'Vorheriges Ereignis des Laufs zeigen',
    later: 'Nächstes Ereignis des Laufs zeigen',
    earlierNode: 'Lauf vor der letzten Änderung eines Knotens zeigen',
    laterNode: 'Lauf nach der nächsten Änderung eines Knotens zeigen',
    first: 'Erstes Ereignis des Laufs zeigen',
    now: 'Lauf zeigen, wie er jetzt ist',
    runAgain: 'Ab diesem Zeitpunkt erneut ausführen…',
  },
};
