/**
 * German text of the settings for remote histories.
 */
import { plural, type Translation } from '../../ui/language.ts';
import type { text } from './text.ts';

export const german: Translation<typeof text> = {
  title: 'Entfernte Verläufe',
  about:
    'Läufe auf anderen Rechnern, die in PostgreSQL aufgezeichnet sind. Öffnen Sie einen Arbeitsbereich, um seine Läufe zu verfolgen, zu beantworten, zu pausieren und abzubrechen.',
  none: 'Noch keine Verbindungen. Fügen Sie den PostgreSQL-Server hinzu, den Ihre Worker für den Verlauf verwenden.',
  add: 'Verbindung hinzufügen',
  newConnection: 'Neue Verbindung',
  edit: 'Bearbeiten',
  editNamed: ({ name }) => `${name} bearbeiten`,
  remove: 'Entfernen',
  removeNamed: ({ name }) => `${name} entfernen`,
  connect: 'Verbinden',
  connectTo: ({ name }) => `Mit ${name} verbinden`,
  connecting: 'Verbindung wird hergestellt…',
  connected: ({ count }) =>
    plural(count, {
      one: 'Verbunden. Der Verlauf enthält 1 Arbeitsbereich.',
      other: `Verbunden. Der Verlauf enthält ${count} Arbeitsbereiche.`,
    }),
  open: 'Öffnen',
  openNamed: ({ name }) => `${name} öffnen`,
  passwordSet: 'Passwort im Tresor',
  noPassword: 'Kein Passwort',
  name: 'Name',
  host: 'Host',
  port: 'Port',
  database: 'Datenbank',
  user: 'Benutzer',
  schema: 'Schema',
  tls: 'Verschlüsselung',
  tlsNames: {
    'verify-full': 'TLS, Zertifikat prüfen',
    require: 'TLS, jedes Zertifikat',
    disable: 'Keine',
  },
  password: 'Passwort',
  passwordNote: 'Wird im Tresor gespeichert',
  passwordKept: 'Leer lassen, um das gespeicherte zu behalten',
  passwordDropped: 'Für den geänderten Server erneut eingeben',
  save: 'Speichern',
  cancel: 'Abbrechen',
  notAllowed: 'Es wurde nichts geändert, weil Sie es nicht erlaubt haben.',
  nameInvalid: 'Geben Sie einen Namen mit höchstens 100 Zeichen ein.',
  hostInvalid: 'Geben Sie einen Hostnamen oder eine IP-Adresse ein.',
  portInvalid: 'Geben Sie eine Zahl von 1 bis 65535 ein.',
  databaseInvalid: 'Geben Sie den Namen der Datenbank ein.',
  userInvalid: 'Geben Sie den Namen des Datenbankbenutzers ein.',
  schemaInvalid: 'Verwenden Sie Kleinbuchstaben, Ziffern und Unterstriche.',
};
