/**
 * The text of the form of a JSON Schema in German.
 */
import { numberText, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  editor: {
    schema: 'The schema',
    jsonLabel: ({ field }) => `${field} als JSON`,
    jsonText: 'JSON-Text',
    disabled: 'Das Formular ist deaktiviert, bis der JSON-Text gültig ist.',
    notJson: ({ problem }) => `Noch kein JSON, daher bleibt die Datei unverändert: ${problem}.`,
    notSchema:
      'Die Datei bleibt unverändert: Ein Schema ist eine Map wie { "type": "object" } oder aber true oder false.',
    start: 'Ein Schema legt die Felder des Werts fest. Beginnen Sie mit:',
    noForm: 'Dieser Wert lässt sich nicht als Formular bearbeiten und wird daher als Text angezeigt.',
    tooManyFields: ({ count }) =>
      `Dieses Schema hat mehr als ${numberText(count)} Felder und wird daher als Text angezeigt.`,
  },
  templates: {
    labelAndReason: 'Label und Begründung',
    list: 'Liste von Elementen',
    ownFields: 'Eigene Felder',
  },
  kinds: {
    string: 'Text',
    choice: 'Eines von',
    number: 'Zahl',
    integer: 'Ganze Zahl',
    boolean: 'Ja oder nein',
    array: 'Liste',
    object: 'Felder',
    any: 'Beliebig',
    locked: 'Im JSON-Text festgelegt',
  },
  value: {
    label: 'Der Wert ist',
    eachItemLabel: 'Jedes Element ist',
    eachLabel: ({ name }) => `Jedes Element von ${name} ist`,
    eachItem: 'Elementen',
    each: ({ name }) => `Elementen von ${name}`,
    more: ({ keywords }) => `Mehr im JSON-Text: ${keywords}`,
  },
  fields: {
    notMap: 'Die Felder fehlen hier, weil „properties“ keine Map ist. Korrigieren Sie dies im JSON-Text.',
    add: 'Feld hinzufügen',
    noOthers: 'Keine anderen Felder',
    name: ({ field }) => `Name von ${field}`,
    type: ({ field }) => `Typ von ${field}`,
    description: ({ field }) => `Beschreibung von ${field}`,
    descriptionHint: 'Bedeutung',
    isRequired: ({ field }) => `${field} ist erforderlich`,
    required: 'erforderlich',
  },
  choices: {
    empty: '(leer)',
    remove: ({ choice }) => `Auswahl ${choice} entfernen`,
    add: 'Hinzufügen',
    none: 'Fügen Sie mindestens eine Auswahl hinzu. Ohne Auswahl ist kein Wert gültig.',
  },
};
