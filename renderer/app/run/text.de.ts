/**
 * The text of the dialogs and buttons that run files in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  agentRun: {
    title: ({ name }) => `${name} ausführen`,
    about: 'Der Agent bearbeitet jede Eingabe oder jede passende Datei einzeln. Ohne beides läuft er einmal.',
    source: 'Bearbeitet',
    inputs: 'Eingaben',
    files: 'Dateien',
    input: ({ number }) => `Eingabe ${numberText(number)}`,
    inputNote: 'Text',
    addInput: 'Eingabe hinzufügen',
    removeInput: ({ number }) => `Eingabe ${numberText(number)} entfernen`,
    filesNote: 'ein Pfad oder Muster pro Zeile',
    filesExample: 'notizen/**/*.md',
    filesMissing: 'Geben Sie mindestens eine Datei oder ein Muster wie notizen/*.md an.',
    model: 'Modell',
    modelNote: 'leer lassen, um das Modell des Agenten zu verwenden',
    preview: 'Prompts ansehen',
    previewHint: 'Die Prompts erzeugen, ohne ein Modell aufzurufen oder Dateien zu schreiben',
    run: 'Ausführen',
  },
  agentWork: {
    title: ({ name }) => `${name} installieren?`,
    about:
      'Der Agent benötigt dieses Paket, das nicht installiert ist. Ein Paket enthält Code: Installieren Sie es nur, wenn Sie der Quelle vertrauen.',
    failed: ({ name, problem }) => `${name} konnte nicht installiert werden: ${problem}`,
    isWorking: ({ name }) => `${name} wird installiert… Danach startet der Agent.`,
    working: 'Wird installiert…',
    install: 'Installieren',
    cancel: 'Abbrechen',
    close: 'Schließen',
  },
  errorHelp: {
    enterSecrets: 'Geheimnisse eingeben',
    modelSettings: 'Modelleinstellungen öffnen',
    trustSettings: 'Vertrauenseinstellungen öffnen',
    allowHost: ({ host }) => `${host} erlauben…`,
    hostAllowed: ({ name, host }) =>
      `${name} darf jetzt an ${host} gesendet werden. Führen Sie den Flow dafür erneut aus.`,
  },
  estimate: {
    label: ({ amount }) => `Schätzung eines Laufs: ${amount}`,
    title: ({ amount }) => `Schätzung: ${amount}`,
    about: ({ count }) =>
      plural(count, {
        zero: 'Was ein Lauf voraussichtlich braucht. Dieser Flow ist noch nicht gelaufen.',
        one: 'Was ein Lauf voraussichtlich braucht und kostet, nach 1 früheren Lauf.',
        other: `Was ein Lauf voraussichtlich braucht und kostet, nach ${numberText(count)} früheren Läufen.`,
      }),
    rerun: ({ amount }) => `Schätzung für das, was erneut läuft: ${amount}.`,
    roughly: ({ amount }) => `etwa ${amount}`,
    atLeast: ({ amount }) => `mindestens ${amount}`,
    tokens: ({ count }) => `${count} Token`,
    node: 'Knoten',
    time: 'Zeit',
    tokenCount: 'Token',
    cost: 'Kosten',
    items: ({ count }) => `${count} Elemente`,
    similar: 'nach ähnlichen Knoten',
    noHistory: 'Kein Verlauf',
    mostUncertain: ({ node }) => `Am unsichersten: ${node}.`,
    notIncluded: ({ nodes }) => `Nicht enthalten, weil es keinen Verlauf gibt: ${nodes}.`,
    unpriced: ({ nodes }) => `Kosten nicht enthalten, weil der Preis nicht bekannt ist: ${nodes}.`,
    waits: ({ nodes }) => `Wartet auf Personen, was nicht enthalten ist: ${nodes}.`,
    waited: ({ time }) => `Personen brauchten ${time} in früheren Läufen.`,
  },
  nodeRun: {
    title: ({ name }) => `Nur ${name} ausführen`,
    titleInLoop: ({ name }) => `${name} ist in einer Schleife`,
    aboutInLoop: 'Der Knoten kann nicht für sich allein laufen.',
    about:
      'Die Knoten davor laufen nicht. Der Knoten erhält ihre fixierten Ausgaben oder sonst ihre Ausgaben aus dem letzten Lauf.',
    aboutMissing:
      'Die Knoten davor laufen nicht, und kein Lauf enthält alle benötigten Werte. Ihre Eingaben gelten nur für diesen Lauf.',
    outside: '{node} hat Wirkungen außerhalb des Flows. Jetzt geschieht Folgendes: {effects}',
    input: 'Eingabe',
    inLoop: ({ node, loop }) =>
      `${node} läuft für jedes Element von ${loop} und erhält von dort seine Eingabe. ${loop} kann mit allen enthaltenen Knoten allein laufen.`,
    runLoop: ({ name }) => `${name} ausführen`,
    run: 'Diesen Knoten ausführen',
    notNow: 'Nicht jetzt',
  },
  nodeWhy: {
    label: ({ name }) => `Warum: ${name}`,
    skipped: 'Warum lief dieser Knoten nicht?',
    failed: 'Warum schlug dieser Knoten fehl?',
    close: 'Schließen',
    line: ({ line }) => `Zeile ${numberText(line)}`,
    runAnyway: 'Trotzdem ausführen',
    runAnywayForAll: 'Trotzdem für alle Elemente ausführen',
    runItem: 'Dieses Element erneut ausführen',
    runFromHere: 'Ab hier erneut ausführen',
    goToFailed: ({ name }) => `Zu ${name} gehen (fehlgeschlagen)`,
    goToSkipped: ({ name }) => `Zu ${name} gehen (übersprungen)`,
  },
  permissions: {
    title: {
      flow: 'Dieser Flow benötigt Ihre Zustimmung',
      agent: 'Dieser Agent benötigt Ihre Zustimmung',
      conversation: 'Dieses Gespräch benötigt Ihre Zustimmung',
    },
    about:
      'Entscheiden Sie jetzt, damit der Lauf nicht unterwegs anhält. Sie werden erneut gefragt, wenn sich der Flow ändert oder weitere Berechtigungen benötigt.',
    list: 'Fehlende Berechtigungen',
    nodes: ({ count }) => plural(count, { one: '1 Knoten', other: `${numberText(count)} Knoten` }),
    namesAndMore: ({ names, count }) =>
      plural(count, { one: `${names} und 1 weiterer`, other: `${names} und ${numberText(count)} weitere` }),
    secretsSelected: 'Millrace gibt die Werte nie an ein Modell und schreibt sie in keine Datei.',
    secretsNotSelected: 'Nicht ausgewählt: Der Lauf fragt beim Start danach.',
    needed: ({ nodes }) => `Benötigt von ${nodes}.`,
    notSelectedAgent: ({ nodes }) => `Nicht ausgewählt: Skripte von ${nodes} schlagen ohne diese Berechtigung fehl.`,
    notSelected: ({ nodes }) => `Nicht ausgewählt: Der Lauf hält hier an: ${nodes}.`,
    trust:
      'Vertrauen gilt für den ganzen Arbeitsbereich: Seine Flows und Agenten können dann alles tun, was Sie tun können.',
    hosts: ({ hosts }) => `Sendet Anfragen an ${hosts}.`,
    scope:
      'Berechtigungen gelten für diesen Arbeitsbereich auf diesem Computer. Ihr Betriebssystem fragt einmal nach Bestätigung. Vertrauen und Hosts können Sie in den Einstellungen widerrufen.',
    notNow: 'Nicht jetzt',
    runWithout: 'Ohne ausführen',
    startWithout: 'Ohne starten',
    allowAndRun: ({ count }) => `${numberText(count)} erlauben und ausführen`,
    allowAndStart: ({ count }) => `${numberText(count)} erlauben und starten`,
  },
  pin: {
    subject: 'The output',
    outputNote: 'JSON',
    title: ({ name }) => `Ausgabe von ${name} fixieren`,
    about:
      'Läufe aus diesem Fenster verwenden dies als Ausgabe des Knotens und führen ihn nicht aus. Die Datei bleibt unverändert.',
    output: 'Ausgabe',
    empty: 'Geben Sie die Ausgabe als JSON ein, zum Beispiel { "text": "…" }.',
    problemAt: ({ line, column, problem }) => `Zeile ${numberText(line)}, Spalte ${numberText(column)}: ${problem}`,
    noLatest:
      'Keiner der letzten Läufe enthält eine Ausgabe dieses Knotens. Führen Sie ihn aus, oder geben Sie eine Ausgabe ein.',
    tooLong: 'Diese Ausgabe ist zu lang, um sie hier zu bearbeiten. Sie bleibt unverändert.',
    unpin: 'Fixierung lösen',
    takeLatest: 'Letzte Ausgabe verwenden',
    pin: 'Fixieren',
  },
  breakpoints: {
    skip: 'Überspringen…',
    edit: 'Bearbeiten…',
  },
  raise: {
    open: 'Erhöhen auf…',
    title: 'Budget erhöhen',
    about: 'Der Lauf geht mit der höheren Grenze weiter. Was er bisher verbraucht hat, zählt weiterhin.',
    parts: {
      usd: 'Neue Grenze in US-Dollar',
      tokens: 'Neue Grenze in Token',
      seconds: 'Neue Grenze in Arbeitssekunden',
    },
    used: ({ used, limit }) => `${used} von ${limit} verbraucht`,
    tooLow: ({ limit }) => `Geben Sie eine Zahl über ${limit} ein.`,
    notWhole: ({ limit }) => `Geben Sie eine ganze Zahl über ${limit} ein.`,
    unchanged: 'Erhöhen Sie mindestens eine Grenze.',
    raise: 'Erhöhen und fortsetzen',
    cancel: 'Pausiert lassen',
  },
  rerun: {
    answer: '{node}: {answer}, {time}',
    title: 'Erneut ausführen?',
    titleFrom: ({ name }) => `Ab ${name} erneut ausführen?`,
    titleMoment: 'Ab diesem Zeitpunkt erneut ausführen?',
    titleUpTo: ({ name }) => `Bis ${name} ausführen?`,
    titleItem: ({ item }) => `Erneut ausführen: ${item}?`,
    about: 'Startet einen neuen Lauf. Nicht betroffene Knoten verwenden ihre früheren Ergebnisse.',
    loading: 'Vergleich mit dem früheren Lauf…',
    list: 'Was geschehen würde',
    fates: {
      reused: 'wiederverwendet',
      runs: 'läuft erneut',
      maybe: 'wiederverwendet, falls die Eingaben gleich bleiben',
      skipped: 'wieder übersprungen',
      pinned: 'verwendet die fixierte Ausgabe',
      given: 'erhält die geänderte Ausgabe',
    },
    reusedFromOther: 'aus einem anderen Lauf wiederverwendet',
    countRuns: ({ count }) =>
      plural(count, { one: '1 Knoten läuft erneut.', other: `${numberText(count)} Knoten laufen erneut.` }),
    countReused: ({ count }) =>
      plural(count, { one: '1 wird wiederverwendet.', other: `${numberText(count)} werden wiederverwendet.` }),
    countPinned: ({ count }) => plural(count, { one: '1 ist fixiert.', other: `${numberText(count)} sind fixiert.` }),
    countGiven: ({ count }) =>
      plural(count, { one: '1 erhält eine andere Ausgabe.', other: `${numberText(count)} erhalten andere Ausgaben.` }),
    countMaybe: ({ count }) =>
      plural(count, {
        one: '1 wird eventuell wiederverwendet.',
        other: `${numberText(count)} werden eventuell wiederverwendet.`,
      }),
    countSkipped: ({ count }) =>
      plural(count, { one: '1 bleibt übersprungen.', other: `${numberText(count)} bleiben übersprungen.` }),
    oneOutside:
      '{nodes} hat Wirkungen außerhalb des Flows, zum Beispiel eine Anfrage, einen Agentenlauf oder eine Ergänzung einer Datei. Diese Wirkungen würden ein zweites Mal eintreten.',
    moreOutside:
      '{nodes} haben Wirkungen außerhalb des Flows, zum Beispiel eine Anfrage, einen Agentenlauf oder eine Ergänzung einer Datei. Diese Wirkungen würden ein zweites Mal eintreten.',
    askedAgain: 'Diese Fragen werden erneut gestellt. Antworten im früheren Lauf:',
    answers: 'Frühere Antworten',
    moreAnswers: ({ count }) => plural(count, { one: 'und 1 weitere', other: `und ${numberText(count)} weitere` }),
    keep: 'So lassen',
    run: 'Erneut ausführen',
  },
  runButton: {
    run: 'Ausführen',
    more: 'Weitere Arten der Ausführung',
  },
  runFiles: {
    list: 'Dateien, die der Lauf geändert hat',
    select: ({ path }) => `${path} zurücksetzen`,
    states: { 'changed-since': 'seit dem Lauf geändert', 'put-back': 'wie vor dem Lauf' },
    noCopy: 'keine Kopie',
    folder: 'Ordner',
    movedFrom: ({ path }) => `von ${path}`,
    more: ({ count }) => `und ${numberText(count)} weitere`,
    none: 'Keine Dateien geändert',
    noneWhy: 'Hier stehen die Dateien, die ein Lauf im Arbeitsbereich schreibt, verschiebt oder löscht.',
    expired: 'Die Liste wurde entfernt',
    expiredWhy: 'Kopien geänderter Dateien und ihre Listen werden nach einiger Zeit entfernt.',
    unlisted: ({ list }) => `Nicht aufgeführt: mögliche Änderungen durch ${list}`,
    commands: ({ count }) => plural(count, { zero: '', one: '1 Befehl', other: `${numberText(count)} Befehle` }),
    requests: ({ count }) =>
      plural(count, { zero: '', one: '1 Web-Anfrage', other: `${numberText(count)} Web-Anfragen` }),
    tools: ({ count }) =>
      plural(count, { zero: '', one: '1 Werkzeugaufruf', other: `${numberText(count)} Werkzeugaufrufe` }),
    outside: ({ count }) =>
      plural(count, { zero: '', one: '1 Datei außerhalb', other: `${numberText(count)} Dateien außerhalb` }),
    diff: ({ path }) => `${path} vor dem Lauf und jetzt`,
    diffBack: ({ path }) => `${path} jetzt und vor dem Lauf`,
    notText: 'Dieser Inhalt lässt sich nicht vergleichen: Er ist kein Text, zu groß oder hat keine Kopie.',
    putBack: ({ count }) =>
      plural(count, {
        zero: 'Zurücksetzen…',
        one: '1 Datei zurücksetzen…',
        other: `${numberText(count)} Dateien zurücksetzen…`,
      }),
    title: ({ count }) =>
      plural(count, { one: '1 Datei zurücksetzen?', other: `${numberText(count)} Dateien zurücksetzen?` }),
    about:
      'Dateien werden wieder so wie vor dem Lauf, und vom Lauf erstellte Dateien werden gelöscht. Das lässt sich rückgängig machen.',
    askedSince: ({ count }) =>
      plural(count, {
        one: '1 Datei wurde seit dem Lauf geändert. Sie sehen zuerst ihre Änderungen.',
        other: `${numberText(count)} Dateien wurden seit dem Lauf geändert. Sie sehen zuerst die Änderungen jeder Datei.`,
      }),
    unsaved: ({ paths }) =>
      `Nicht gespeicherte Änderungen bleiben im Editor, der dann fragt, was gelten soll: ${paths}`,
    keep: 'So lassen',
    agree: 'Zurücksetzen',
    sinceTitle: ({ path }) => `${path} wurde seit dem Lauf geändert`,
    sinceAbout: ({ number, count }) =>
      `Links: jetzt. Rechts: vor dem Lauf. Datei ${numberText(number)} von ${numberText(count)}.`,
    leave: 'So lassen',
    replace: 'Ersetzen',
    takeBack: 'Letztes Zurücksetzen rückgängig machen…',
    failed: 'Die Dateien konnten nicht zurückgesetzt werden',
    changedAgain: ({ path }) => `${path} wurde inzwischen geändert.`,
    done: ({ count }) =>
      plural(count, {
        zero: 'Keine Dateien zurückgesetzt',
        one: '1 Datei zurückgesetzt',
        other: `${numberText(count)} Dateien zurückgesetzt`,
      }),
    doneHint: 'Mit der Dateiliste des Laufs lässt sich das rückgängig machen.',
  },
  runInputs: {
    title: ({ name }) => `${name} ausführen`,
    about: 'Diese Werte gelten nur für diesen Lauf. Die Datei bleibt unverändert.',
    autonomy: 'Autonomie',
    declared: ({ level }) => `Wie angegeben: ${level}`,
    declaredNone: 'Wie angegeben: keine Stufe',
    levels: {
      suggest_only: 'schlägt Wirkungen nur vor',
      semi_auto: 'fragt vor Wirkungen',
      full_auto: 'fragt nicht vor Wirkungen',
    },
    reset: 'Standardwerte wiederherstellen',
    run: 'Ausführen',
  },
  shownRun: {
    cancel: 'Abbrechen',
    canceling: 'Wird abgebrochen',
    continue: 'Fortsetzen',
    step: 'Schritt',
    runAgain: 'Erneut ausführen',
    resume: 'Fortsetzen',
    backToNow: 'Zurück zu jetzt',
    runAgainFromHere: 'Ab hier erneut…',
  },
};
