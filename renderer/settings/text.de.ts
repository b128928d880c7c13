/**
 * The text of the settings in German.
 */
import type { Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  editor: {
    looks: 'Darstellung',
    theme: 'Design',
    themeNote: 'Hell, dunkel oder wie das System.',
    themeFailed: 'Das Design konnte nicht geändert werden',
    themeSystem: 'System',
    themeLight: 'Hell',
    themeDark: 'Dunkel',
    language: 'Sprache',
    languageNote: 'Deutsch ist unvollständig: Anderer Text erscheint auf Englisch. Alle Fenster werden neu geladen.',
    density: 'Dichte',
    densityNote: 'Kompakt zeigt mehr Zeilen in Listen und Formularen.',
    comfortable: 'Normal',
    compact: 'Kompakt',
    contrast: 'Kontrast',
    contrastNote: 'Hoher Kontrast verstärkt Text und Rahmen. Er gilt auch, wenn das System ihn verlangt.',
    contrastNormal: 'Normal',
    contrastHigh: 'Hoch',
    zoom: 'Zoom',
    zoomNote: 'Vergrößert Text, Schaltflächen und Zeichenfläche.',
    zoomOut: 'Verkleinern',
    zoomIn: 'Vergrößern',
    zoomReset: 'Zurücksetzen',
    zoomValue: ({ percent }) => `${percent} %`,
    zoomUnknown: 'Die Zoomstufe konnte nicht gelesen werden',
    zoomFailed: 'Die Zoomstufe konnte nicht geändert werden',
    canvas: 'Zeichenfläche',
    wheel: 'Mausrad',
    wheelNote: 'Verschiebt oder zoomt die Zeichenfläche. Mit Strg oder Cmd wird immer gezoomt.',
    wheelPan: 'Verschieben',
    wheelZoom: 'Zoomen',
    snap: 'Am Raster ausrichten',
    snapNote: 'Richtet verschobene Knoten am Raster aus. Mit gedrückter Strg- oder Cmd-Taste bewegen sie sich frei.',
    guides: 'Hilfslinien',
    guidesNote: 'Zeigt Linien, wenn ein verschobener Knoten mit anderen fluchtet.',
    keyboard: 'Tastatur',
    shortcuts: 'Tastenkürzel',
    shortcutsNote: 'Alle Tastenkürzel ansehen und ändern.',
    openShortcuts: 'Tastenkürzel…',
  },
};
