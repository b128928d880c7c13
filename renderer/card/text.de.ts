/**
 * The text of the cards on the canvas in German.
 */
import { numberText, plural, type Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  review: {
    added: 'hinzugefügt',
    removed: 'entfernt',
    changed: 'geändert',
    layout: 'Anordnung',
    open: 'zu prüfen',
    accepted: 'angenommen',
    rejected: 'abgelehnt',
    accept: ({ subject }) => `Annehmen: ${subject}`,
    reject: ({ subject }) => `Ablehnen: ${subject}`,
    conflict: 'Konflikt',
    yours: 'Ihre',
    theirs: 'Andere',
    takeYours: ({ subject }) => `Ihre: ${subject}`,
    takeTheirs: ({ subject }) => `Andere: ${subject}`,
    reset: ({ subject }) => `Entscheidung zurücknehmen: ${subject}`,
  },
  compared: {
    run: ({ side }) => `Lauf ${side}`,
    same: 'gleich',
    output: 'andere Ausgabe',
    error: 'anderer Fehler',
    state: 'anderer Zustand',
    items: 'andere Elemente liefen',
    notReached: 'nicht erreicht',
    onlyIn: ({ side }) => `nur in ${side}`,
    ranOnlyIn: ({ side }) => `lief nur in ${side}`,
    itemsDiffer: ({ count, total }) => `${numberText(count)} von ${numberText(total)} anders`,
    completed: ({ count, total }) => `${numberText(count)} von ${numberText(total)}`,
  },
  rows: {
    model: 'Modell',
    temperature: 'Temperatur',
    tools: 'Tools',
    when: 'Bedingung',
  },
  loop: {
    each: ({ name }) => `je ${name}`,
    eachParallel: ({ name, count }) => `je ${name}, ${numberText(count)} gleichzeitig`,
    until: ({ condition }) => `bis ${condition}`,
    while: ({ condition }) => `solange ${condition}`,
    items: ({ count, words }) =>
      plural(count, { one: `1 Element, ${words}`, other: `${numberText(count)} Elemente, ${words}` }),
    passes: ({ count, words }) =>
      plural(count, { one: `1 Durchlauf, ${words}`, other: `${numberText(count)} Durchläufe, ${words}` }),
    ofPasses: ({ done, total }) => `${numberText(done)} von höchstens ${numberText(total)}`,
    ofItems: ({ done, total }) => `${numberText(done)} von ${numberText(total)}`,
    done: ({ count }) => `${numberText(count)} fertig`,
  },
  cases: {
    covered: ({ count }) =>
      plural(count, {
        zero: 'von keinem Fall abgedeckt',
        one: 'von 1 Fall abgedeckt',
        other: `von ${numberText(count)} Fällen abgedeckt`,
      }),
  },
  state: {
    checksFailed: ({ failed, total }) =>
      plural(total, {
        one: '1 Prüfung fehlgeschlagen',
        other: `${numberText(failed)} von ${numberText(total)} Prüfungen fehlgeschlagen`,
      }),
    attempt: ({ count }) => `Versuch ${numberText(count)}`,
    heldBack: 'zurückgehalten',
    next: 'als Nächstes',
    nextItem: ({ item }) => `als Nächstes, ${item}`,
    outputGiven: 'Ausgabe angegeben',
    outputGivenBy: ({ name }) => `Ausgabe von ${name} angegeben`,
    outputChanged: 'Ausgabe geändert',
    outputChangedBy: ({ name }) => `Ausgabe von ${name} geändert`,
    edited: 'Eingabe bearbeitet',
    editedBy: ({ name }) => `Eingabe von ${name} bearbeitet`,
    stopped: 'hier angehalten',
    stoppedItem: ({ item }) => `hier angehalten, ${item}`,
    waiting: ({ time }) => `wartet ${time}`,
    stale: ({ reason }) => `Veraltet: ${reason}.`,
    heldBackAfter: 'Zurückgehalten: Der Knoten hängt von einer Aktion ab, die nur vorgeschlagen wurde.',
    heldBackOnly: 'Zurückgehalten: Der Knoten schlägt nur vor, was er tun würde',
    heldBackCall: ({ tool }) => `Zurückgehalten: Der Knoten hätte ${tool} aufgerufen`,
    skipped: ({ reason }) => `Übersprungen: ${reason}`,
    skippedWhen: 'Übersprungen: Die Bedingung war nicht erfüllt',
    skippedEdge: 'Übersprungen: Keine Kante zu diesem Knoten wurde genommen',
    skippedItself: 'Auf eigene Anforderung übersprungen',
    skippedDisabled: 'Übersprungen: Der Knoten ist deaktiviert',
    pinHint: 'Läufe aus diesem Fenster verwenden die fixierte Ausgabe und führen diesen Knoten nicht aus',
  },
  branches: {
    ends: 'endet hier',
    fails: 'schlägt fehl',
    continues: 'bei Fehler weiter',
    never: ({ targets }) => `${targets}, nie`,
    failureHint: 'Wird genommen, wenn dieser Knoten nach allen Versuchen fehlschlägt',
    deadHint:
      'Wird nie genommen: Der Lauf endet, wenn dieser Knoten fehlschlägt, außer der Knoten soll bei Fehler weiterlaufen',
    spokenTargets: ({ name, targets }) => `${name} zu ${targets}`,
    spokenEnds: ({ name }) => `${name} endet hier`,
    spokenFails: ({ name }) => `${name} schlägt fehl`,
    spokenContinues: 'läuft bei Fehler weiter',
  },
  footer: {
    minutes: ({ count }) => `${numberText(count)} min`,
    seconds: ({ count }) => `${numberText(count)} s`,
    milliseconds: ({ count }) => `${numberText(count)} ms`,
    attempts: ({ count }) => plural(count, { one: '1 Versuch', other: `${numberText(count)} Versuche` }),
    timeout: ({ limit }) => `Zeitlimit je Versuch: ${limit}`,
  },
  stream: {
    speed: ({ count }) => `${numberText(count)} Token/s`,
    streams: ({ count, speed }) => `${numberText(count)} Streams, ${speed}`,
  },
  output: {
    spoken: ({ line }) => `Ausgabe: ${line}`,
    image: 'Ausgegebenes Bild',
    items: ({ count }) => plural(count, { one: '1 Element', other: `${numberText(count)} Elemente` }),
    list: ({ name, count }) =>
      plural(count, { one: `${name}: 1 Element`, other: `${name}: ${numberText(count)} Elemente` }),
  },
  answer: {
    answer: 'Antworten',
    answerLabel: ({ subject }) => `Antworten: ${subject}`,
    review: 'Prüfen',
    reviewLabel: ({ subject }) => `Prüfen: ${subject}`,
  },
};
