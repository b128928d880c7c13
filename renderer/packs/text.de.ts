/**
 * The text of the list of packs and its dialogs in German.
 */
import type { Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  list: {
    packs: 'Pakete',
    install: 'Installieren…',
    updateAll: 'Alle Pakete aktualisieren',
    loading: 'Pakete werden geladen…',
    failed: ({ reason }) => `Die Pakete konnten nicht aufgelistet werden: ${reason}`,
    empty: 'Noch keine Pakete',
    emptyInstall: 'Paket installieren…',
    emptyNote:
      'Ein Paket ist ein Ordner mit Agenten und Flows, die andere geschrieben haben. Sie werden über ihren Namen ausgeführt, zum Beispiel {example}.',
    unusable: 'Nicht verwendbar',
    hidden: 'verdeckt',
    builtIn: 'mitgeliefert',
    ofWorkspace: 'dieser Arbeitsbereich',
    ofPerson: 'eigenes',
    installed: 'installiert',
  },
  install: {
    title: 'Paket installieren',
    description: 'Das Paket wird für alle Arbeitsbereiche installiert.',
    pack: 'Paket',
    packNote: 'Name, URL, Git-Repository oder Datei',
    missing: 'Geben Sie ein Paket an.',
    examples: 'Beispiele: {name}, {url}, {git} oder der Pfad einer {file}-Datei.',
    warning:
      'Ein Paket ist fremder Code. Seine Agenten lesen diesen Arbeitsbereich und senden das Gelesene an Ihre Modelle. In einem Arbeitsbereich, dem Sie vertrauen, können sie alles tun, was Sie tun können.',
    file: 'Paketdatei',
    chooseFile: 'Datei auswählen…',
    installing: 'Wird installiert…',
    install: 'Installieren',
  },
  pack: {
    loadingReadme: 'Die Readme-Datei wird geladen…',
    readmeFailed: ({ reason }) => `Die Readme-Datei konnte nicht gelesen werden: ${reason}`,
    readme: 'Readme',
    contents: 'Inhalt',
    shadowed: ({ name }) => `Ein anderes Paket namens ${name} hat Vorrang, daher wird dieses nicht verwendet.`,
    atCommit: '{folder} bei Commit {commit}',
    update: 'Aktualisieren',
    remove: 'Entfernen…',
    removeQuestion: ({ name }) => `${name} in den Papierkorb verschieben? Die gespeicherten Daten bleiben erhalten.`,
    cancel: 'Abbrechen',
    removeNow: 'Entfernen',
    builtIn: 'Wird mit Millrace geliefert.',
    ofWorkspace: 'In diesem Arbeitsbereich.',
    ofPerson: 'Eines Ihrer eigenen Pakete.',
    installed: 'Installiert.',
    installedOn: ({ day }) => `Installiert am ${day}.`,
    installedFrom: ({ source }) => `Installiert von ${source}.`,
    installedFromOn: ({ source, day }) => `Installiert von ${source} am ${day}.`,
  },
};
