/**
 * Conversations: each with its own numbered log, and now and then what is true of it, so that opening one takes time for what came
 * since then only. `title`, `turn_count` and `changed_at` are for lists, which read no log.
 */
export const sessionsMigration = `
CREATE TABLE session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL UNIQUE,
  catalogue_path TEXT NOT NULL,
  catalogue_name TEXT NOT NULL,
  catalogue_hash TEXT NOT NULL REFERENCES value (hash),
  title TEXT NOT NULL DEFAULT '',
  turn_count INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  owner_host TEXT,
  owner_pid INTEGER,
  owner_start TEXT,
  lease_until INTEGER
) STRICT;

CREATE TABLE session_event (
  session INTEGER NOT NULL REFERENCES session (id),
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  turn_id TEXT,
  type TEXT NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_event_marks ON session_event (session, type, seq) WHERE type IN ('message', 'turn:start', 'plan:decomposed');

CREATE TABLE session_snapshot (
  session INTEGER NOT NULL REFERENCES session (id),
  seq INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;
`;
