/**
 * Calls about remote histories: run histories in PostgreSQL that a window can show. Part of `main-contract.ts` and
 * `person-contract.ts`. Passwords only travel from the page to main and to engine hosts, never back.
 */
import { z } from 'zod';
import { call } from '../rpc.ts';

const oneLine = z.string().regex(/^[^\p{Cc}]+$/u);

/** A server and its database, without the password. */
export const remotePlace = z.strictObject({
  /** Name or address; an IPv6 address has no brackets. */
  host: z
    .string()
    .regex(/^[\w.:-]+$/)
    .max(253),
  port: z.number().int().min(1).max(65_535),
  database: oneLine.max(63),
  user: oneLine.max(63),
  schema: z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/),
  tls: z.enum(['disable', 'require', 'verify-full']),
});

export type RemotePlace = z.output<typeof remotePlace>;

const id = z.string().regex(/^[0-9a-f]{16}$/);

const password = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[^\0]*$/);

/** Name of a workspace in a history, as workers use it. */
export const remoteWorkspace = oneLine.max(200);

export const remoteName = oneLine.max(100);

const connection = z.object({ id, name: remoteName, place: remotePlace, hasPassword: z.boolean() });

/** The remote history that a window shows. */
export const shownRemote = z.object({ workspace: remoteWorkspace, connection: remoteName, host: z.string() });

/** Lists the names of the workspaces in a history. Null stands for no password. */
export const listRemoteWorkspaces = call([remotePlace, password.nullable()], z.array(z.string()).readonly());

export const remoteContract = {
  /** Lists the connections, and the reason if passwords cannot be stored. */
  'remotes.list': call(
    [],
    z.object({ connections: z.array(connection).readonly(), vaultProblem: z.string().nullable() }),
  ),
  /**
   * Adds a connection, or changes one. Asks the user first if it leads to another server, database or user, or if a
   * password is given. A stored password is used only for the server, database and user for which it was entered: a
   * changed connection has none until the user enters it. Fails with `remotes.not-found`, `vault.unavailable` or
   * `vault.not-writable`.
   */
  'remotes.save': call(
    [
      z.strictObject({
        id: z.exactOptional(id),
        name: remoteName,
        place: remotePlace,
        password: z.exactOptional(password),
      }),
    ],
    /** `id` of the saved connection, which is a new one after a change of the server, database or user. */
    z.object({ isDone: z.boolean(), id: id.nullable() }),
  ),
  /** Removes a connection and its password. */
  'remotes.remove': call([z.strictObject({ id })], z.void()),
  /** Connects, and lists the workspaces. Fails with `remotes.not-found` or `store.*`. */
  'remotes.listWorkspaces': call([z.strictObject({ id })], z.object({ workspaces: z.array(z.string()).readonly() })),
  /** Opens a workspace in this window (the page reloads), unless the user chooses to keep the window's runs. */
  'remotes.open': call([z.strictObject({ id, workspace: remoteWorkspace })], z.object({ opened: z.boolean() })),
} as const;
