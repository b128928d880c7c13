/**
 * Describes a shared history as it is entered in settings.
 */

/** Whether the connection is encrypted, and whether the server's certificate is verified. */
export type RemoteTls = 'disable' | 'require' | 'verify-full';

/** A shared history in PostgreSQL, without the password. */
export interface RemotePlace {
  /** Name or address of the server. An IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly schema: string;
  readonly tls: RemoteTls;
}

/** Returns the URL for `openSharedHistory`. It contains the password, so it must not be shown or logged. */
export function remoteUrl(place: RemotePlace, password: string | undefined): string {
  const { host, port, database, user, schema, tls } = place;
  const name = encodeURIComponent(user);
  const login = password === undefined ? name : `${name}:${encodeURIComponent(password)}`;
  const server = host.includes(':') ? `[${host}]` : host;
  const settings = new URLSearchParams({ schema, sslmode: tls });
  return `postgres://${login}@${server}:${port}/${encodeURIComponent(database)}?${settings}`;
}
