/**
 * The text of files, models, packs and policies of the workspace in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  files: {
    createFailed: ({ path }) => `${path} konnte nicht angelegt werden`,
    renameFailed: ({ path }) => `${path} konnte nicht umbenannt werden`,
    copyFailed: ({ path }) => `${path} konnte nicht kopiert werden`,
    trashFailed: ({ path }) => `${path} konnte nicht in den Papierkorb verschoben werden`,
    unsavedTarget: ({ path }) =>
      `Die offene Datei ${path} hat ungespeicherte Änderungen. Speichern oder schließen Sie sie zuerst.`,
    moveDraftsFailed: 'Lokaler Verlauf und Rückgängig-Schritte konnten nicht verschoben werden',
    draftsPutAside: 'Ungespeicherter Text wurde beiseitegelegt',
    forgetDraftFailed: 'Ungespeicherte Änderungen konnten nicht verworfen werden',
  },
  names: {
    missing: 'Geben Sie einen Namen ein.',
    badCharacter: ({ character }) => `Ein Name darf ${character} nicht enthalten.`,
    badEnd: 'Ein Name darf nicht mit einem Punkt oder Leerzeichen enden.',
    device: 'Windows reserviert diesen Namen für ein Gerät.',
    absolutePath: 'Der Pfad muss im Arbeitsbereich liegen und darf nicht mit „/“ beginnen.',
    emptyFolder: 'Der Pfad enthält einen Ordner ohne Namen.',
  },
  models: {
    ofWorkspace: 'Namen in diesem Arbeitsbereich',
    default: 'Standard',
    usedInFlow: 'in diesem Flow verwendet',
    usedInWorkspace: 'in diesem Arbeitsbereich verwendet',
    scripts: 'Skripte',
    scriptsOffline: 'funktionieren offline',
    scriptOffline: 'funktioniert offline',
    onThisComputer: 'Auf diesem Computer',
    silent: 'antwortet nicht',
    noKeyNeeded: 'kein Schlüssel nötig',
    keySet: 'Schlüssel vorhanden',
    keyNotAllowed: 'Schlüssel hier nicht erlaubt',
    keyNeeded: 'benötigt einen Schlüssel',
    noProvider: 'kein Anbieter bietet es an',
    notListed: ({ provider }) => `${provider} führt es nicht auf`,
  },
  modelProblems: {
    defaultModel: 'Das Standardmodell',
    missingInAgent:
      'Für diesen Agenten ist kein Modell gewählt. Wählen Sie eines in seinen Optionen oder ein Standardmodell unter Einstellungen > Modelle.',
    missingInNode: ({ node }) =>
      `Für ${node} ist kein Modell gewählt. Wählen Sie eines in den Einstellungen des Knotens oder ein Standardmodell unter Einstellungen > Modelle.`,
    keyMissingInAgent: ({ model, provider, variable }) =>
      `${model} benötigt einen Schlüssel für „${provider}“. Geben Sie ihn unter Einstellungen > Modelle ein, oder setzen Sie die Umgebungsvariable ${variable}.`,
    keyMissingInNode: ({ model, provider, variable, node }) =>
      `${model} benötigt einen Schlüssel für „${provider}“. Geben Sie ihn im Modellfeld von ${node} ein, oder setzen Sie die Umgebungsvariable ${variable}.`,
    unusable: ({ model, reason }) => `${model} kann nicht verwendet werden: ${reason}`,
  },
  imports: {
    tooLarge: ({ name }) => `${name} ist größer als 32 MiB.`,
    exists: ({ path }) => `${path} existiert inzwischen`,
    importAgain:
      'Der importierte Flow wurde nicht geöffnet. Importieren Sie die Datei erneut, dann erhält er einen anderen Namen.',
  },
  packs: {
    failed: ({ pack, reason }) => `${pack} konnte nicht aktualisiert werden: ${reason}`,
    failedWithoutReason: ({ pack }) => `${pack} konnte nicht aktualisiert werden. Der Grund ist unbekannt.`,
    installed: ({ pack, version }) => `${pack} ${version} ist installiert.`,
    updated: ({ pack, version }) => `${pack} hat jetzt die Version ${version}.`,
    upToDate: ({ pack, version }) => `${pack} ${version} ist aktuell.`,
    none: 'Keine Pakete zu aktualisieren.',
    allUpToDate: ({ count }) =>
      plural(count, { one: '1 Paket ist aktuell.', other: `Alle ${numberText(count)} Pakete sind aktuell.` }),
    othersUpToDate: ({ count }) =>
      plural(count, {
        one: '1 weiteres Paket ist aktuell.',
        other: `${numberText(count)} weitere Pakete sind aktuell.`,
      }),
    installing: 'Wird installiert…',
    notInstalled: 'Es wurde nichts installiert: Sie haben es nicht erlaubt.',
    busy: 'Ein anderer Vorgang mit Paketen läuft. Versuchen Sie es danach erneut.',
    checkingAll: 'Updates werden gesucht…',
    checking: ({ pack }) => `Updates für ${pack} werden gesucht…`,
    removing: ({ pack }) => `${pack} wird entfernt…`,
    removed: ({ pack }) => `${pack} ist im Papierkorb.`,
  },
  triggers: {
    notSwitched: ({ name }) => `Der Auslöser ${name} konnte nicht umgeschaltet werden`,
    notStarted: 'Der Lauf konnte nicht erneut gestartet werden',
  },
  publishing: {
    notPublished: ({ path }) => `${path} konnte nicht veröffentlicht werden`,
    notUnpublished: ({ path }) => `Die Adresse von ${path} konnte nicht entfernt werden`,
    noKey: 'Der Schlüssel konnte nicht angelegt werden',
    notRevoked: 'Der Schlüssel konnte nicht widerrufen werden',
    notOpened: 'Die Formularseite konnte nicht geöffnet werden',
  },
  policies: {
    created: ({ path }) => `${path} wurde angelegt.`,
    opened: 'Die Datei ist in dem Programm geöffnet, das Ihr System für YAML-Dateien verwendet.',
    noProgram: ({ path }) => `Ihr System hat kein Programm für YAML-Dateien. Öffnen Sie ${path} in einem Texteditor.`,
  },
};
