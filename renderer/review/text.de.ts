/**
 * The text of the bar and the list of a review in German.
 */
import { numberText, plural, type Translation } from '../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  sources: {
    proposal: 'Vorschlag',
    disk: 'Auf dem Datenträger geändert',
    git: 'Mit Git verglichen',
    assistant: 'Vorschlag',
    merge: 'Merge-Konflikt',
    import: 'Import',
  },
  bar: {
    label: 'Prüfung',
    byAt: ({ by, time }) => (by === '' ? time : `${by}, ${time}`),
    counts: ({ accepted, rejected, open }) =>
      [
        accepted === 0 ? '' : `${numberText(accepted)} angenommen`,
        rejected === 0 ? '' : `${numberText(rejected)} abgelehnt`,
        `${numberText(open)} zu prüfen`,
      ]
        .filter((part) => part !== '')
        .join(', '),
    behind: 'Der Text auf dem Bildschirm ist kein gültiger Flow, deshalb wartet die Prüfung.',
    rejectAll: 'Alle ablehnen',
    acceptAll: 'Alle annehmen',
    rejectRest: 'Übrige ablehnen',
    acceptRest: 'Übrige annehmen',
    conflicts: ({ decided, open }) =>
      decided === 0
        ? plural(open, { one: '1 Konflikt zu lösen', other: `${numberText(open)} Konflikte zu lösen` })
        : `${numberText(decided)} gelöst, ${numberText(open)} zu lösen`,
    allYours: 'Alle Ihre verwenden',
    allTheirs: 'Alle anderen verwenden',
    restYours: 'Für den Rest Ihre verwenden',
    restTheirs: 'Für den Rest die anderen verwenden',
    cancelMerge: 'Die Zusammenführung abbrechen. Der Text ist wieder wie vorher.',
    undone:
      'Die Zusammenführung wurde rückgängig gemacht, oder ihr Text ist kein gültiger Flow. Wiederholen oder korrigieren Sie sie, um fortzufahren.',
    done: 'Fertig',
    end: 'Prüfung beenden. Der Text bleibt, wie er ist.',
  },
  offer: {
    changed: 'Ein anderes Programm hat diese Datei geändert.',
    review: ({ count }) => plural(count, { one: '1 Änderung prüfen', other: `${numberText(count)} Änderungen prüfen` }),
    dismiss: 'Ausblenden',
  },
  list: {
    label: 'Änderungen',
    line: ({ line }) => `Zeile ${numberText(line)}`,
    together: ({ count }) => plural(count, { one: 'mit 1 Kante', other: `mit ${numberText(count)} Kanten` }),
    togetherParts: ({ count }) => plural(count, { one: 'mit 1 weiteren', other: `mit ${numberText(count)} weiteren` }),
    keys: {
      next: 'weiter',
      accept: 'annehmen',
      reject: 'ablehnen',
      undo: 'zurücknehmen',
      yours: 'Ihre',
      theirs: 'andere',
    },
  },
  import: {
    list: 'Importierte Knoten',
    summary: ({ source, mapped, partly, placeholder, missing }) =>
      `Aus ${source}: ${numberText(mapped)} übernommen, ${numberText(partly)} teilweise, ${
        missing > 0 ? `${numberText(missing)} nicht übernommen` : `${numberText(placeholder)} Platzhalter`
      }`,
    status: {
      missing: 'nicht übernommen',
      placeholder: 'Platzhalter',
      partly: 'teilweise übernommen',
      mapped: 'übernommen',
    },
    more: ({ count }) => `und ${numberText(count)} weitere`,
    rebuild: 'Millrace bitten, diesen Knoten nachzubauen',
    rebuildMessage: ({ id, node }) =>
      `Ersetze den Platzhalter \`${id}\` durch Knoten, die dasselbe tun wie das importierte Original:\n${node}`,
  },
  effect: {
    title: ({ count }) =>
      plural(count, {
        one: 'Wenn Sie diese Änderung annehmen',
        other: `Wenn Sie alle ${numberText(count)} annehmen`,
      }),
    cures: ({ count }) => plural(count, { one: 'Behebt 1 Problem', other: `Behebt ${numberText(count)} Probleme` }),
    causes: ({ count }) =>
      plural(count, { one: 'Verursacht 1 Problem', other: `Verursacht ${numberText(count)} Probleme` }),
    none: 'Verursacht keine Probleme',
    more: ({ count }) => `${numberText(count)} weitere`,
    rerun: ({ runs, reused, maybe, cost }) =>
      [
        plural(runs, {
          zero: 'Führt keinen Knoten erneut aus',
          one: 'Führt 1 Knoten erneut aus',
          other: `Führt ${numberText(runs)} Knoten erneut aus`,
        }),
        reused === 0 ? '' : `, verwendet ${numberText(reused)} Ergebnisse wieder`,
        maybe === 0 ? '' : `, vielleicht ${numberText(maybe)} weitere`,
        cost === undefined ? '.' : `. Kosten im letzten Lauf: ${cost}.`,
      ].join(''),
  },
  tests: {
    list: 'Tests, die mit dieser Änderung nicht bestehen',
    running: ({ count }) => plural(count, { one: '1 Test läuft …', other: `${numberText(count)} Tests laufen …` }),
    stopped: 'Tests angehalten.',
    failed: ({ reason }) => `Die Tests konnten nicht ausgeführt werden. ${reason}`,
    stop: 'Tests anhalten',
    runAgain: 'Tests erneut ausführen',
    counts: ({ total, passed, passedBefore, unrecorded }) =>
      [
        plural(total, {
          one: `${numberText(passed)} von 1 Test besteht mit dieser Änderung.`,
          other: `${numberText(passed)} von ${numberText(total)} Tests bestehen mit dieser Änderung.`,
        }),
        unrecorded === 0 ? '' : `${numberText(unrecorded)} nicht aufgezeichnet.`,
        `Vorher: ${numberText(passedBefore)} von ${numberText(total)}.`,
      ]
        .filter((part) => part !== '')
        .join(' '),
    invalid: ({ path, problem }) => `${path} ist keine gültige Testdatei (${problem}).`,
    someInvalid: ({ count }) =>
      plural(count, { one: '1 Testdatei ist ungültig.', other: `${numberText(count)} Testdateien sind ungültig.` }),
    alsoBefore: 'Schlägt auch ohne diese Änderung fehl',
    notRecorded: ({ changed, added }) => {
      const parts = [changed === '' ? '' : `${changed} geändert`, added === '' ? '' : `${added} ist neu`];
      const why = parts.filter((part) => part !== '').join(', ');
      return why === '' ? 'Nicht aufgezeichnet' : `Nicht aufgezeichnet: ${why}`;
    },
    moreChecks: ({ count }) =>
      plural(count, {
        one: '1 weitere Prüfung schlägt fehl',
        other: `${numberText(count)} weitere Prüfungen schlagen fehl`,
      }),
    expected: 'Erwartet',
    got: 'Erhalten',
    noValue: 'kein Wert',
  },
};
