/**
 * Tests encrypted connections to a real server with certificates of a test authority.
 */
import { execFile } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing, startPostgres } from '../../testing/test-postgres.ts';
import { parseSharedUrl } from './connection-url.ts';
import { openPgDb } from './pg-db.ts';

const run = promisify(execFile);
// A separate server, because its certificate changes.
const postgres = await startPostgres({ isDurable: false });
const openssl = await run('openssl', ['version']).catch(() => undefined);
const missing =
  openssl === undefined ? 'openssl is not installed.' : isMissing(postgres) ? postgres.missing : undefined;
const isForeign = !isMissing(postgres) && postgres.outage === undefined;
const why = missing ?? (isForeign ? 'MILLRACE_TEST_POSTGRES names a server that tests do not change.' : undefined);

describe.skipIf(why !== undefined)(`TLS to PostgreSQL${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-tls-'));
  const file = (name: string): string => path.join(folder, name);
  let url: URL;
  let isOn = false;

  beforeAll(async () => {
    if (isMissing(postgres)) return;
    url = new URL(await postgres.createDatabase());
    for (const name of ['ca', 'other'])
      await create([
        'req',
        '-x509',
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.pem`,
        '-days',
        '2',
        '-subj',
        `/CN=${name}`,
      ]);
    await sign('here', 'DNS:localhost', '2');
    await sign('elsewhere', 'DNS:db.example', '2');
    await sign('expired', 'DNS:localhost', '-1');
    writeFileSync(file('text.pem'), 'no certificate');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function create(args: readonly string[]): Promise<void> {
    await run('openssl', [...args, '-newkey', 'rsa:2048', '-nodes'], { cwd: folder });
  }

  async function sign(name: string, names: string, days: string): Promise<void> {
    await create(['req', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`]);
    writeFileSync(file(`${name}.ext`), `subjectAltName=${names}\n`);
    const request = ['-req', '-in', `${name}.csr`, '-out', `${name}.pem`, '-days', days, '-extfile', `${name}.ext`];
    await run('openssl', ['x509', ...request, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'], { cwd: folder });
  }

  async function withServer<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({
      connectionString: url.href,
      ...(isOn ? { ssl: { rejectUnauthorized: false } } : {}),
    });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Returns a setting of the server. */
  async function setting(name: string): Promise<string> {
    const [row] = await withServer(async (client) => (await client.query<Record<string, string>>(`SHOW ${name}`)).rows);
    return row?.[name] ?? '';
  }

  /** Writes a file of the server. */
  function write(target: string, text: string): void {
    const { uid, gid } = statSync(path.dirname(target));
    writeFileSync(target, text, { mode: 0o600 });
    if (process.getuid?.() === 0) chownSync(target, uid, gid);
  }

  /** Returns whether the connection is encrypted. */
  async function connect(
    settings: Readonly<Record<string, string>>,
    host = 'localhost',
    env = {},
  ): Promise<boolean | undefined> {
    const to = new URL(url);
    to.hostname = host;
    to.search = new URLSearchParams(settings).toString();
    const db = await openPgDb(parseSharedUrl(to.href, env), 1);
    try {
      const [row] = await db.rows<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
      return row?.ssl;
    } finally {
      await db.close();
    }
  }

  /** Resolves when new connections see the certificate, because the server loads it some time after the request. */
  async function install(name: string): Promise<void> {
    const data = await setting('data_directory');
    write(path.join(data, 'server.crt'), readFileSync(file(`${name}.pem`), 'utf8'));
    write(path.join(data, 'server.key'), readFileSync(file(`${name}.key`), 'utf8'));
    await withServer(async (client) => {
      await client.query('ALTER SYSTEM SET ssl = on');
      await client.query('SELECT pg_reload_conf()');
    });
    isOn = true;
    const shown = () =>
      withServer(async (client) => {
        const { stream } = (client as unknown as { readonly connection: { readonly stream: TLSSocket } }).connection;
        return stream.getPeerCertificate().subject.CN;
      }).catch(String);
    await expect.poll(shown, { timeout: 60_000 }).toBe(name);
  }

  test('a known authority and the right name are accepted, and anything else is refused with the reason', async () => {
    const ca = { sslrootcert: file('ca.pem') };
    await install('here');
    expect(await connect({ sslmode: 'disable' })).toBe(false);
    expect(await connect({ sslmode: 'require' })).toBe(true);
    for (const sslmode of ['require', 'verify-ca', 'verify-full']) {
      expect(await connect({ sslmode, ...ca })).toBe(true);
      const other = connect({ sslmode, sslrootcert: file('other.pem') });
      await expect(other).rejects.toMatchObject({
        code: 'store.denied',
        message: expect.stringContaining('sslrootcert'),
      });
    }
    for (const sslmode of ['verify-ca', 'verify-full'])
      await expect(connect({ sslmode })).rejects.toThrow('from an authority that is not trusted');
    const known = { NODE_EXTRA_CA_CERTS: file('ca.pem') };
    expect(await connect({ sslmode: 'verify-full' }, 'localhost', known)).toBe(true);
    expect(await connect({ sslmode: 'verify-ca', ...ca }, '127.0.0.1')).toBe(true);
    const byAddress = connect({ sslmode: 'verify-full', ...ca }, '127.0.0.1');
    await expect(byAddress).rejects.toThrow('has a certificate for another name');

    await install('elsewhere');
    expect(await connect({ sslmode: 'verify-ca', ...ca })).toBe(true);
    await expect(connect({ sslmode: 'verify-full', ...ca })).rejects.toThrow('has a certificate for another name');

    await install('expired');
    expect(await connect({ sslmode: 'require' })).toBe(true);
    await expect(connect({ sslmode: 'verify-ca', ...ca })).rejects.toThrow('has an expired certificate');
  });

  test('a client certificate is sent with its key', async () => {
    await install('here');
    const client = { sslmode: 'verify-full', sslrootcert: file('ca.pem'), sslcert: file('here.pem') };
    expect(await connect({ ...client, sslkey: file('here.key') })).toBe(true);
  });

  test.each([
    ['no certificate', { sslrootcert: 'text.pem' }, 'contains no certificate'],
    ['no file', { sslrootcert: 'none.pem' }, 'cannot be read'],
    ['a certificate without a key', { sslcert: 'here.pem' }, 'used together'],
    ['the key of another certificate', { sslcert: 'here.pem', sslkey: 'other.key' }, 'not certificates with a key'],
  ])('%s is refused before a connection is opened', (_what, files, part) => {
    const settings = new URLSearchParams({ sslmode: 'verify-full' });
    for (const [name, value] of Object.entries(files)) settings.set(name, file(value));
    expect(() => parseSharedUrl(`postgres://db/d?${settings}`, {})).toThrow(
      expect.objectContaining({ code: 'store.bad-url', message: expect.stringContaining(part) }),
    );
  });

  test('a server that refuses connections without encryption is reported with that reason', async () => {
    await install('here');
    const hba = await setting('hba_file');
    write(hba, readFileSync(hba, 'utf8').replaceAll(/^host /gm, 'hostssl '));
    await withServer((client) => client.query('SELECT pg_reload_conf()'));
    const refused = () => connect({ sslmode: 'disable' }).then(String, ({ message }: Error) => message);
    await expect.poll(refused, { timeout: 60_000 }).toContain('sslmode=require');
    expect(await connect({ sslmode: 'require' })).toBe(true);
  });
});
