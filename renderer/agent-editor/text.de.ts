/**
 * The text beside and above an agent's text in German.
 */
import { numberText, plural, type Translation } from '../ui/language.ts';
import type { text } from './text.ts';

const tokens = ({ count }: { readonly count: number }): string =>
  plural(count, { one: '1 Token', other: `${numberText(count)} Token` });

export const german: Translation<typeof text> = {
  crumbs: {
    label: 'Position im Agenten',
    stage: ({ stage }) => `Stufe: ${stage}`,
    noStage: 'Stufe: keine',
    stages: 'Stufen',
    line: ({ line }) => `Zeile ${line}`,
    usedBy: ({ count }) =>
      plural(count, {
        zero: 'von keinem Flow verwendet',
        one: 'von 1 Flow verwendet',
        other: `von ${numberText(count)} Flows verwendet`,
      }),
    nodes: ({ count }) => plural(count, { one: '1 Knoten', other: `${numberText(count)} Knoten` }),
  },
  outline: {
    label: 'Stufen des Agenten',
    oncePerRun: 'Einmal pro Lauf',
    forEachInput: 'Für jede Eingabe',
    afterResponse: 'Nach der Modellantwort',
    add: ({ stage }) => `${stage} hinzufügen`,
    modelCall: 'Modellaufruf',
    modelCallNote: 'Ruft das Modell einmal für jede Eingabe auf',
    defaultModel: 'das Standardmodell',
    usedBy: 'Verwendet von',
    problems: 'Probleme',
    problemsLabel: 'Probleme des Agenten',
    problemCount: ({ count }) => plural(count, { one: '1 Problem', other: `${numberText(count)} Probleme` }),
    error: 'Fehler',
    warning: 'Warnung',
    info: 'Hinweis',
    line: ({ line }) => `Zeile ${line}`,
    lineInStage: ({ line, stage }) => `Zeile ${line}, ${stage}`,
  },
  summary: {
    notRead: 'wird nicht gelesen',
    code: ({ language, count }) =>
      plural(count, { one: `${language}, 1 Zeile`, other: `${language}, ${numberText(count)} Zeilen` }),
    bindings: ({ count }) => plural(count, { one: '1 Bindung', other: `${numberText(count)} Bindungen` }),
    tokens,
    atATime: ({ count }) => `${numberText(count)} gleichzeitig`,
    whenFilled: ({ when }) => `${when}, mit Bindungen`,
  },
  preview: {
    title: 'Ausgefüllter Prompt',
    dryRun: 'Probelauf',
    dryRunNote: 'Skripte laufen, aber ihre Änderungen werden verworfen und nichts wird gesendet',
    refresh: 'Aktualisieren',
    rendering: 'Prompts werden ausgefüllt…',
    render: 'Vorschau erstellen',
    changed: 'Der Text oder die Eingabe hat sich seit dieser Vorschau geändert.',
    paused: 'Vorschau angehalten: Dieser Arbeitsbereich ist nicht vertrauenswürdig',
    pausedNote:
      'Eine Vorschau führt die Skripte Before All und Data aus. Bis Sie diesem Arbeitsbereich vertrauen, laufen sie nur auf Anforderung. Sie können seine Dateien lesen. Ihre Änderungen werden verworfen, und nichts wird gesendet oder gestartet.',
    trustSettings: 'Vertrauenseinstellungen…',
    dataReturned: 'Von Data zurückgegeben',
    notUsed: 'nicht verwendet',
    notDone: 'In dieser Vorschau nicht ausgeführt',
    total: () => '{count} Token, {model}',
    noModel: 'kein Modell',
    copy: 'Prompts kopieren',
    run: 'Mit dieser Eingabe ausführen',
  },
  input: {
    label: 'Eingabe',
    place: ({ number, count }) => `${numberText(number)} von ${numberText(count)}`,
    source: 'Quelle der Eingabe',
    own: 'Vom Agenten',
    files: 'Dateien',
    text: 'Text',
    json: 'JSON',
    which: 'Welche Eingabe',
    filesNote: 'ein Pfad oder ein Glob',
    filesExample: 'notizen/**/*.md',
  },
  message: {
    tokens,
    cachedTokens: ({ count }) =>
      plural(count, { one: 'im Cache, 1 Token', other: `im Cache, ${numberText(count)} Token` }),
    plainText: 'Als reinen Text',
    showMore: ({ count }) =>
      plural(count, { one: '1 weiteres Zeichen anzeigen', other: `${numberText(count)} weitere Zeichen anzeigen` }),
    attachments: ({ names }) => `Mit ${names}`,
  },
  failure: {
    title: 'Fehlgeschlagen',
    inStage: ({ stage }) => `in ${stage}`,
    inStageAtLine: ({ stage, line }) => `in ${stage}, Zeile ${line}`,
    inPrompts: 'in den Prompts',
    inPromptsAtLine: ({ line }) => `in den Prompts, Zeile ${line}`,
    atLine: ({ line }) => `Zeile ${line}`,
  },
  end: {
    skipped: 'Von einem Skript übersprungen.',
    skippedBecause: ({ reason }) => `Von einem Skript übersprungen: ${reason}`,
    waiting: 'Data sendet hier eine Anfrage an eine Person.',
    waitingFor: ({ request }) => `Data sendet hier eine Anfrage an eine Person: ${request}`,
    redo: 'Before All startet den ganzen Lauf erneut.',
    idle: 'Dieser Agent macht nichts mit einer Eingabe: Er hat keine Prompts, kein Data und kein Output. Beginnen Sie mit einer Instruction.',
    silent: 'Alle Prompts sind bei dieser Eingabe leer, daher wird kein Modell aufgerufen.',
  },
  value: {
    string: ({ count }) => `Zeichenkette, ${numberText(count)} Zeichen`,
    emptyList: 'leere Liste',
    list: ({ count }) =>
      plural(count, { one: 'Liste mit 1 Element', other: `Liste mit ${numberText(count)} Elementen` }),
    emptyTable: 'leere Tabelle',
    table: ({ keys }) => `Tabelle mit ${keys}`,
    tableOfMore: ({ keys }) => `Tabelle mit ${keys}, …`,
  },
};
