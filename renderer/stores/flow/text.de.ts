/**
 * The text of offered nodes, names for bindings, inputs of flows, and edits of nodes and edges in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  groups: {
    recent: 'Zuletzt verwendet',
    fits: 'Passend',
    models: 'Modelle',
    control: 'Ablauf',
    data: 'Daten',
    files: 'Dateien',
    web: 'Web',
    steps: 'Schritte',
    tools: 'Tools',
    servers: 'MCP-Server',
    product: ({ name }) => `Aus ${name}`,
  },
  agentStep: ({ path }) => `Führt den Agenten in ${path} mit den Parametern aus und behält seine Ausgabe.`,
  types: {
    any: 'beliebiger Wert',
    text: 'Text',
    number: 'Zahl',
    boolean: 'ja oder nein',
    list: 'Liste',
    map: 'Map',
    null: 'nichts',
    either: ({ first, second }) => `${first} oder ${second}`,
    inputs: 'Eingaben',
    loop: 'Schleife',
    secret: 'Geheimnis',
    secrets: 'Geheimnisse',
    blockEnd: 'Ende des Blocks',
  },
  names: {
    previousPass: 'Ausgaben des vorigen Durchlaufs',
    itemOf: ({ id }) => `Aktuelles Element von ${id}`,
    loop: 'Position in der Schleife',
    nodeOutput: 'Ausgabe des Knotens',
    inputsWithPath: 'Eingaben des Laufs: `flow.input.<key>`',
    inputs: 'Eingaben des Laufs',
    input: 'Eingabe des Flows',
    secrets: 'Geheimnisse nach Namen: `secret.<NAME>`. Ihre Werte stehen unter Einstellungen > Geheimnisse',
    secret: 'Der Wert wird nie angezeigt',
    firstMember: 'Das erste Element. 1 ist das zweite usw.',
    failed: 'Ob der Knoten fehlgeschlagen ist',
    error: 'Der Fehler des fehlgeschlagenen Knotens',
    errorCode: 'Der Fehlercode, der sich nie ändert',
    errorMessage: 'Die Fehlermeldung',
    attempts: 'Die Anzahl der Versuche',
  },
  settings: {
    item: 'Das Element der Liste',
    value: 'Der Wert, den die Fälle prüfen',
    loop: 'Position in der Liste',
    blockItem: 'Das Element',
    index: 'Position des Elements, ab 0',
    each: 'Einmal für jedes Element',
    if: 'Wenn es einen Wert gibt',
  },
  stepNames: {
    output: ({ id }) => `Ausgabe des Schritts ${id}`,
    toolOutput: 'Letzte Ausgabe des Tools',
    agentOutput: 'Letzte Ausgabe des Agenten',
    plan: 'Der geprüfte Plan',
    answer: 'Die Antwort der Person',
    answers: 'Alle Antworten der Person',
    comment: 'Der Kommentar der Person',
    payload: 'Aus den Startdaten des Laufs',
  },
  items: {
    item: 'Element',
    pass: 'Durchlauf',
    place: ({ name, number }) => `${name} ${numberText(number)}`,
    placeOf: ({ name, number, total }) => `${name} ${numberText(number)} von ${numberText(total)}`,
  },
  inputs: {
    invalid: ({ problem }) => `Ungültiger Wert: ${problem}.`,
    usedInOutputs: 'den Ausgaben des Flows',
    usedInCondition: ({ id }) => `der Bedingung von ${id}`,
    usedInCode: ({ id }) => `dem Code von ${id}`,
    usedElsewhere: ({ count }) =>
      plural(count, { one: '1 weiteren Stelle', other: `${numberText(count)} weiteren Stellen` }),
    uses: ({ others, last }) => `${others} und ${last}`,
  },
  edits: {
    add: ({ title }) => `${title} hinzufügen`,
    enable: ({ id }) => `${id} aktivieren`,
    enableAll: ({ count }) =>
      plural(count, { one: '1 Knoten aktivieren', other: `${numberText(count)} Knoten aktivieren` }),
    disable: ({ id }) => `${id} deaktivieren`,
    disableAll: ({ count }) =>
      plural(count, { one: '1 Knoten deaktivieren', other: `${numberText(count)} Knoten deaktivieren` }),
    continueAfter: ({ id }) => `Fortfahren, wenn ${id} fehlschlägt`,
    continueAfterAll: ({ count }) =>
      plural(count, {
        one: 'Fortfahren, wenn 1 Knoten fehlschlägt',
        other: `Fortfahren, wenn ${numberText(count)} Knoten fehlschlagen`,
      }),
    endAfter: ({ id }) => `Lauf beenden, wenn ${id} fehlschlägt`,
    endAfterAll: ({ count }) =>
      plural(count, {
        one: 'Lauf beenden, wenn 1 Knoten fehlschlägt',
        other: `Lauf beenden, wenn ${numberText(count)} Knoten fehlschlagen`,
      }),
    fireOnSuccess: ({ count }) =>
      plural(count, {
        one: 'Kante auf Erfolg beschränken',
        other: `${numberText(count)} Kanten auf Erfolg beschränken`,
      }),
    fireAlways: ({ count }) =>
      plural(count, {
        one: 'Kante nicht mehr auf Erfolg beschränken',
        other: `${numberText(count)} Kanten nicht mehr auf Erfolg beschränken`,
      }),
    noPlainEdge: 'Eine Kante mit einer anderen Bedingung kann nicht auf Erfolg beschränkt werden.',
  },
};
