/**
 * Handles a page's calls about secrets: setting values, which a page can never read, and requesting decisions that only
 * the user may make.
 */
import { parseEnv } from 'node:util';
import type { mainContract } from '../../ipc/contracts/main-contract.ts';
import { secretName } from '../../ipc/contracts/person-contract.ts';
import type { RpcHandlers } from '../../ipc/rpc.ts';
import type { AppWindow } from '../windows/app-window.ts';
import {
  type AskConsent,
  newSecretQuestion,
  removeSecretQuestion,
  secretFlowQuestion,
  secretHostQuestion,
} from './consent.ts';
import type { SecretVault } from './secret-vault.ts';

type SecretHandlers = Pick<RpcHandlers<typeof mainContract>, Extract<keyof typeof mainContract, `secrets.${string}`>>;

interface SecretPlaces {
  readonly vault: SecretVault;
  /** Sends the vault's secrets to all engine hosts. Resolves when they have them. */
  deliverKeys(): Promise<void>;
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** The variable under which engines look up a secret. */
const variableOf = (name: string): string => `MILLRACE_SECRET_${name}`;

export function secretHandlers(
  { vault, deliverKeys }: SecretPlaces,
  window: AppWindow,
  consent: AskConsent,
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
        // A secret in the file would take precedence.
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
    // Removing a host only reduces access, so it needs no consent.
    'secrets.forgetHost': (host) => window.asPerson((person) => person.call('forgetSecretHost', host)),
    async 'secrets.allowFlow'(wish) {
      if (!(await consent(secretFlowQuestion(wish.names)))) return { isDone: false };
      await window.asPerson((person) => person.call('allowSecrets', wish));
      return { isDone: true };
    },
  };
}

/**
 * Parses `.env` text as Node does. Returns its values, and the names that have no value or are not valid for secrets.
 */
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
