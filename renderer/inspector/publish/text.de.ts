/**
 * The text of the tab that publishes a flow, in German.
 */
import { numberText, plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  published: 'Veröffentlicht',
  about: 'Programme brauchen einen Schlüssel, Menschen nutzen die Formularseite.',
  aboutOff:
    'Veröffentlichen Sie den Flow, damit Programme mit einem Schlüssel und Menschen mit seiner Formularseite ihn starten können.',
  unpublish: {
    question: ({ count }) =>
      plural(count, {
        one: 'Veröffentlichung beenden? Aufrufe werden sofort abgelehnt, und der Schlüssel gilt nie wieder für diesen Flow.',
        other: `Veröffentlichung beenden? Aufrufe werden sofort abgelehnt, und die ${numberText(count)} Schlüssel gelten nie wieder für diesen Flow.`,
      }),
    do: 'Beenden',
    keep: 'Abbrechen',
  },
  readOnly: 'Wählen Sie die aktuelle Version, um den Flow zu veröffentlichen.',
  name: 'Name in der Adresse',
  badName: 'Verwenden Sie bis zu 60 Kleinbuchstaben ohne Umlaute, Ziffern und -.',
  changed: 'Der Flow oder etwas, das er aufruft, hat sich geändert. Aufrufe werden abgelehnt, bis Sie ihn bestätigen.',
  confirm: 'Bestätigen…',
  notServed: 'Es läuft kein Dienst, daher werden Aufrufe nicht beantwortet.',
  starting: 'Der Dienst startet.',
  keepRunning: 'Im Hintergrund weiterlaufen',
  address: 'Adresse',
  thisComputer: ({ host }) => `${host}, nur dieser Computer`,
  copyAddress: 'Adresse kopieren',
  copyCurl: 'Als curl kopieren',
  copyOpenApi: 'OpenAPI-Adresse kopieren',
  copied: 'Kopiert',
  form: 'Formularseite',
  copyForm: 'Adresse der Formularseite kopieren',
  openForm: 'Im Browser öffnen',
  showsProgress: 'Fortschritt und Ausgaben zeigen',
  needsKey: 'Braucht einen Schlüssel',
  keys: {
    title: 'Schlüssel',
    active: ({ active, all }) => `${active} von ${all} aktiv`,
    none: 'Noch keine Schlüssel. Ein Programm braucht einen, um den Flow aufzurufen.',
    used: ({ time }) => `benutzt ${time}`,
    unused: 'nie benutzt',
    revokedAt: ({ time }) => `widerrufen ${time}`,
    revoke: ({ name }) => `${name} widerrufen`,
    question: ({ name }) => `„${name}“ widerrufen? Programme, die diesen Schlüssel benutzen, werden sofort abgelehnt.`,
    doRevoke: 'Widerrufen',
    keep: 'Abbrechen',
    add: 'Neuer Schlüssel…',
    note: 'Ein Schlüssel wird einmal angezeigt und als Hash gespeichert.',
    name: 'Wofür der Schlüssel ist',
    create: 'Anlegen…',
    created: 'Kopieren Sie den Schlüssel jetzt. Er wird nicht noch einmal angezeigt.',
    copy: 'Schlüssel kopieren',
    done: 'Fertig',
  },
  limits: {
    title: 'Grenzen',
    runsAtOnce: 'Gleichzeitig',
    perHour: 'Pro Stunde',
    bodyBytes: 'Anfrage',
    megabytes: 'MB',
    bad: ({ most }) => `Verwenden Sie eine ganze Zahl von 1 bis ${most}.`,
    apply: 'Ändern…',
  },
  calls: {
    title: 'Letzte Aufrufe',
    none: 'Noch keine Aufrufe.',
    run: ({ number }) => `Lauf ${number}`,
  },
};
