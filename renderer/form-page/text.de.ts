/**
 * The German text of form pages.
 */
import { numberText, plural, type Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  loading: 'Wird geladen…',
  failed: 'Das Formular konnte nicht geladen werden.',
  tryAgain: 'Erneut versuchen',
  missing: {
    title: 'Kein Formular an dieser Adresse',
    about:
      'Der Link ist falsch, oder das Formular gibt es nicht mehr. Fragen Sie die Person, von der Sie den Link haben.',
  },
  refusals: {
    'http.unauthorized': 'Sie haben keinen Zugang mehr zu diesem Formular. Laden Sie die Seite neu.',
    'http.not-found': 'Dieses Formular gibt es nicht mehr.',
    'flow.changed':
      'Dieses Formular hat sich geändert. Wer es veröffentlicht hat, muss die Änderung erst bestätigen. Versuchen Sie es später erneut.',
    'flow.unavailable': 'Das kann jetzt nicht starten. Versuchen Sie es später erneut.',
    'http.too-many': 'Zu viele Anfragen. Versuchen Sie es später erneut.',
    'run.invalid-state': 'Diese Antwort wird nicht mehr gebraucht.',
    'firing.limited': 'Das wurde in der letzten Stunde zu oft gestartet. Versuchen Sie es später erneut.',
    'firing.blocked': 'Zu viele andere haben das gestartet und sind nicht fertig. Versuchen Sie es später erneut.',
  },
  expired:
    'Dieser Link wurde schon benutzt oder ist älter als eine Minute. Öffnen Sie das Formular erneut dort, wo Sie den Link gefunden haben.',
  key: {
    title: 'Schlüssel',
    about: 'Für dieses Formular brauchen Sie einen Schlüssel. Fragen Sie die Person, von der Sie den Link haben.',
    submit: 'Weiter',
    wrong: 'Dieser Schlüssel öffnet das Formular nicht.',
  },
  form: {
    start: 'Starten',
    starting: 'Wird gestartet…',
    optional: 'optional',
    yes: 'Ja',
    no: 'Nein',
    none: 'Kein Wert',
    choose: 'Auswählen…',
    list: 'Ein Eintrag pro Zeile.',
    map: 'Als JSON, zum Beispiel { "name": "Wert" }.',
    missing: 'Geben Sie einen Wert ein.',
    missingChoice: 'Wählen Sie einen Wert.',
    missingFile: 'Wählen Sie eine Datei.',
    chooseFile: 'Datei hierher ziehen oder auswählen',
    chooseFiles: 'Dateien hierher ziehen oder auswählen',
    moreFiles: 'Weitere Dateien hierher ziehen oder auswählen',
    fileNote: ({ size }) => `bis zu ${size}`,
    filesNote: ({ count, size }) => `bis zu ${numberText(count)} Dateien, je ${size}`,
    uploading: ({ name }) => `${name} wird hochgeladen…`,
    uploadFirst: 'Warten Sie, bis alle Dateien hochgeladen sind.',
    uploadFailed: ({ name }) => `${name} wurde nicht hochgeladen. Versuchen Sie es erneut.`,
    fileTooLarge: ({ name, size }) => `${name} ist größer als ${size}.`,
    fileType: ({ name, endings }) => `${name} ist nicht möglich. Wählen Sie ${endings}.`,
    tooManyFiles: ({ count }) => `Wählen Sie höchstens ${numberText(count)} Dateien.`,
    removeFile: ({ name }) => `${name} entfernen`,
    notNumber: 'Geben Sie eine Zahl ein, zum Beispiel 12.5.',
    notInteger: 'Geben Sie eine ganze Zahl ein, zum Beispiel 12.',
    notJson: 'Das ist kein gültiges JSON. Prüfen Sie Anführungszeichen, Kommas und Klammern.',
    notMap: 'Geben Sie ein JSON-Objekt ein: { … }.',
    notList: 'Geben Sie eine JSON-Liste ein: [ … ].',
    problems: ({ count }) =>
      plural(count, {
        one: 'Ein Feld ist noch nicht richtig.',
        other: `${numberText(count)} Felder sind noch nicht richtig.`,
      }),
    rejected: 'Das Formular wurde nicht angenommen.',
    noConnection:
      'Das Formular wurde nicht gesendet: Der Server ist nicht erreichbar. Ihre Eingaben bleiben erhalten. Versuchen Sie es erneut.',
  },
  run: {
    running: 'Läuft',
    queued: 'Wartet auf den Start',
    startedAt: ({ time }) => `Gestartet um ${time}. Sie können diese Seite schließen; ihre Adresse ist 7 Tage gültig.`,
    steps: ({ done, total }) =>
      `${numberText(done)} von ${plural(total, { one: '1 Schritt', other: `${numberText(total)} Schritten` })}`,
    items: ({ done, total }) => `${numberText(done)} von ${numberText(total)}`,
    itemsDone: ({ count }) => `${numberText(count)} fertig`,
    writing: 'schreibt',
    waitsForYou: 'Ihre Antwort wird gebraucht',
    waitsForPerson: 'Wartet auf eine Person',
    paused: 'Pausiert',
    pausedAbout:
      'Es geht weiter, sobald eine Person den Lauf fortsetzt. Sie können diese Seite schließen und später wiederkommen.',
    person:
      'Es geht weiter, sobald eine Person entschieden hat. Sie können diese Seite schließen und später wiederkommen.',
    interrupted: 'Unterbrochen',
    interruptedAbout: 'Der Server wurde angehalten. Es geht weiter, wenn er wieder läuft.',
    answer: 'Antwort senden',
    sending: 'Wird gesendet…',
    cancel: 'Diesen Lauf abbrechen',
    canceling: 'Wird abgebrochen…',
    cancelFailed: 'Der Abbruch wurde nicht angenommen. Versuchen Sie es erneut.',
    lost: 'Verbindung unterbrochen. Neuer Versuch…',
    unknown: 'An dieser Adresse gibt es nichts, oder sie ist älter als 7 Tage.',
  },
  done: {
    completed: 'Fertig',
    failed: 'Das hat nicht funktioniert',
    failedAbout: 'Etwas ist schiefgegangen. Sie können es erneut versuchen.',
    canceled: 'Abgebrochen',
    skipped: 'Nichts zu tun',
    took: ({ duration }) => `Dauer: ${duration}.`,
    outputs: 'Ergebnis',
    empty: 'leer',
    again: 'Erneut starten',
    tooLong: ({ count }) => `${numberText(count)} weitere Zeilen werden nicht angezeigt.`,
  },
};
