/**
 * The text of the canvas and the forms of a conversation catalog in German.
 */
import { numberText, plural, type Translation } from '../ui/language.ts';
import type { text } from './text.ts';

function flowCount(count: number): string {
  return plural(count, { one: '1 Flow', other: `${numberText(count)} Flows` });
}

function intentCount(count: number): string {
  return plural(count, { one: '1 Absicht', other: `${numberText(count)} Absichten` });
}

export const german: Translation<typeof text> = {
  canvas: {
    invalid: 'Der Katalog kann noch nicht gezeichnet werden',
    invalidNote:
      'Absichten und Flows erscheinen hier, sobald der Text gültig ist. Einzelheiten stehen bei den Problemen.',
    locked: 'Der Text ist kein gültiger Katalog. Beheben Sie zuerst die Probleme.',
    addIntent: 'Absicht hinzufügen',
    intent: ({ name }) => `Absicht ${name}`,
    flows: ({ count }) => flowCount(count),
    hooks: ({ names }) => `Hooks: ${names}`,
    addFlow: ({ name }) => `Flow zu ${name} hinzufügen`,
    noFlows: 'Noch kein Flow hat diese Absicht.',
    nameOf: ({ name }) => `Name von ${name}`,
    flowExists: ({ name }) => `Einen Flow namens ${name} gibt es schon.`,
  },
  card: {
    skill: 'Skill',
    agent: 'Agent',
    flow: 'Flow-Datei',
    builtin: 'eingebaut',
    hasErrors: 'hat Fehler',
    hasWarnings: 'hat Warnungen',
    slots: 'Slots',
    fallback: ({ name }) => `weicht auf ${name} aus`,
    aside: 'sofort beantwortet',
    after: ({ names }) => `nach ${names}`,
    every: ({ count }) =>
      plural(count, { one: 'nach jedem Gesprächszug', other: `alle ${numberText(count)} Gesprächszüge` }),
    open: ({ name }) => `${name} öffnen`,
    quoted: ({ example }) => `„${example}“`,
  },
  priority: {
    required: 'erforderlich',
    elective: 'wahlweise',
    optional: 'optional',
    requiredHint: 'der Flow braucht ihn',
    electiveHint: 'einer von mehreren genügt',
    optionalHint: 'nicht unbedingt nötig',
  },
  names: {
    invalid: 'Nur Buchstaben ohne Akzente, Ziffern und _ sind erlaubt. Das erste Zeichen darf keine Ziffer sein.',
    taken: ({ name }) => `${name} gibt es schon.`,
    lost: 'Die Eingabe konnte nicht gespeichert werden',
    lostDetail: ({ typed }) =>
      `Der Wert wurde inzwischen an anderer Stelle geändert, und diese Änderung bleibt erhalten. Ihre Eingabe: ${typed}`,
  },
  assistant: {
    note: 'Wählen Sie einen Flow aus, um seine Beschreibung, seine Slots und seine Richtlinie zu bearbeiten.',
    size: 'Umfang',
    sizeValue: ({ flows, intents }) => `${flowCount(flows)}, ${intentCount(intents)}`,
    title: 'Assistent',
    limits: 'Grenzen',
  },
  intent: {
    about: ({ count }) => `Absicht · ${flowCount(count)}`,
    universal: 'Diese Absicht gibt es in jedem Katalog. Sie kann nicht umbenannt werden.',
    name: 'Name',
    remove: 'Absicht entfernen',
  },
  hooks: {
    title: 'Hooks',
    none: 'Noch keine Hooks. Ein Hook läuft bei jedem Gesprächszug dieser Absicht.',
    hook: ({ name }) => `Hook ${name}`,
    aScript: 'Ein Skript',
    anAgent: 'Ein Agent',
    nothing: 'Nichts',
    script: 'Skript',
    agent: 'Agent',
    prepare: 'Vor der Auswahl eines Flows',
    validate: 'Nach der Auswahl eines Flows',
    check: 'Vor der Richtlinie des Flows',
    verify: 'Nach der Richtlinie des Flows',
    start: 'Vor der Antwort',
    finish: 'Nach der Antwort',
  },
  flow: {
    title: 'Flow',
    name: 'Name',
    intent: 'Absicht',
    policy: 'Richtlinie',
    more: 'Weitere Einstellungen',
    comparison: 'Planvergleich',
    output: 'Ausgabe',
    whenItRuns: 'Zeitpunkt',
    whatFollows: 'Antwort und Ausweichen',
    noFallback: 'kein anderer Flow',
    fallback: 'Weicht aus auf',
    fallbackAbout: 'Der Flow, der übernimmt, wenn dieser nicht passt.',
    waitsForThis: 'Er wartet auf diesen Flow.',
    remove: ({ name }) => `${name} entfernen`,
    deleteKey: 'Entf',
    ofIntent: ({ intent }) => `Flow von ${intent}`,
    line: ({ line }) => `Zeile ${line}`,
  },
  policy: {
    kind: 'Ausgeführt von',
    skill: 'Skill',
    agent: 'Agent',
    flow: 'Flow-Datei',
    builtin: 'Eingebaute Richtlinie',
    folder: 'Ordner',
    folderAbout: 'Enthält eine SKILL.md',
    agentLabel: 'Agent',
    file: 'Datei',
    builtinLabel: 'Eingebaute Richtlinie',
  },
  slots: {
    title: 'Slots',
    none: 'keine',
    remove: ({ name }) => `Slot ${name} entfernen`,
    name: 'Name des Slots',
    add: 'Slot hinzufügen',
    type: 'Typ',
    priority: 'Priorität',
    typesOfFile: 'In dieser Datei',
    builtInTypes: 'Eingebaut',
  },
  slotTypes: {
    title: 'Slot-Typen',
    remove: ({ name }) => `Typ ${name} entfernen`,
    name: 'Name des Typs',
    base: 'Basistyp',
    unused: 'Noch kein Slot verwendet ihn.',
    usedBy: ({ slots }) => `Wird von ${slots} verwendet und kann daher nicht entfernt werden.`,
    add: 'Typ hinzufügen',
  },
};
