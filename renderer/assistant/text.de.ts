/**
 * The text of the panel of the assistant in German.
 */
import { numberText, plural, type Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  title: 'Millrace fragen',
  close: 'Schließen',
  clear: 'Dieses Gespräch löschen',
  message: 'Nachricht',
  placeholder: 'Nach einer Änderung oder dem Grund fragen',
  send: 'Senden',
  cancel: 'Abbrechen',
  empty:
    'Beschreiben Sie eine Änderung dieses Flows oder stellen Sie eine Frage. Sie prüfen jede Änderung, bevor sie gilt.',
  working: 'In Arbeit…',
  sees: 'Sieht: diesen Flow, Auswahl, letzten Fehler',
  whatIsSent: 'Was gesendet wird',
  hideSent: 'Ausblenden, was gesendet wird',
  sent: {
    title: 'Was gesendet wird',
    to: ({ model }) => `Ihre Nachricht und diese Daten werden an ${model} gesendet.`,
    sentTo: ({ model }) => `An ${model} gesendet`,
    pieces: ({ names }) => `Enthält: ${names}.`,
    names: {
      'open flow': 'Pfad',
      'text of the open flow': 'Text dieses Flows',
      problems: 'Probleme',
      'selected nodes': 'ausgewählte Knoten',
      'last failure': 'letzter Fehlschlag',
      workspace: 'Namen von Flows, Tools und Agenten',
      'node types': 'Knotentypen',
    },
    noModel: 'Es gibt kein verwendbares Modell.',
    data: 'Daten',
    instructions: 'Anweisungen',
    first: 'Die erste Nachricht eines Gesprächs wartet, bis Sie dies geprüft haben.',
  },
  proposal: ({ title }) => `Prüfen: ${title}`,
  tokens: ({ count }) => plural(count, { one: '1 Token', other: `${numberText(count)} Token` }),
  ofBudget: ({ cost, budget }) => `${cost} von ${budget}`,
  facts: {
    flow: ({ name, count }) =>
      plural(count, { one: `${name} hat 1 Knoten.`, other: `${name} hat ${numberText(count)} Knoten.` }),
    inputs: ({ names }) => `Eingaben: ${names}.`,
    node: ({ node, does, moment }) => (moment === '' ? `${node}: ${does}` : `${node}: ${does} · ${moment}`),
    after: ({ names }) => `Nach ${names}.`,
    inLoop: ({ loop }) => `In der Schleife ${loop}.`,
    onlyIf: ({ condition }) => `Nur wenn ${condition}.`,
    attempts: ({ count }) => `Bis zu ${numberText(count)} Versuche.`,
    disabled: 'Deaktiviert.',
    moreNodes: ({ count }) =>
      plural(count, { one: 'Und 1 weiterer Knoten.', other: `Und ${numberText(count)} weitere Knoten.` }),
    errors: ({ count }) =>
      plural(count, {
        one: 'Er hat 1 Fehler und kann nicht ausgeführt werden.',
        other: `Er hat ${numberText(count)} Fehler und kann nicht ausgeführt werden.`,
      }),
    andMore: ({ names, count }) => `${names} und ${numberText(count)} weitere`,
    runs: {
      queued: () => 'Der Lauf hat noch nicht begonnen.',
      running: ({ done, count }) => `Der Lauf ist im Gang: ${done} von ${count} Knoten sind fertig.`,
      suspended: ({ done, count }) => `Der Lauf ist angehalten: ${done} von ${count} Knoten sind fertig.`,
      interrupted: ({ done, count }) => `Der Lauf wurde unterbrochen, als ${done} von ${count} Knoten fertig waren.`,
      completed: ({ done, count, time }) => `Der Lauf hat ${done} von ${count} Knoten in ${time} abgeschlossen.`,
      failed: ({ done, count, time }) =>
        `Der Lauf ist nach ${time} fehlgeschlagen, als ${done} von ${count} Knoten fertig waren.`,
      cancelled: ({ done, count, time }) =>
        `Der Lauf wurde nach ${time} abgebrochen, als ${done} von ${count} Knoten fertig waren.`,
      skipped: () => 'Der Lauf wurde übersprungen.',
    },
    paused: ({ node }) => `Eine Person hat ihn pausiert. Als Nächstes läuft ${node}.`,
    cost: ({ cost }) => `Er hat ${cost} gekostet.`,
    failed: ({ node, message }) => `${node} ist fehlgeschlagen: ${message}`,
    failedAfter: ({ node, attempts, message }) =>
      `${node} ist nach ${numberText(attempts)} Versuchen fehlgeschlagen: ${message}`,
    cause: ({ message }) => `Die Ursache: ${message}`,
    beforeIt: ({ node }) => `${node} war davor abgeschlossen.`,
    missed: ({ names }) => `Deshalb nicht begonnen: ${names}.`,
    waits: ({ node, message }) => `${node} wartet auf eine Antwort: ${message}`,
    skipped: ({ node, because }) => `${node} wurde übersprungen: ${because}`,
    skips: {
      when: 'Die Bedingung war nicht erfüllt.',
      edge: 'Keine der eingehenden Kanten wurde genommen.',
      directive: 'Der Knoten hat sich selbst übersprungen.',
      autonomy: 'Der Knoten hat eine Wirkung, und der Lauf schlägt Wirkungen nur vor.',
      suggested: 'Der Knoten hängt von einer Aktion ab, die nur vorgeschlagen wurde.',
      disabled: 'Der Knoten ist in der Datei deaktiviert.',
    },
    because: {
      when: 'die Bedingung nicht erfüllt war',
      edge: 'keine der eingehenden Kanten genommen wurde',
      directive: 'der Knoten sich selbst übersprungen hat',
      autonomy: 'der Knoten eine Wirkung hat und der Lauf Wirkungen nur vorschlägt',
      suggested: 'der Knoten von einer Aktion abhängt, die nur vorgeschlagen wurde',
      disabled: 'der Knoten in der Datei deaktiviert ist',
    },
    wasValue: ({ variable, actual }) => `${variable} den Wert ${actual} hatte`,
    wasNotMet: ({ variable, word, value }) =>
      value === ''
        ? `dies nicht erfüllt war: ${variable} ${word}`
        : `dies nicht erfüllt war: ${variable} ${word} ${value}`,
    items: ({ names, count }) => plural(count, { one: `Element ${names}`, other: `Elemente ${names}` }),
    skippedItems: ({ node, count, total, because, items }) =>
      `${node}: ${numberText(count)} von ${numberText(total)} Elementen übersprungen, weil ${because} (${items}).`,
    failedItems: ({ node, count, total, items, message }) =>
      `${node} ist bei ${numberText(count)} von ${numberText(total)} Elementen fehlgeschlagen (${items}): ${message}`,
    otherFailures: ({ node, count, items }) =>
      plural(count, {
        one: `${node} ist bei 1 weiteren Element mit einer anderen Meldung fehlgeschlagen (${items}).`,
        other: `${node} ist bei ${numberText(count)} weiteren Elementen mit anderen Meldungen fehlgeschlagen (${items}).`,
      }),
    itemsWait: ({ node, items, message }) => `${node} wartet auf eine Antwort (${items}): ${message}`,
    itemTime: ({ item, time }) => `${item} (${time})`,
    slowItems: ({ node, time, percent, items }) =>
      `${node} hat insgesamt ${time} gedauert, ${percent} % der Zeit aller Knoten. Am längsten: ${items}.`,
    slowInAll: ({ node, time, percent, count, each }) =>
      `${node} hat insgesamt ${time} gedauert, ${percent} % der Zeit aller Knoten: je ${each} für ${numberText(count)} Elemente.`,
    alike: ({ node, actual, value, difference }) =>
      `${node} hat ${actual} mit ${value} verglichen: Sie unterscheiden sich nur durch ${difference}.`,
    alikeItems: ({ node, actual, value, difference, items }) =>
      `${node} hat ${actual} mit ${value} verglichen: Sie unterscheiden sich nur durch ${difference} (${items}).`,
    differences: {
      space: 'Leerraum',
      letters: 'Groß- und Kleinschreibung',
      both: 'Leerraum und Groß- und Kleinschreibung',
      type: 'den Typ',
    },
    moreFacts: ({ count }) => `Und ${numberText(count)} weitere Fakten, die im Protokoll stehen.`,
    was: ({ variable, word, value, actual }) => `(${variable} ${word} ${value}: tatsächlich ${actual})`,
    reused: ({ names }) => `Ergebnisse eines früheren Laufs wurden wiederverwendet: ${names}.`,
    slowest: ({ node, time }) => `${node} hat am längsten gedauert: ${time}.`,
    stale: ({ node, reason }) => `${node} ist seit diesem Lauf veraltet: ${reason}`,
  },
  explain: {
    flow: 'Diesen Flow erklären',
    run: 'Diesen Lauf erklären',
    failure: 'Diesen Fehlschlag erklären',
    askMore: 'Ein Modell fragen',
  },
  tools: {
    read_flow: 'Liest einen Flow',
    list_node_types: 'Schlägt Knotentypen nach',
    check_flow: 'Prüft einen Text',
    propose_changes: 'Schlägt eine Änderung vor',
    other: 'Ruft ein unbekanntes Tool auf',
  },
};
