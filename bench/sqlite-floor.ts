/**
 * Measures the minimum cost of durability: one row per node, committed before the next, with the engine's SQLite driver
 * and settings.
 */
import { join } from 'node:path';
import { cpuMs } from './statistics.ts';

interface Connection {
  exec(sql: string): void;
  prepare(sql: string): {
    run(...params: readonly (string | number)[]): unknown;
    get(): Readonly<Record<string, unknown>>;
  };
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (file: string) => Connection;
}

async function loadDriver(): Promise<SqliteModule> {
  const [major = 0] = process.versions.node.split('.').map(Number);
  const builtin = major >= 24 ? process.getBuiltinModule('node:sqlite') : undefined;
  return (builtin ?? (await import('@photostructure/sqlite'))) as unknown as SqliteModule;
}

interface Floor {
  time(nodeCount: number): Promise<number>;
  /** Commits one row, and returns its number. */
  insert(output: string): number;
  countRows(): number;
  close(): void;
}

/** Opens a new database in `folder`. */
export async function openFloor(folder: string): Promise<Floor> {
  const { DatabaseSync } = await loadDriver();
  const db = new DatabaseSync(join(folder, 'floor.db'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000');
  db.exec('CREATE TABLE node (id TEXT, status TEXT, started_at INTEGER, ended_at INTEGER, output TEXT) STRICT');
  const insert = db.prepare('INSERT INTO node VALUES (?, ?, ?, ?, ?)');
  const count = db.prepare('SELECT count(*) AS n FROM node');
  let rows = 0;
  return {
    /** Returns the milliseconds of CPU time for a chain of nodes that await nothing and are each committed. */
    async time(nodeCount) {
      const startedAt = cpuMs();
      for (let i = 0; i < nodeCount; i++) {
        const nodeStartedAt = Date.now();
        const output = await Promise.resolve({ text: 'start' });
        insert.run(`n${i}`, 'completed', nodeStartedAt, Date.now(), JSON.stringify(output));
      }
      return cpuMs() - startedAt;
    },
    insert(output) {
      insert.run('n', 'completed', Date.now(), Date.now(), output);
      return ++rows;
    },
    countRows: () => Number(count.get()['n']),
    close: () => db.close(),
  };
}
