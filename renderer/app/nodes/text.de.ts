/**
 * The text of the outline and of the dialogs about nodes in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  outline: {
    heading: 'GLIEDERUNG',
    add: 'Knoten nach Namen hinzufügen…',
    noEdgeChanged: 'Keine Kante wurde geändert',
  },
  add: {
    detail: ({ type, description }) => `${type} · ${description}`,
    title: 'Knoten hinzufügen',
    titleNear: ({ node }) => `Knoten hinzufügen: ${node} ist ausgewählt`,
    stepAtEnd: 'Schritt am Ende hinzufügen',
    stepAfter: ({ node }) => `Schritt nach ${node} hinzufügen`,
    placeholder: 'Typ des Knotens',
    stepPlaceholder: 'Schritt oder Tool',
    empty: 'Keine passenden Knotentypen.',
    where: 'Position',
    after: ({ node }) => `Nach ${node}`,
    onFailure: 'Im Fehlerfall',
    inside: ({ node }) => `In ${node}`,
    alone: 'Nicht verbunden',
  },
  connect: {
    title: ({ node }) => `${node} verbinden mit…`,
    placeholder: 'Name des nächsten Knotens',
    empty: 'Keine passenden Knoten.',
    onFailure: ({ detail }) => `im Fehlerfall · ${detail}`,
    byBranch: ({ branch, detail }) => `über ${branch} · ${detail}`,
    undo: ({ node }) => `${node} im Fehlerfall verbinden`,
  },
  disconnect: {
    title: ({ node }) => `Kante von ${node} entfernen`,
    placeholder: 'Name des Knotens am anderen Ende',
    conditional: 'mit Bedingung',
    noEdges: 'Dieser Knoten hat keine Kanten.',
    empty: 'Keine passenden Kanten.',
  },
  moveIntoLoop: {
    title: ({ count, node }) =>
      plural(count, {
        one: `${node} verschieben in die Schleife…`,
        other: `${numberText(count)} Knoten verschieben in die Schleife…`,
      }),
    placeholder: 'Name einer Schleife',
    noLoops: 'Der Flow hat keine anderen Schleifen.',
    empty: 'Keine passenden Schleifen.',
  },
  extract: {
    title: ({ count, node }) =>
      plural(count, {
        one: `${node} in einen Flow auslagern`,
        other: `${numberText(count)} Knoten in einen Flow auslagern`,
      }),
    description:
      'Die Knoten kommen in eine neue Datei, die ein einzelner Knoten an ihrer Stelle aufruft. Die Ergebnisse bleiben gleich.',
    nameOfTwo: ({ first, last }) => `${first} und ${last}`,
    nameOfMany: ({ first, last }) => `${first} bis ${last}`,
    part: 'Teil',
    name: 'Name',
    nameNeedsLetter: 'Der Name braucht einen Buchstaben oder eine Ziffer.',
    nameIsTaken: ({ path }) => `${path} ist bereits vorhanden. Wählen Sie einen anderen Namen.`,
    inProduct: 'Flows eines Produkts können keine Flows aufrufen, daher kann hier nichts ausgelagert werden.',
    creates: 'Erstellt {path}',
    inputs: 'Eingaben',
    outputs: 'Ausgaben',
    none: 'keine',
    more: ({ count }) => `und ${numberText(count)} weitere`,
    cancel: 'Abbrechen',
    extract: 'Auslagern',
    close: 'Schließen',
  },
  pasteRequest: {
    secretFailed: ({ name, reason }) => `${name}: ${reason}`,
    title: 'Anfrage hinzufügen',
    description:
      'Der Befehl enthält Geheimnisse. Der Flow bezieht sich auf ihre Namen, und ihre Werte werden getrennt gespeichert.',
    nameInvalid: 'Verwenden Sie Großbuchstaben, Ziffern und _ für Namen, etwa API_TOKEN.',
    nameRepeated: 'Zwei Geheimnisse können nicht denselben Namen haben.',
    addFailed: 'Die Anfrage konnte nicht hinzugefügt werden.',
    notConverted: 'Nicht übernommen',
    secretFrom: ({ place }) => `Geheimnis aus ${place}`,
    replaces: 'Ein Geheimnis mit diesem Namen ist bereits vorhanden. Millrace fragt Sie, bevor es den Wert ersetzt.',
    valueOf: ({ name }) => `Wert von ${name}`,
    valuePlaceholder: 'Wert, jetzt oder vor dem ersten Lauf',
    cancel: 'Abbrechen',
    addWithoutValues: 'Ohne Werte hinzufügen',
    keepAndAdd: 'Speichern und hinzufügen',
  },
};
