/**
 * The text of runs in German: actions, inputs, pinned outputs, stale nodes, simulations, and requests to people.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  actions: {
    startFailed: 'Der Lauf konnte nicht gestartet werden',
    redoFailed: 'Der Lauf konnte nicht wiederholt werden',
    rerunFailed: 'Der Flow konnte nicht erneut ausgeführt werden',
    continueFailed: 'Der Lauf konnte nicht fortgesetzt werden',
    openFailed: 'Der Lauf konnte nicht geöffnet werden',
    cancelFailed: 'Der Lauf konnte nicht abgebrochen werden',
    pauseFailed: 'Der Lauf konnte nicht pausiert werden',
    followFailed: 'Die aktiven Läufe konnten nicht verfolgt werden',
    noRun: 'Es gibt noch keine Läufe. Starten Sie zuerst einen.',
    comparing: 'Zwei Läufe werden verglichen. Um etwas zu ändern, beenden Sie den Vergleich.',
    oldVersion: 'Dies ist die Version, die der Lauf verwendet. Um etwas zu ändern, kehren Sie zur Datei zurück.',
  },
  send: {
    saved: 'Lauf gespeichert. Prüfen Sie ihn, bevor Sie ihn senden.',
    replayFailed: 'Der Lauf konnte nicht wiederholt werden',
  },
  history: {
    compareFailed: 'Die Läufe konnten nicht verglichen werden',
    exported: 'Der Lauf wurde exportiert',
    exportFailed: 'Der Lauf konnte nicht exportiert werden',
    deleteFailed: 'Der Lauf konnte nicht gelöscht werden',
  },
  moments: { readFailed: 'Die Ereignisse des Laufs konnten nicht gelesen werden' },
  childRuns: {
    readFailed: 'Die Definition des Unterlaufs konnte nicht gelesen werden',
    noFlow: 'Kein Flow ausgewählt',
    selectFlow: 'Wählen Sie einen Flow im Inspektor aus.',
    knownInRun: 'Der aufgerufene Flow ist nur während eines Laufs bekannt',
    hasBinding: ({ path }) =>
      `Sein Pfad enthält eine Bindung: ${path}. Führen Sie den Flow aus und öffnen Sie den Aufruf dann erneut.`,
  },
  pins: {
    saveFailed: 'Die fixierten Ausgaben konnten nicht gespeichert werden',
    invalidTitle: 'Eine fixierte Ausgabe ist ungültig',
    invalid: ({ id, problem }) =>
      `Die fixierte Ausgabe von ${id} passt nicht zum Knotentyp: ${problem} Bearbeiten Sie sie (Umschalt+P) oder lösen Sie sie (P).`,
    invalidOutput: ({ problem }) => `Die Ausgabe ${problem}.`,
    invalidField: ({ path, problem }) => `${path} ${problem}.`,
    nodeTooLarge:
      'An einem Knoten können höchstens 16 MiB JSON fixiert werden. Fixieren Sie eine kürzere Ausgabe, oder führen Sie den Flow auf der Befehlszeile mit --pin aus.',
    flowTooLarge:
      'In einem Flow können höchstens 64 MiB JSON fixiert werden. Lösen Sie zuerst die Ausgabe eines anderen Knotens.',
    nodeGone: ({ id }) => `Der Knoten ${id} mit fixierter Ausgabe existiert nicht mehr`,
    nodeGoneDetail:
      'Die fixierte Ausgabe wird ignoriert, solange der Knoten fehlt. Lösen lässt sie sich in der Übersicht des Flows.',
  },
  breakpoints: {
    saveFailed: 'Die Haltepunkte konnten nicht gespeichert werden',
    plain: 'Haltepunkt',
    conditional: ({ condition }) => `Haltepunkt, wenn ${condition}`,
    ofItem: ({ item }) => `Element ${numberText(item)}`,
    off: 'aus',
  },
  stale: {
    otherRun: 'das Ergebnis stammt aus einem anderen Lauf',
    inLoop: ({ loop, reason }) => `die Schleife ${loop} läuft erneut: ${reason}`,
  },
  inputs: {
    notGiven: 'Nicht angegeben',
    yes: 'ja',
    no: 'nein',
    missing: 'Diese Angabe ist erforderlich.',
    invalidNumber: 'Geben Sie eine Zahl ein, zum Beispiel 3 oder 0.5.',
    inexactNumber: 'Diese Zahl hat zu viele Stellen: Sie würde gerundet.',
    invalidJson: ({ problem }) => `Kein gültiges JSON: ${problem}`,
    invalidMap: 'Geben Sie eine Map ein, zum Beispiel { "topic": "bees" }.',
    invalid: ({ problem }) => `Ungültiger Wert: ${problem}.`,
  },
  items: {
    ran: ({ count, total }) => `${numberText(count)} von ${numberText(total)} ausgeführt`,
    reused: ({ count }) => `${numberText(count)} wiederverwendet`,
    failed: ({ count }) => `${numberText(count)} Fehler`,
    canceled: ({ count }) => `${numberText(count)} abgebrochen`,
    skipped: ({ count }) => `${numberText(count)} übersprungen`,
    disabled: ({ count }) => `${numberText(count)} deaktiviert`,
    waiting: ({ count }) => plural(count, { one: '1 wartet', other: `${numberText(count)} warten` }),
  },
  autonomy: {
    suggestOnly: 'Nur vorschlagen',
    semiAuto: 'Halbautomatisch',
    fullAuto: 'Vollautomatisch',
  },
  whatIf: {
    failed: 'Die Autonomiestufe konnte nicht simuliert werden',
    wouldPause: ({ count }) =>
      plural(count, { one: 'würde anhalten', other: `würde ${numberText(count)}-mal anhalten` }),
    wouldSuggest: ({ count }) =>
      plural(count, { one: 'würde vorschlagen', other: `würde ${numberText(count)}-mal vorschlagen` }),
    refused: ({ level, reason }) => `${level}: ${reason}`,
    nothing: ({ level }) => `${level}: Nichts wäre zurückgehalten worden.`,
    held: ({ level, pauses, suggestions }) => {
      const paused = plural(pauses, {
        zero: '',
        one: 'einmal angehalten',
        other: `${numberText(pauses)}-mal angehalten`,
      });
      const suggested = plural(suggestions, {
        zero: '',
        one: 'einen Vorschlag gemacht',
        other: `${numberText(suggestions)} Vorschläge gemacht`,
      });
      return `${level}: Der Lauf hätte ${[paused, suggested].filter((part) => part !== '').join(' und ')}.`;
    },
    ranAt: ({ level }) => `Ausgeführt wurde er auf der Stufe „${level}“.`,
    ranWithout: 'Ausgeführt wurde er ohne Stufe.',
    unknown: ({ nodes }) => `Unbekannt: was ${nodes} mit einer anderen Eingabe getan hätte.`,
    notPredicted: ({ nodes, reason }) => `Nicht vorhergesagt: was ${nodes} getan hätte (${reason}).`,
    nextNotPredicted: ({ reason }) => `Nicht vorhergesagt: was auf einen Vorschlag folgt (${reason}).`,
  },
  budget: {
    ofRun: 'Budget eines Laufs',
    note: 'Ein Lauf, der eines davon verbraucht hat, pausiert und fragt Sie.',
    usdField: 'US-Dollar',
    tokensField: 'Tokens',
    secondsField: 'Sekunden Arbeit',
    reached: ({ limits }) => `Budget von ${limits} erreicht`,
    of: ({ limit }) => `{used} von ${limit}`,
    tokens: ({ count }) => `${count} Token`,
  },
  answers: {
    expired: 'niemand hat rechtzeitig geantwortet',
    withdrawn: 'nicht mehr nötig',
    answered: 'beantwortet',
    answeredBy: ({ person }) => `beantwortet von ${person}`,
    answeredByDeadline: 'beantwortet durch Fristablauf',
    approved: 'freigegeben',
    approvedBy: ({ person }) => `freigegeben von ${person}`,
    approvedByDeadline: 'freigegeben durch Fristablauf',
    approvedForWorkspace: 'für diesen Arbeitsbereich freigegeben',
    approvedForWorkspaceBy: ({ person }) => `für diesen Arbeitsbereich freigegeben von ${person}`,
    approvedForWorkspaceByDeadline: 'für diesen Arbeitsbereich freigegeben durch Fristablauf',
    rejected: 'abgelehnt',
    rejectedBy: ({ person }) => `abgelehnt von ${person}`,
    rejectedByDeadline: 'abgelehnt durch Fristablauf',
  },
  requests: {
    afterAll: 'After All',
    beforeAll: 'Before All',
    waiting: 'Wartet auf eine Person.',
    inputNumber: ({ number }) => `Eingabe ${numberText(number)}`,
    inNode: ({ node, name }) => `${node}: ${name}`,
    closed: 'Die Anfrage ist nicht mehr offen',
    openOtherFailed: 'Das andere Fenster konnte nicht angezeigt werden',
    snoozeFailed: ({ count }) =>
      plural(count, {
        one: 'Die Anfrage konnte nicht zurückgestellt werden',
        other: 'Die Anfragen konnten nicht zurückgestellt werden',
      }),
    nothingAllowed: 'Es wurde nichts erlaubt.',
  },
};
