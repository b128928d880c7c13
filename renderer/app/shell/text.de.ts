/**
 * The text of the title bar, the status bar, the tabs and the rail in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  announcements: {
    run: ({ state }) => `Lauf: ${state}`,
    runAfter: ({ state, time }) => `Lauf nach ${time}: ${state}`,
    runFailed: ({ state, problem }) => `Lauf: ${state}. ${problem}`,
    runFailedAfter: ({ state, time, problem }) => `Lauf nach ${time}: ${state}. ${problem}`,
    undone: ({ label }) => `Rückgängig gemacht: ${label}`,
    redone: ({ label }) => `Wiederholt: ${label}`,
  },
  titleBar: {
    app: 'Millrace',
    noFolder: 'Kein Ordner',
    remote: ({ name }) => `${name} (entfernt)`,
    sentRun: ({ name }) => `${name} (gesendeter Lauf)`,
    remotePlace: ({ connection, host }) => `Entfernter Verlauf: ${connection} (${host})`,
    recent: 'Zuletzt geöffnet',
    openFolderFailed: 'Der Ordner konnte nicht geöffnet werden',
    theme: 'Design',
    themeSystem: 'System',
    themeLight: 'Hell',
    themeDark: 'Dunkel',
    go: 'Zu Datei, Knoten, Modell, Lauf oder Befehl gehen',
  },
  noWorkspace: {
    title: 'Öffnen Sie einen Ordner',
    about:
      'Ein Arbeitsbereich ist ein beliebiger Ordner mit Flows, zum Beispiel ein Git-Repository. Flows und die Dateien, die sie lesen und schreiben, bleiben darin gewöhnliche Dateien.',
    recentFolders: 'Zuletzt geöffnete Ordner',
    openFolderFailed: 'Der Ordner konnte nicht geöffnet werden',
  },
  remote: {
    title: 'Noch keine Läufe',
    about:
      'Läufe erscheinen hier, sobald Worker sie gestartet haben. Sie können sie verfolgen, beantworten, pausieren und abbrechen.',
    noFile: 'Wählen Sie einen Lauf aus, um ihn zu verfolgen.',
  },
  start: {
    title: 'Was möchten Sie bauen?',
    about: ({ folder }) =>
      `${folder} enthält noch keine Flows. Alles, was Sie hier erstellen, ist eine gewöhnliche Datei in diesem Ordner.`,
    describe: 'Flow beschreiben',
    describeAbout: 'Ein Modell schlägt ihn vor, und Sie prüfen ihn.',
    describeHint: 'Die Datei entsteht erst, wenn Sie speichern',
    noModel: 'Modell einrichten…',
    draw: 'Zeichnen',
    drawAbout: 'Eine leere Zeichenfläche und die Liste der Knoten.',
    drawHint: 'Ziehen Sie Knoten hinein, oder drücken Sie auf der Zeichenfläche N',
    example: 'Mit einem Beispiel beginnen',
    exampleAbout: 'Vollständige Flows, die ohne Schlüssel laufen.',
    exampleHint: 'Sie erhalten eine Kopie, die Sie ändern können',
  },
  noFile: {
    title: 'Keine Datei geöffnet',
    about: 'Wählen Sie eine Datei in der Seitenleiste, oder erstellen Sie eine neue.',
    tryAgain: 'Erneut versuchen',
  },
  inspector: {
    label: 'Inspektor',
    subject: 'Der Inspektor',
    openAgent: 'Agent öffnen',
    runFromHere: 'Ab hier erneut ausführen',
    assistant: 'Der Assistent',
    setUpModel: 'Modell einrichten…',
  },
  tabs: {
    table: 'Tabelle',
    list: 'Offene Dateien',
    all: ({ count }) =>
      plural(count, { one: 'Alle offenen Dateien (1)', other: `Alle ${numberText(count)} offenen Dateien` }),
    close: ({ name }) => `${name} schließen`,
    closeUnsaved: ({ name }) => `${name} schließen (ungespeicherte Änderungen)`,
    deleted: 'gelöscht',
    hasErrors: 'enthält Fehler',
    view: 'Ansicht',
    canvas: 'Zeichenfläche',
    split: 'Geteilt',
    text: 'Text',
    chat: 'Chat',
    run: 'Lauf',
    runs: 'Läufe',
    runsCounted: ({ count }) => `Läufe: ${count}`,
  },
  rail: {
    label: 'Seitenleiste',
    files: 'Dateien',
    search: 'Suche',
    runs: 'Läufe',
    runsInterrupted: ({ count }) => `Läufe, ${numberText(count)} unterbrochen`,
    waiting: 'Wartet auf Sie',
    waitingCounted: ({ count }) => `Wartet auf Sie: ${numberText(count)}`,
    tests: 'Tests',
    packs: 'Pakete',
  },
  sidePanel: {
    runs: 'LÄUFE',
    waiting: 'WARTET AUF SIE',
    packs: 'PAKETE',
  },
  statusBar: {
    tests: ({ failed, total }) =>
      plural(total, {
        one: '1 Test schlägt fehl',
        other: `${numberText(failed)} von ${numberText(total)} Tests schlagen fehl`,
      }),
    testsPass: ({ count }) => plural(count, { one: '1 Test bestanden', other: `${numberText(count)} Tests bestanden` }),
    affected: ({ count }) => `${numberText(count)} von Änderungen betroffen`,
    showTests: 'Tests anzeigen',
    engine: {
      starting: 'Engine startet',
      ready: 'Engine bereit',
      silent: 'Engine antwortet nicht',
      restarting: 'Engine startet neu',
      failed: 'Engine angehalten',
    },
    branch: ({ name }) => `Branch ${name}`,
    changed: ({ count }) => `${numberText(count)} geändert`,
    proposals: ({ count }) => plural(count, { one: '1 Vorschlag', other: `${numberText(count)} Vorschläge` }),
    changedHint: 'Dateien, die vom letzten Commit abweichen',
    problems: ({ errors, warnings }) =>
      `${numberText(errors)} Fehler, ${plural(warnings, { one: '1 Warnung', other: `${numberText(warnings)} Warnungen` })}`,
    errors: {
      file: ({ count }) => `${numberText(count)} Fehler in dieser Datei`,
      flow: ({ count }) =>
        plural(count, {
          one: '1 Fehler verhindert die Ausführung dieses Flows',
          other: `${numberText(count)} Fehler verhindern die Ausführung dieses Flows`,
        }),
      agent: ({ count }) =>
        plural(count, {
          one: '1 Fehler verhindert die Ausführung dieses Agenten',
          other: `${numberText(count)} Fehler verhindern die Ausführung dieses Agenten`,
        }),
      dialogue: ({ count }) =>
        plural(count, {
          one: '1 Fehler verhindert Gespräche mit diesem Katalog',
          other: `${numberText(count)} Fehler verhindern Gespräche mit diesem Katalog`,
        }),
    },
    cursor: ({ line, column }) => `Z. ${line}, Sp. ${column}`,
    encodings: {
      utf8: 'UTF-8',
      utf8WithBom: 'UTF-8 mit BOM',
    },
    mixedLineEnds: 'gemischte Zeilenenden',
    readOnly: 'Schreibgeschützt',
    deleted: 'Auf dem Datenträger gelöscht',
    saved: 'Gespeichert',
    unsaved: 'Nicht gespeichert',
    unsavedWithBackup: ({ time }) => `Nicht gespeichert, Sicherung von ${time}`,
    steps: ({ count }) => plural(count, { one: '1 Schritt', other: `${numberText(count)} Schritte` }),
    nodes: ({ nodes, edges }) =>
      `${numberText(nodes)} Knoten, ${plural(edges, { one: '1 Kante', other: `${numberText(edges)} Kanten` })}`,
    flows: ({ count }) => plural(count, { one: '1 Flow', other: `${numberText(count)} Flows` }),
    published: ({ address }) => `Veröffentlicht auf ${address}`,
    background: 'Läuft im Hintergrund weiter',
    backgroundFailed: 'Auslöser laufen nicht',
    updateDownloaded: ({ version }) => `Millrace ${version} ist heruntergeladen`,
    updateAvailable: ({ version }) => `Millrace ${version} ist verfügbar`,
  },
};
