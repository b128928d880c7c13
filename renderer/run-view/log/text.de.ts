/**
 * The lines of a run's log in German.
 */
import { numberText, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  withDetail: ({ line, detail }) => `${line}: ${detail}`,
  large: ({ kind, size }) => `${kind}, ${size}`,
  kinds: { string: 'Text', number: 'Zahl', boolean: 'Wahrheitswert', null: 'null', array: 'Liste', object: 'Objekt' },
  run: {
    started: ({ path, inputs }) => `Lauf von ${path} mit ${inputs} gestartet`,
    completed: ({ duration }) => `Lauf nach ${duration} abgeschlossen`,
    failed: ({ duration }) => `Lauf nach ${duration} fehlgeschlagen`,
    cancelled: ({ duration }) => `Lauf nach ${duration} abgebrochen`,
    skipped: ({ duration }) => `Lauf nach ${duration} übersprungen`,
    refused: 'Lauf abgelehnt',
    waits: 'Lauf wartet auf eine Person',
    paused: 'Lauf pausiert',
    pausedHere: 'Lauf vor diesem Knoten pausiert',
    continued: 'Lauf fortgesetzt',
    continuedBy: ({ name }) => `Lauf von ${name} fortgesetzt`,
    step: 'Schritt',
    stepBy: ({ name }) => `Schritt von ${name}`,
    skip: 'Lauf mit einer vorgegebenen Ausgabe dieses Knotens fortgesetzt',
    skipBy: ({ name }) => `Lauf von ${name} mit einer vorgegebenen Ausgabe dieses Knotens fortgesetzt`,
    edit: 'Lauf mit geänderter Eingabe dieses Knotens fortgesetzt',
    editBy: ({ name }) => `Lauf von ${name} mit geänderter Eingabe dieses Knotens fortgesetzt`,
    budgetReached: 'Lauf pausiert: Sein Budget ist erreicht',
    raised: 'Budget erhöht',
    raisedBy: ({ name }) => `Budget von ${name} erhöht`,
    resumed: 'Lauf fortgesetzt',
    resumedApproved: 'Lauf fortgesetzt, freigegeben',
    resumedRejected: 'Lauf fortgesetzt, abgelehnt',
  },
  phase: {
    started: ({ name }) => `${name} gestartet`,
    completed: ({ name }) => `${name} abgeschlossen`,
    cancelled: ({ name }) => `${name} abgebrochen`,
    failed: ({ name }) => `${name} fehlgeschlagen`,
  },
  node: {
    started: 'gestartet',
    startedAs: ({ type }) => `gestartet, ${type}`,
    startedAgain: 'erneut gestartet',
    startedAgainAs: ({ type }) => `erneut gestartet, ${type}`,
    completed: ({ duration, attempts }) =>
      attempts > 1
        ? `nach ${duration} in Versuch ${numberText(attempts)} abgeschlossen`
        : `nach ${duration} abgeschlossen`,
    failed: ({ duration, attempts }) =>
      attempts > 1
        ? `nach ${duration} in Versuch ${numberText(attempts)} fehlgeschlagen`
        : `nach ${duration} fehlgeschlagen`,
    canceled: 'abgebrochen',
    canceledByFailure: 'abgebrochen, weil ein anderer Knoten fehlgeschlagen ist',
    skipped: 'übersprungen',
    skippedBecause: {
      when: 'übersprungen, die Bedingung war nicht erfüllt',
      edge: 'übersprungen, keine der eingehenden Kanten wurde genommen',
      directive: 'hat sich selbst übersprungen',
      autonomy: 'übersprungen, weil der Lauf Wirkungen nur vorschlägt',
      suggested: 'übersprungen wegen einer Aktion, die nur vorgeschlagen wurde',
      disabled: 'übersprungen, weil der Knoten in der Datei deaktiviert ist',
    },
    input: ({ value }) => `erhielt ${value}`,
    editedInput: ({ value }) => `erhielt ${value}, von einer Person geändert`,
    editedInputBy: ({ name, value }) => `erhielt ${value}, geändert von ${name}`,
    held: 'angehalten',
    heldAtBreakpoint: 'Haltepunkt',
    given: 'Ausgabe von einer Person vorgegeben',
    givenBy: ({ name }) => `Ausgabe vorgegeben von ${name}`,
    retry: ({ attempt, duration }) => `Versuch ${numberText(attempt)} fehlgeschlagen, nächster Versuch in ${duration}`,
    pinned: 'fixiert',
    reused: 'übernommen',
    waits: 'wartet auf eine Person',
    reached: ({ node }) => `erreicht von ${node}`,
    notReached: ({ node }) => `nicht erreicht von ${node}`,
  },
  agent: {
    started: ({ name }) => `${name} gestartet`,
    ended: ({ name }) => `${name} beendet`,
    endedAfter: ({ name, duration }) => `${name} nach ${duration} beendet`,
    failed: ({ name }) => `${name} fehlgeschlagen`,
    prompt: ({ provider, model }) => `Prompt an ${model} (${provider}) gesendet`,
    response: ({ duration, reason }) => `Modellantwort nach ${duration}, ${reason}`,
    responseOf: ({ duration, tokens, reason }) =>
      `Modellantwort nach ${duration}, ${numberText(tokens)} Token, ${reason}`,
    trace: ({ name }) => `meldete ${name}`,
    callResult: ({ name, value }) => `${name} lieferte ${value}`,
    stepMeta: 'Metadaten',
    plan: 'schlug einen Plan vor',
    invalidPlan: 'schlug einen ungültigen Plan vor',
    pinned: ({ name }) => `${name} fixiert`,
    label: ({ name }) => `benannt als ${name}`,
  },
  tool: {
    requested: ({ name, value }) => `das Modell rief ${name} mit ${value} auf`,
    reported: ({ name }) => `das Modell erhielt das Ergebnis von ${name}`,
    called: ({ name, value }) => `rief ${name} mit ${value} auf`,
    retry: ({ name, attempt, duration }) => `${name} fehlgeschlagen, Versuch ${numberText(attempt)} in ${duration}`,
    returned: ({ name, value, duration }) => `${name} lieferte nach ${duration} ${value}`,
    failed: ({ name, value, duration }) => `${name} schlug nach ${duration} mit ${value} fehl`,
  },
  decision: {
    allowed: ({ effect, target, rule }) => `erlaubt: ${effect} ${target} (${rule})`,
    denied: ({ effect, target, rule }) => `verweigert: ${effect} ${target} (${rule})`,
  },
  request: {
    asks: ({ title }) => `fragt: ${title}`,
    notAccepted: 'die Antwort wurde nicht angenommen',
    notAcceptedFrom: ({ name }) => `die Antwort von ${name} wurde nicht angenommen`,
  },
};
