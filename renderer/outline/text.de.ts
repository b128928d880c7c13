/**
 * The text of the outline in German.
 */
import { numberText, plural, type Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  marks: {
    added: { sign: '+', spoken: 'hinzugefügt' },
    removed: { sign: '−', spoken: 'entfernt' },
    changed: { sign: '~', spoken: 'geändert' },
    layout: { sign: '·', spoken: 'verschoben' },
  },
  label: 'Gliederung des Flows',
  notMoved: 'Nichts wurde verschoben',
  row: {
    errors: ({ count }) => `${numberText(count)} Fehler`,
    warnings: ({ count }) => plural(count, { one: '1 Warnung', other: `${numberText(count)} Warnungen` }),
    branch: ({ name }) => `bei ${name}`,
    position: ({ position, size, loop }) => `${position} von ${size} in ${loop}`,
  },
  rename: {
    label: ({ id }) => `Neue ID von ${id}`,
    nodeExists: ({ id }) => `Der Flow hat bereits einen Knoten ${id}.`,
    stepExists: ({ id }) => `Der Flow hat bereits einen Schritt ${id}.`,
    invalidStep: 'Verwenden Sie 1 bis 80 Zeichen, aber nicht /, [ oder ].',
    reserved: ({ id }) => `${id} hat in Bindungen eine andere Bedeutung. Verwenden Sie eine andere ID.`,
    invalidNode: 'Verwenden Sie Buchstaben, Ziffern und _. Das erste Zeichen darf keine Ziffer sein.',
  },
  edits: {
    nodes: ({ count }) => `${numberText(count)} Knoten`,
    moveUp: ({ names }) => `${names} nach oben verschieben`,
    moveDown: ({ names }) => `${names} nach unten verschieben`,
    moveBefore: ({ names, id }) => `${names} vor ${id} verschieben`,
    moveAfter: ({ names, id }) => `${names} nach ${id} verschieben`,
    moveInto: ({ names, loop }) => `${names} in ${loop} verschieben`,
    moveOut: ({ names, loop }) => `${names} aus ${loop} verschieben`,
    pasteNodes: ({ count }) => `${numberText(count)} Knoten einfügen`,
    pasteSteps: ({ count }) =>
      plural(count, { one: '1 Schritt einfügen', other: `${numberText(count)} Schritte einfügen` }),
    duplicateNodes: ({ count }) => `${numberText(count)} Knoten duplizieren`,
    duplicateSteps: ({ count }) =>
      plural(count, { one: '1 Schritt duplizieren', other: `${numberText(count)} Schritte duplizieren` }),
    severalLoops: 'Die ausgewählten Knoten sind nicht alle in derselben Schleife.',
    bodyIsNoList: 'Der Rumpf der Schleife ist keine Liste von IDs. Ändern Sie ihn im Text in eine Liste.',
  },
};
