/**
 * Runs, their numbered events, and what is kept once by content hash: definitions and large values.
 *
 * `event` is keyed by the run's short number rather than its id, and lies in key order, so that appending touches the
 * end of one tree only.
 */
export const runsMigration = `
CREATE TABLE value (
  hash TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE run (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  source_path TEXT NOT NULL,
  definition_hash TEXT NOT NULL REFERENCES value (hash),
  inputs TEXT NOT NULL,
  status TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER,
  redo_of TEXT,
  redo_count INTEGER,
  error TEXT,
  failed_nodes TEXT NOT NULL DEFAULT '[]',
  owner_host TEXT,
  owner_pid INTEGER,
  owner_start TEXT,
  lease_until INTEGER
) STRICT;

CREATE INDEX run_by_source ON run (source_path);

CREATE TABLE event (
  run INTEGER NOT NULL REFERENCES run (id),
  seq INTEGER NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
`;
