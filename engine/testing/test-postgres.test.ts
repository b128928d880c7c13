import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { isMissing, sharedPostgres, startPostgres } from './test-postgres.ts';

const postgres = await sharedPostgres();

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

describe.skipIf(isMissing(postgres))(
  `PostgreSQL for tests ${isMissing(postgres) ? `(${postgres.missing})` : ''}`,
  () => {
    test('each database is empty and separate', async () => {
      if (isMissing(postgres)) return;
      const [one, other] = [await postgres.createDatabase(), await postgres.createDatabase()];
      await ask(one, 'CREATE TABLE a (b integer)');
      const count = `SELECT count(*)::integer FROM pg_tables WHERE schemaname = 'public'`;
      expect([await ask(one, count), await ask(other, count)]).toEqual([[1], [0]]);
    });

    test('a killed server starts again with what was committed', async () => {
      const own = await startPostgres({ isDurable: true });
      if (isMissing(own) || own.outage === undefined) return;
      const url = await own.createDatabase();
      await ask(url, 'CREATE TABLE a AS SELECT 1 AS b');
      await own.outage.kill();
      await expect(ask(url, 'SELECT 1')).rejects.toThrow();
      await own.outage.start();
      expect(await ask(url, 'SELECT b FROM a')).toEqual([1]);
    });
  },
);
