/**
 * The text of the shared parts of the window in German.
 */
import { numberText, plural, type Translation } from './language.ts';
import type { text } from './text.ts';

/** The scope begins a label, such as "alle freigeben". */
function capitalized(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}

export const german: Translation<typeof text> = {
  closeKey: 'Esc',
  close: 'Schließen',
  copied: 'Kopiert',
  tryAgain: 'Erneut versuchen',
  drawFailed: ({ subject }) => `${subject} konnte nicht angezeigt werden`,
  toasts: {
    message: 'Meldung',
    list: 'Meldungen ({hotkey})',
    dismiss: 'Schließen',
  },
  decision: {
    labelOf: ({ label, subject }) => `${label}: ${subject}`,
    approve: 'Freigeben',
    approveAll: 'Alle freigeben',
    approveSome: ({ scope }) => capitalized(`${scope} freigeben`),
    reject: 'Ablehnen',
    rejectAll: 'Alle ablehnen',
    rejectSome: ({ scope }) => capitalized(`${scope} ablehnen`),
    closed: 'Auf diese Antwort wartete der Lauf, als er gesendet wurde.',
    comment: 'Kommentar',
    commentOn: ({ subject }) => `Kommentar: ${subject}`,
  },
  states: {
    idle: 'nicht ausgeführt',
    queued: 'in der Warteschlange',
    running: 'läuft',
    retrying: 'wird erneut versucht',
    suspended: 'wartet auf Sie',
    pausing: 'wird pausiert',
    paused: 'pausiert',
    completed: 'abgeschlossen',
    reused: 'wiederverwendet',
    pinned: 'fixiert',
    changed: 'Ausgabe vorgegeben',
    failed: 'fehlgeschlagen',
    tolerated: 'fehlgeschlagen, toleriert',
    skipped: 'übersprungen',
    cancelled: 'abgebrochen',
    cancelling: 'wird abgebrochen',
    disabled: 'deaktiviert',
    invalid: 'ungültig',
    interrupted: 'unterbrochen',
    stale: 'veraltet',
  },
  quantity: {
    megabytes: ({ value }) => `${value} MB`,
    kilobytes: ({ value }) => `${value} KB`,
    bytes: ({ value }) => `${value} B`,
    seconds: ({ value }) => `${value} s`,
    milliseconds: ({ value }) => `${value} ms`,
    minutes: ({ minutes, seconds }) => `${minutes} min ${seconds} s`,
    hours: ({ hours, minutes }) => `${hours} h ${minutes} min`,
    days: ({ days, hours }) => `${days} T ${hours} h`,
    thousands: ({ value }) => `${value} Tsd.`,
    millions: ({ value }) => `${value} Mio.`,
    noPrice: 'Preis unbekannt',
    atLeast: ({ cost, count }) =>
      plural(count, {
        one: `mindestens ${cost}, 1 Aufruf ohne Preis`,
        other: `mindestens ${cost}, ${numberText(count)} Aufrufe ohne Preis`,
      }),
  },
  space: {
    kinds: {
      space: ({ count }) => `${numberText(count)} Leerzeichen`,
      tab: ({ count }) => plural(count, { one: '1 Tabulator', other: `${numberText(count)} Tabulatoren` }),
      lineEnd: ({ count }) => plural(count, { one: '1 Zeilenumbruch', other: `${numberText(count)} Zeilenumbrüche` }),
      other: ({ count }) =>
        plural(count, { one: '1 besonderes Leerzeichen', other: `${numberText(count)} Zeichen Leerraum` }),
    },
    starts: ({ what }) => `Am Anfang: ${what}`,
    ends: ({ what }) => `Am Ende: ${what}`,
    contains: ({ what }) => `Enthält ${what}`,
  },
};
