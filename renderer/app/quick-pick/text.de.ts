/**
 * The text of quick open in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  label: 'Gehe zu',
  title: 'Zu Datei, Knoten, Modell, Lauf, Agent oder Befehl gehen',
  placeholder: 'Name von Datei, Knoten, Modell, Lauf, Agent oder Befehl, oder > nur für Befehle',
  noCommands: 'Kein passender Befehl verfügbar.',
  nothing: 'Keine Treffer.',
  run: ({ name, number }) => `${name}, Lauf ${number}`,
  model: ({ about }) => `Modell · ${about}`,
  modelUsed: ({ count }) =>
    plural(count, {
      one: 'Modell · von 1 Knoten verwendet',
      other: `Modell · von ${numberText(count)} Knoten verwendet`,
    }),
  trigger: ({ path }) => `Auslöser · ${path}`,
  modelUse: ({ node }) => `Modell · für ${node} verwenden`,
};
