/**
 * The text of the settings for remote histories.
 */
import { inLanguage, type Named, plural } from '../../ui/language.ts';

export const text = inLanguage('settings/remote', {
  title: 'Remote histories',
  about:
    'Runs on other machines that are recorded in PostgreSQL. Open a workspace to watch, answer, pause and cancel its runs.',
  none: 'No connections yet. Add the PostgreSQL server that your workers use as their history.',
  add: 'Add connection',
  newConnection: 'New connection',
  edit: 'Edit',
  editNamed: ({ name }: Named) => `Edit ${name}`,
  remove: 'Remove',
  removeNamed: ({ name }: Named) => `Remove ${name}`,
  connect: 'Connect',
  connectTo: ({ name }: Named) => `Connect to ${name}`,
  connecting: 'Connecting…',
  connected: ({ count }: { readonly count: number }) =>
    plural(count, {
      one: 'Connected. The history contains 1 workspace.',
      other: `Connected. The history contains ${count} workspaces.`,
    }),
  open: 'Open',
  openNamed: ({ name }: Named) => `Open ${name}`,
  passwordSet: 'Password in the vault',
  noPassword: 'No password',
  name: 'Name',
  host: 'Host',
  port: 'Port',
  database: 'Database',
  user: 'User',
  schema: 'Schema',
  tls: 'Encryption',
  tlsNames: {
    'verify-full': 'TLS, verify the certificate',
    require: 'TLS, any certificate',
    disable: 'None',
  },
  password: 'Password',
  passwordNote: 'Stored in the vault',
  passwordKept: 'Leave empty to keep the stored one',
  passwordDropped: 'Enter it again for the changed server',
  save: 'Save',
  cancel: 'Cancel',
  notAllowed: 'Nothing was changed, because you did not allow it.',
  nameInvalid: 'Enter a name of at most 100 characters.',
  hostInvalid: 'Enter a host name or an IP address.',
  portInvalid: 'Enter a number from 1 to 65535.',
  databaseInvalid: 'Enter the name of the database.',
  userInvalid: 'Enter the name of the database user.',
  schemaInvalid: 'Use lowercase letters, digits and underscores.',
});
