/**
 * Stores the connections to remote histories in the user's data folder, and their passwords in a separate vault, so that
 * nothing else can read them. Each workspace that was opened has an empty folder, which represents it wherever the program
 * expects a folder.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type RemotePlace, remoteName, remotePlace, remoteWorkspace } from '../../ipc/contracts/remote-contract.ts';
import { type Clock, EngineError } from '../../ipc/engine-base.ts';
import { remotePasswordKey } from '../../ipc/host-messages.ts';
import { createKeyDelivery, type KeyDelivery } from '../consent/key-delivery.ts';
import { type Encryptor, openSecretVault, type SecretVault } from '../consent/secret-vault.ts';
import { readOwnFile, writeOwnFile } from '../own-file.ts';
import { text } from '../text.ts';
import { SentRuns } from './sent-runs.ts';

const storedConnection = z.object({
  id: z.string(),
  name: remoteName,
  place: remotePlace,
  /** Names of opened workspaces by the names of their folders. */
  folders: z.record(z.string(), remoteWorkspace).default({}),
});

const storedFile = z.object({ version: z.literal(1), connections: z.array(storedConnection) });

export type RemoteConnection = z.output<typeof storedConnection>;

/** A remote history that a folder represents. */
export interface RemoteFolder {
  readonly connection: RemoteConnection;
  readonly workspace: string;
}

interface ConnectionChange {
  readonly id?: string;
  readonly name: string;
  readonly place: RemotePlace;
  readonly password?: string;
}

export class RemoteConnections {
  readonly #file: string;
  readonly #root: string;
  readonly #vault: SecretVault;
  readonly #clock: Clock;
  readonly #deliveries = new Map<string, KeyDelivery>();
  /** The sent runs that windows show. */
  readonly sent: SentRuns;
  #connections: readonly RemoteConnection[];

  /** @param folder the user's data folder */
  constructor(folder: string, { encryptor, clock }: { readonly encryptor: Encryptor; readonly clock: Clock }) {
    mkdirSync(folder, { recursive: true });
    this.#file = path.join(folder, 'remotes.json');
    this.#root = path.join(realpathSync(folder), 'remotes');
    this.#vault = openSecretVault(path.join(folder, 'remote-passwords.json'), encryptor);
    this.#clock = clock;
    this.#connections = readConnections(this.#file);
    this.sent = new SentRuns(folder);
  }

  /** Returns the name of what a folder represents; undefined for a folder of the user. */
  nameOf(folder: string): string | undefined {
    const remote = this.find(folder)?.workspace;
    if (remote !== undefined) return text().window.remote({ name: remote });
    const file = this.sent.find(folder);
    return file === undefined ? undefined : text().window.sentRun({ name: path.basename(file) });
  }

  get connections(): readonly RemoteConnection[] {
    return this.#connections;
  }

  /** Why passwords cannot be stored; null if they can. */
  get vaultProblem(): string | null {
    return this.#vault.problem();
  }

  /** All passwords, which logs must not contain. */
  get passwords(): readonly string[] {
    return Object.values(this.#vault.keys());
  }

  passwordOf(id: string): string | undefined {
    return this.#vault.keys()[id];
  }

  /** @throws EngineError `remotes.not-found` */
  get(id: string): RemoteConnection {
    const found = this.#connections.find((one) => one.id === id);
    if (found !== undefined) return found;
    throw new EngineError({ code: 'remotes.not-found', message: 'This connection was removed. Add it again.' });
  }

  /** Whether the change leads to another server, database or user, or weaker encryption. */
  isElsewhere({ id, place }: ConnectionChange): boolean {
    if (id === undefined) return true;
    const former = this.get(id).place;
    return (['host', 'port', 'database', 'user', 'tls'] as const).some((key) => former[key] !== place[key]);
  }

  /**
   * Adds or changes a connection. One that leads elsewhere replaces the former one under a new id, because windows and
   * passwords belong to the former place. @returns its id @throws EngineError `vault.*`; nothing is then changed
   */
  async save(change: ConnectionChange): Promise<string> {
    const { id: formerId, name, place, password } = change;
    const isElsewhere = this.isElsewhere(change);
    const id = isElsewhere || formerId === undefined ? randomBytes(8).toString('hex') : formerId;
    if (password !== undefined) this.#vault.set(id, password);
    const folders = isElsewhere || formerId === undefined ? {} : this.get(formerId).folders;
    const saved = { id, name, place, folders };
    const isKnown = formerId !== undefined;
    this.#write(
      isKnown ? this.#connections.map((one) => (one.id === formerId ? saved : one)) : [...this.#connections, saved],
    );
    if (isKnown && id !== formerId) this.#forget(formerId);
    await this.#deliveries.get(id)?.deliver();
    return id;
  }

  remove(id: string): void {
    this.#write(this.#connections.filter((one) => one.id !== id));
    this.#forget(id);
  }

  /** Creates the folder that represents a workspace, and returns its path. @throws EngineError `remotes.not-found` */
  folderOf(id: string, workspace: string): string {
    const { folders } = this.get(id);
    const known = Object.entries(folders).find(([, name]) => name === workspace)?.[0];
    const folderName = known ?? unusedName(workspace, folders);
    if (known === undefined)
      this.#write(
        this.#connections.map((one) =>
          one.id === id ? { ...one, folders: { ...folders, [folderName]: workspace } } : one,
        ),
      );
    const folder = path.join(this.#root, id, folderName);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Returns the remote history that a folder represents; undefined for other folders. */
  find(folder: string | null): RemoteFolder | undefined {
    if (folder === null) return undefined;
    const [id, folderName, ...rest] = path.relative(this.#root, folder).split(path.sep);
    const connection = this.#connections.find((one) => one.id === id);
    if (connection === undefined || folderName === undefined || rest.length > 0) return undefined;
    const workspace = Object.hasOwn(connection.folders, folderName) ? connection.folders[folderName] : undefined;
    return workspace === undefined ? undefined : { connection, workspace };
  }

  /** Returns the delivery that sends only the password of this connection. */
  deliveryOf(id: string): KeyDelivery {
    const known = this.#deliveries.get(id);
    if (known !== undefined) return known;
    const delivery = createKeyDelivery(() => {
      const password = this.passwordOf(id);
      return password === undefined ? {} : { [remotePasswordKey]: password };
    }, this.#clock);
    this.#deliveries.set(id, delivery);
    return delivery;
  }

  #forget(id: string): void {
    this.#vault.remove(id);
    rmSync(path.join(this.#root, id), { recursive: true, force: true });
  }

  #write(connections: readonly RemoteConnection[]): void {
    writeOwnFile(this.#file, `${JSON.stringify({ version: 1, connections }, null, 2)}\n`, 0o600);
    this.#connections = connections;
  }
}

/** Returns a folder name that resembles the name of the workspace, which may contain any character. */
function unusedName(workspace: string, taken: Readonly<Record<string, string>>): string {
  const plain = workspace.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 50);
  const name = plain === '' || plain === '__proto__' ? 'workspace' : plain;
  for (let count = 1; ; count++) {
    const wished = count === 1 ? name : `${name}-${count}`;
    // Some file systems do not distinguish case.
    const isTaken = Object.keys(taken).some((other) => other.toLowerCase() === wished.toLowerCase());
    if (!isTaken) return wished;
  }
}

/** An unreadable file is kept as `<file>.broken`. */
function readConnections(file: string): readonly RemoteConnection[] {
  const text = readOwnFile(file);
  if (text === undefined) return [];
  try {
    return storedFile.parse(JSON.parse(text)).connections;
  } catch {
    renameSync(file, `${file}.broken`);
    return [];
  }
}
