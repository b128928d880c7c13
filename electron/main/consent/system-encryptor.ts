/**
 * Encrypts with the system's vault: the keychain on macOS, DPAPI on Windows, the keyring on a Linux desktop.
 */
import { safeStorage } from 'electron';
import { isDebuggingAllowed } from '../environment.ts';
import type { Encryptor } from './secret-vault.ts';

const noVault =
  'This system offers no safe place for keys, so none are kept. Set up a keyring (GNOME Keyring or KWallet) and start ' +
  'Millrace again, or start it with the key in the environment.';

/** Must run after the app is ready, because the system's vault is not accessible earlier. */
export function createSystemEncryptor(): Encryptor {
  // Tests run on machines without a keyring.
  if (isDebuggingAllowed) safeStorage.setUsePlainTextEncryption(true);
  return {
    problem: () => (isVaultThere() ? null : noVault),
    encrypt: (text) => safeStorage.encryptString(text),
    decrypt: (bytes) => safeStorage.decryptString(bytes),
  };
}

/** Without a keyring, Linux would encrypt with a publicly known password. */
function isVaultThere(): boolean {
  if (!safeStorage.isEncryptionAvailable()) return false;
  if (process.platform !== 'linux' || isDebuggingAllowed) return true;
  return safeStorage.getSelectedStorageBackend() !== 'basic_text';
}
