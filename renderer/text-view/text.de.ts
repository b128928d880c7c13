/**
 * The text of the text editor in German.
 */
import { numberText, plural, type Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  editor: {
    label: ({ path }) => `Text von ${path}`,
    goToDefinition: 'Zur Definition gehen',
    openAgent: 'Agent öffnen',
    openFile: 'Datei öffnen',
    notRenamable: 'Setzen Sie den Cursor auf den Namen eines Knotens oder Flows, um ihn umzubenennen.',
    outline: 'Flow',
  },
  hunks: {
    label: ({ change }) => `Änderung: ${change}`,
    several: ({ change, count }) =>
      plural(count, {
        one: `${change}, und 1 weitere Änderung`,
        other: `${change}, und ${numberText(count)} weitere Änderungen`,
      }),
    rest: 'Kommentare oder Formatierung',
    lines: ({ line, added, removed }) =>
      `Zeile ${numberText(line)}: ${plural(added, { one: '1 Zeile hinzugefügt', other: `${numberText(added)} Zeilen hinzugefügt` })}, ${plural(removed, { one: '1 Zeile entfernt', other: `${numberText(removed)} Zeilen entfernt` })}`,
  },
  conflict: {
    yours: 'Ihre behalten',
    theirs: 'Andere behalten',
    yoursAt: ({ line }) => `Im Konflikt in Zeile ${numberText(line)} Ihre behalten`,
    theirsAt: ({ line }) => `Im Konflikt in Zeile ${numberText(line)} die anderen behalten`,
    keepYours: 'Ihre in einem Konflikt behalten',
    keepTheirs: 'Die anderen in einem Konflikt behalten',
  },
  breakpoints: { toggle: 'Klicken, um einen Haltepunkt hinzuzufügen oder zu entfernen (F9)' },
  completions: {
    required: 'erforderlich',
    intent: 'Absicht',
    type: 'Typ',
    ofThisFile: 'aus dieser Datei',
    oneOf: ({ values }) => `Eines von ${values}.`,
    input: 'Die in der Eingabe des Knotens gebundenen Werte.',
  },
};
