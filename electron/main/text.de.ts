/**
 * The text of menus, dialogs, notifications and windows in German.
 */
import { plural } from './language.ts';
import type { ProgramText } from './text.ts';

export const german: ProgramText = {
  menu: {
    about: 'Über Millrace',
    services: 'Dienste',
    hide: 'Millrace ausblenden',
    hideOthers: 'Andere ausblenden',
    showAll: 'Alle einblenden',
    quit: 'Beenden',
    file: '&Datei',
    new: 'Neu…',
    open: 'Öffnen…',
    save: 'Speichern',
    saveAll: 'Alle speichern',
    closeTab: 'Tab schließen',
    savePng: 'Bild als PNG speichern…',
    saveSvg: 'Bild als SVG speichern…',
    newWindow: 'Neues Fenster',
    openFolder: 'Ordner öffnen…',
    openRecent: 'Zuletzt geöffnet',
    gallery: 'Mit einem Beispiel beginnen…',
    openSentRun: 'Gesendeten Lauf öffnen…',
    import: 'Flows importieren…',
    installPack: 'Paket installieren…',
    settings: 'Einstellungen',
    keepRunning: 'Im Hintergrund weiterlaufen',
    closeWindow: 'Fenster schließen',
    edit: '&Bearbeiten',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    cut: 'Ausschneiden',
    copy: 'Kopieren',
    paste: 'Einfügen',
    selectAll: 'Alles auswählen',
    search: 'In allen Dateien suchen',
    format: 'Datei formatieren',
    view: '&Ansicht',
    theme: 'Design',
    themeSystem: 'Wie das System',
    themeLight: 'Hell',
    themeDark: 'Dunkel',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    actualSize: 'Originalgröße',
    fullScreen: 'Vollbild ein/aus',
    reload: 'Fenster neu laden',
    developerTools: 'Entwicklertools ein/aus',
    run: 'A&usführen',
    runFlow: 'Flow ausführen',
    pauseRun: 'Lauf pausieren oder fortsetzen',
    stepRun: 'Nächsten Knoten des pausierten Laufs ausführen',
    breakpoint: 'Haltepunkt hinzufügen oder entfernen',
    cancelRun: 'Lauf abbrechen',
    runAgain: 'Erneut ausführen',
    runFromHere: 'Ab dem ausgewählten oder ersten veralteten Knoten erneut ausführen',
    resume: 'Unterbrochenen Lauf fortsetzen',
    window: '&Fenster',
    minimize: 'Minimieren',
    zoomWindow: 'Zoomen',
    bringToFront: 'Alle nach vorne bringen',
    close: 'Schließen',
    help: '&Hilfe',
    documentation: 'Dokumentation',
    shortcuts: 'Tastenkürzel',
    copyDiagnostics: 'Diagnosedaten kopieren',
    showLogs: 'Protokolle anzeigen',
    resetSettings: 'Einstellungen zurücksetzen…',
    restartInSafeMode: 'Im abgesicherten Modus neu starten',
    licenses: 'Lizenzen von Drittanbietern',
  },
  window: {
    safeMode: ({ title }) => `${title} (abgesicherter Modus)`,
    remote: ({ name }) => `${name} (entfernt)`,
    sentRun: ({ name }) => `${name} (gesendeter Lauf)`,
    crashed: 'Die Seite dieses Fensters wurde unerwartet beendet.',
    crashedDetail: ({ reason }) =>
      `Grund: ${reason}. Läufe gehen in der Engine weiter und bleiben erhalten. Laden Sie die Seite neu, um sie zu sehen.`,
    reload: 'Neu laden',
    close: 'Fenster schließen',
  },
  leave: {
    runs: ({ count }) =>
      plural(count, { one: 'Ein Lauf ist noch nicht beendet.', other: `${count} Läufe sind noch nicht beendet.` }),
    closeWindow: ({ count }) =>
      plural(count, {
        one: 'Wenn Sie dieses Fenster schließen, wird er abgebrochen. Was bis dahin erledigt ist, bleibt im Verlauf.',
        other:
          'Wenn Sie dieses Fenster schließen, werden sie abgebrochen. Was bis dahin erledigt ist, bleibt im Verlauf.',
      }),
    cancelAndClose: ({ count }) =>
      plural(count, { one: 'Lauf abbrechen und schließen', other: 'Läufe abbrechen und schließen' }),
    openFolder: ({ count }) =>
      plural(count, {
        one: 'Wenn Sie in diesem Fenster einen anderen Ordner öffnen, wird er abgebrochen. Was bis dahin erledigt ist, bleibt im Verlauf.',
        other:
          'Wenn Sie in diesem Fenster einen anderen Ordner öffnen, werden sie abgebrochen. Was bis dahin erledigt ist, bleibt im Verlauf.',
      }),
    cancelAndOpen: ({ count }) =>
      plural(count, { one: 'Lauf abbrechen und öffnen', other: 'Läufe abbrechen und öffnen' }),
    quit: ({ count }) =>
      plural(count, {
        one: 'Beim Beenden wird er abgebrochen. Was bis dahin erledigt ist, bleibt im Verlauf.',
        other: 'Beim Beenden werden sie abgebrochen. Was bis dahin erledigt ist, bleibt im Verlauf.',
      }),
    cancelAndQuit: ({ count }) =>
      plural(count, { one: 'Lauf abbrechen und beenden', other: 'Läufe abbrechen und beenden' }),
    keepRunning: 'Weiterlaufen lassen',
  },
  unsaved: {
    files: ({ count }) =>
      plural(count, { one: 'Eine Datei ist nicht gespeichert.', other: `${count} Dateien sind nicht gespeichert.` }),
    detail:
      'Ohne Speichern gilt wieder der gespeicherte Text. „Rückgängig“ in einer Datei bringt Ihre Änderungen zurück.',
    saveAll: 'Alle speichern',
    dontSave: 'Nicht speichern',
    cancel: 'Abbrechen',
    failed: ({ count }) =>
      plural(count, {
        one: 'Eine Datei konnte nicht gespeichert werden.',
        other: `${count} Dateien konnten nicht gespeichert werden.`,
      }),
    failedDetail: 'Das Fenster bleibt offen und zeigt den Grund.',
    ok: 'OK',
    more: ({ count }) => `und ${count} weitere`,
  },
  files: {
    openFolder: 'Ordner öffnen',
    openFailed: 'Der Ordner konnte nicht geöffnet werden',
    openSentRun: 'Gesendeten Lauf öffnen',
    sendRun: 'Lauf senden',
    pages: 'Webseiten',
    exportRun: 'Lauf exportieren',
    exportSpans: 'Spans des Laufs exportieren',
    exportTrace: 'Trace in einen Ordner exportieren',
    exportHere: 'Hierher exportieren',
    json: 'JSON',
    installTeam: 'Paket eines Teams installieren',
    teamPackages: 'Teampakete',
    savePicture: 'Bild speichern',
    png: 'PNG-Bild',
    svg: 'SVG-Bild',
  },
  workspace: {
    missing: ({ folder }) =>
      `Der Ordner ${folder} konnte nicht geöffnet werden. Es gibt ihn nicht, oder Sie dürfen ihn nicht lesen. Wählen Sie einen anderen Ordner mit Datei > Ordner öffnen.`,
    brokenLink: ({ folder }) =>
      `Der Ordner ${folder} konnte nicht geöffnet werden. Er ist ein Link auf etwas, das es nicht gibt oder das Sie nicht lesen dürfen. Korrigieren oder entfernen Sie den Link, oder wählen Sie einen anderen Ordner mit Datei > Ordner öffnen.`,
    isFile: ({ folder }) =>
      `${folder} ist eine Datei. Ein Arbeitsbereich ist der Ordner, der Ihre Flows enthält. Wählen Sie ihn mit Datei > Ordner öffnen.`,
    isLinkToFile: ({ folder }) =>
      `${folder} ist ein Link auf eine Datei. Ein Arbeitsbereich ist der Ordner, der Ihre Flows enthält. Wählen Sie ihn mit Datei > Ordner öffnen.`,
    noExamples: ({ reason }) =>
      `Die Beispiele konnten nicht in Ihren Ordner kopiert werden. ${reason} Wählen Sie einen Ordner mit Datei > Ordner öffnen.`,
    notOpened: ({ what, reason }) =>
      `${what} konnte nicht geöffnet werden: ${reason}. Wählen Sie einen Ordner mit Datei > Ordner öffnen.`,
  },
  runNotices: {
    completed: ({ name }) => `${name} ist abgeschlossen`,
    failed: ({ name }) => `${name} ist fehlgeschlagen`,
    paused: ({ name }) => `${name} ist pausiert`,
    many: ({ count }) => `${count} Läufe sind beendet oder warten`,
    names: ({ names, count }) => `${names} und ${count} weitere`,
  },
  requests: {
    one: ({ title }) => `${title} wartet auf Sie`,
    many: ({ count }) => `${count} Anfragen warten auf Sie`,
    names: ({ names, count }) => `${names} und ${count} weitere`,
    overdue: ({ text }) => `Die Frist ist abgelaufen. ${text}`,
    test: 'Ein Test von Millrace',
    testText: 'Eine Nachricht wie diese erhalten Sie, wenn ein Lauf auf Sie wartet.',
    none: 'keiner',
    notSet: 'Zurzeit werden keine Nachrichten gesendet. Wählen Sie ein Programm oder einen Server und speichern Sie.',
  },
  engine: {
    starting: 'Die Engine startet.',
    ready: 'Die Engine ist bereit.',
    silent: 'Die Engine antwortet nicht.',
    refused: ({ reason }) =>
      `Die Engine kann diesen Ordner nicht öffnen: ${reason} Gespeicherte Daten bleiben erhalten. Versuchen Sie es erneut, hier oder mit Ansicht > Fenster neu laden.`,
    replaced: ({ count }) =>
      count === 0
        ? 'Sie haben die Engine beendet. Sie startet neu.'
        : plural(count, {
            one: 'Sie haben die Engine beendet. Sie startet neu und setzt ihren Lauf fort.',
            other: `Sie haben die Engine beendet. Sie startet neu und setzt ihre ${count} Läufe fort.`,
          }),
    crashed: ({ code }) => `Die Engine wurde unerwartet beendet (Exit-Code ${code}) und startet neu.`,
    gaveUp: ({ count, code }) =>
      `Die Engine wurde innerhalb einer Minute ${count}-mal beendet (letzter Exit-Code: ${code}) und wird nicht mehr gestartet. Gespeicherte Daten bleiben erhalten. Versuchen Sie es erneut, hier oder mit Ansicht > Fenster neu laden.`,
  },
  background: {
    exited: ({ code }) => `Der Dienst wurde unerwartet beendet (Exit-Code ${code}).`,
    open: 'Millrace öffnen',
    quit: 'Beenden',
    next: ({ trigger, time }) => `Als Nächstes: ${trigger}, ${time}`,
    noNext: 'Kein Auslöser ist geplant',
    active: ({ count }) =>
      count === 0 ? 'Keine aktiven Läufe' : plural(count, { one: '1 aktiver Lauf', other: `${count} aktive Läufe` }),
    failed: 'Der Dienst läuft nicht',
  },
  help: {
    showFailed: 'Die Datei oder der Ordner konnte nicht geöffnet werden',
    showFailedDetail: ({ problem, place }) => `${problem}\n\nDer Pfad ist ${place}`,
    copied: 'Die Diagnosedaten sind kopiert.',
    copiedDetail: ({ folder }) =>
      `Sie enthalten Versionen, das System, Einstellungen und die letzten Zeilen des Protokolls, aber keine Schlüssel und nicht den Namen Ihres Benutzerordners. Prüfen Sie sie, bevor Sie sie weitergeben: Das Protokoll kann privaten Text enthalten, den Flows und Agenten geschrieben haben.\n\nEs wurde nichts gesendet. Protokolle und Absturzberichte liegen in ${folder}`,
    reset: 'Alle Einstellungen des Programms zurücksetzen?',
    resetDetail:
      'Design, Größe, Tastenkürzel, Einstellungen des Editors und die Liste der zuletzt geöffneten Ordner erhalten wieder ihre Standardwerte. Flows, Pakete, Modelle, Schlüssel von Modellen und vertrauenswürdige Ordner bleiben. Eine Kopie der Einstellungen wird aufbewahrt.',
    resetButton: 'Einstellungen zurücksetzen',
    cancel: 'Abbrechen',
    resetDone: 'Die Einstellungen sind zurückgesetzt.',
    resetCopy: ({ file }) => `Eine Kopie der alten Einstellungen ist ${file}`,
    resetFailed: 'Die Einstellungen konnten nicht zurückgesetzt werden',
    safeMode: 'Millrace ist mehrmals nicht richtig gestartet. Im abgesicherten Modus starten?',
    safeModeDetail:
      'Im abgesicherten Modus ignoriert Millrace Ihre Pakete, vertrauenswürdigen Ordner, Modelle und Einstellungen und ändert nichts davon. Startet es so, liegt die Ursache bei ihnen.',
    safeModeButton: 'Im abgesicherten Modus starten',
    startNormally: 'Normal starten',
    startFailed: 'Millrace kann nicht starten',
  },
};
