/**
 * The text of tests in German.
 */
import { numberText, plural, type Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  commands: {
    show: 'Tests anzeigen',
    runAll: 'Alle Tests ausführen',
    runOfFlow: 'Tests dieses Flows ausführen',
    runAffected: 'Betroffene Tests ausführen',
    nextFailure: 'Nächster fehlgeschlagener Test',
    saveRun: 'Lauf als Test speichern…',
    runAgain: 'Geöffneten Test erneut ausführen',
    accept: 'Neue Werte des geöffneten Tests übernehmen',
    close: 'Geöffneten Test schließen',
    searchWords: 'test fall prüfung regression auswertung',
    saveWords: 'test fall regression aufzeichnung kassette',
    saveFailed: 'Der Lauf konnte nicht als Test gespeichert werden',
    noTests: 'Keine Tests dieser Datei',
    noTestsHelp: 'Speichern Sie zuerst einen ihrer Läufe als Test.',
  },
  panel: {
    title: 'Tests',
    tree: 'Tests dieses Arbeitsbereichs',
    runAll: 'Alle ausführen',
    stop: 'Anhalten',
    affected: 'Betroffen',
    affectedHint: ({ count }) =>
      plural(count, {
        zero: 'Keine Änderung seit dem letzten Lauf betrifft einen Test',
        one: 'Den Test ausführen, den Änderungen seit seinem letzten Lauf betreffen können',
        other: `Die ${numberText(count)} Tests ausführen, die Änderungen seit ihrem letzten Lauf betreffen können`,
      }),
    passed: ({ passed, total }) => `${numberText(passed)} von ${numberText(total)} bestanden`,
    notRun: ({ total }) =>
      plural(total, { one: '1 Test, noch nicht gelaufen', other: `${numberText(total)} Tests, noch nicht gelaufen` }),
    running: ({ done, total }) => `${numberText(done)} von ${numberText(total)} ausgeführt…`,
    spent: ({ time, cost }) => `${time}, ${cost}`,
    rows: ({ name, count }) =>
      plural(count, { one: `${name}, 1 Zeile`, other: `${name}, ${numberText(count)} Zeilen` }),
    share: ({ passed, total }) => `${numberText(passed)}/${numberText(total)}`,
    problemAt: ({ place, message }) => `${place}  ${message}`,
    rowLabel: ({ name, state }) => `${name}, ${state}`,
    states: {
      idle: 'nicht gelaufen',
      queued: 'wartet',
      running: 'läuft',
      completed: 'bestanden',
      failed: 'fehlgeschlagen',
    },
    invalid: 'ungültig',
    footer: 'Tests rufen nichts außerhalb auf. Modelle, HTTP und Werkzeuge antworten aus Aufzeichnungen.',
    none: 'Noch keine Tests',
    noneHelp:
      'Speichern Sie einen Lauf als Test, oder schreiben Sie eine Datei, deren Name auf .test.yaml endet. Tests spielen aufgezeichnete Aufrufe ab und melden, was sich ändert.',
    loading: 'Tests werden gesucht…',
  },
  header: {
    label: 'Geöffneter Test',
    failed: 'Fehlgeschlagen',
    passed: 'Bestanden',
    running: 'Läuft',
    recording: 'Zeichnet auf',
    place: ({ file, line }) => `${file}, Zeile ${line}`,
    openPlace: 'Testdatei an dieser Zeile öffnen',
    accept: 'Neuen Wert übernehmen',
    runAgain: 'Erneut ausführen',
    close: 'Test schließen',
  },
  checks: {
    list: 'Prüfungen dieses Tests',
    expected: 'Erwartet',
    got: 'Erhalten',
    holds: 'Diese Prüfung ist erfüllt.',
    notRun: 'Der Test konnte nicht laufen.',
    noChecks: 'Dieser Test prüft nur, dass der Lauf abgeschlossen wird.',
    score: ({ score }) => `Bewertung ${score} von 5`,
    record: 'Diesen Aufruf aufzeichnen',
    recordHint: 'Führt Aufrufe ohne Aufzeichnung nach Ihrer Bestätigung aus und zeichnet die Antworten auf',
    acceptOne: 'Diesen Wert übernehmen',
    state: ({ isOk }) => (isOk ? 'erfüllt' : 'nicht erfüllt'),
  },
  save: {
    title: 'Lauf als Test speichern',
    titleOf: ({ number }) => `Lauf ${number} als Test speichern`,
    description: 'Der Test spielt die Aufrufe dieses Laufs ab und prüft die Ergebnisse. Er ruft nichts außerhalb auf.',
    name: 'Name',
    file: 'Testdatei',
    fileNote: 'Endet auf .test.yaml. Die Aufzeichnung wird daneben gespeichert.',
    added: 'Die Datei gibt es schon. Der Test wird hinzugefügt.',
    checks: 'Prüfungen',
    reading: 'Der Lauf wird gelesen…',
    recording: ({ calls, masked }) => {
      const recorded = plural(calls, {
        zero: 'Keine Aufrufe aufzuzeichnen',
        one: '1 aufgezeichneter Aufruf',
        other: `${numberText(calls)} aufgezeichnete Aufrufe`,
      });
      if (masked === 0) return recorded;
      const hidden = plural(masked, {
        one: '1 privater Wert maskiert',
        other: `${numberText(masked)} private Werte maskiert`,
      });
      return `${recorded}, ${hidden}`;
    },
    missing: ({ count }) =>
      plural(count, {
        one: '1 Aufruf ist nicht im Verlauf. Zeichnen Sie ihn auf, wenn Sie den Test ausführen:',
        other: `${numberText(count)} Aufrufe sind nicht im Verlauf. Zeichnen Sie sie auf, wenn Sie den Test ausführen:`,
      }),
    cancel: 'Abbrechen',
    save: 'Test speichern',
    saving: 'Wird gespeichert…',
  },
};
