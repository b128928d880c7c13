/**
 * What a page may do with secrets: give values, which come back to none, and ask for what only the person decides.
 */
import { parseEnv } from 'node:util';
import type { mainContract } from '../ipc/main-contract.ts';
import { secretName } from '../ipc/person-contract.ts';
import type { Handlers } from '../ipc/rpc.ts';
import type { AppWindow } from './app-window.ts';
import {
  type Consent,
  newSecretQuestion,
  removeSecretQuestion,
  secretFlowQuestion,
  secretHostQuestion,
} from './consent.ts';
import type { SecretVault } from './secret-vault.ts';

type SecretHandlers = Pick<Handlers<typeof mainContract>, Extract<keyof typeof mainContract, `secrets.${string}`>>;

interface SecretPlaces {
  readonly vault: SecretVault;
  /** Brings the vault's secrets to all engine hosts; resolves when they have them. */
  deliverKeys(): Promise<void>;
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** As engines look for it. */
const variableOf = (name: string): string => `MILLRACE_SECRET_${name}`;

export function secretHandlers(
  { vault, deliverKeys }: SecretPlaces,
  window: AppWindow,
  consent: Consent,
): SecretHandlers {
  const keepAll = async (secrets: readonly NamedValue[]) => {
    const keptIn: 'vault' | 'file' = vault.problem() === null ? 'vault' : 'file';
    const known = new Set((await window.asPerson((person) => person.call('listSecrets'))).map(({ name }) => name));
    const replaced = secrets
      .map(({ name }) => name)
      .filter((name) => known.has(name) || vault.hasHad(variableOf(name)));
    if (replaced.length > 0 && !(await consent(newSecretQuestion(replaced)))) return { isDone: false, keptIn };
    for (const { name, value } of secrets) {
      if (keptIn === 'file') await window.asPerson((person) => person.call('setSecret', { name, value }));
      else {
        // One of the file would come before it.
        await window.asPerson((person) => person.call('removeSecret', { name }));
        vault.set(variableOf(name), value);
      }
    }
    if (keptIn === 'vault') await deliverKeys();
    return { isDone: true, keptIn };
  };
  return {
    'secrets.set': (secret) => keepAll([secret]),
    'secrets.readEnv'({ text }) {
      const { secrets, others } = readEnv(text);
      return { names: secrets.map(({ name }) => name), others };
    },
    async 'secrets.setEnv'({ text, names }) {
      const wanted = new Set(names);
      return keepAll(readEnv(text).secrets.filter(({ name }) => wanted.has(name)));
    },
    async 'secrets.remove'({ name }) {
      if (!(await consent(removeSecretQuestion(name)))) return { isDone: false };
      await window.asPerson((person) => person.call('removeSecret', { name }));
      vault.remove(variableOf(name));
      await deliverKeys();
      return { isDone: true };
    },
    async 'secrets.allowHost'(allowed) {
      if (!(await consent(secretHostQuestion(allowed)))) return { isDone: false };
      await window.asPerson((person) => person.call('allowSecretHost', allowed));
      return { isDone: true };
    },
    // To let it go to fewer is no danger.
    'secrets.forgetHost': (host) => window.asPerson((person) => person.call('forgetSecretHost', host)),
    async 'secrets.allowFlow'(wish) {
      if (!(await consent(secretFlowQuestion(wish.names)))) return { isDone: false };
      await window.asPerson((person) => person.call('allowSecrets', wish));
      return { isDone: true };
    },
  };
}

/** The values of a `.env` as Node reads it, and the names in it that no secret can have or that have no value. */
function readEnv(text: string): { readonly secrets: readonly NamedValue[]; readonly others: readonly string[] } {
  const entries = Object.entries(parseEnv(text))
    .map(([name, value = '']) => ({ name, value }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const isSecret = ({ name, value }: NamedValue): boolean => value !== '' && secretName.safeParse(name).success;
  return {
    secrets: entries.filter(isSecret),
    others: entries.filter((entry) => !isSecret(entry)).map(({ name }) => name),
  };
}
