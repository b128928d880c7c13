/**
 * What waits for people in all runs: a projection of the logs, so that a list of it reads no log. `key` is empty where the question is
 * whether what a crash has cut may run again.
 */
export const waitingMigration = `
CREATE TABLE waiting (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run (id),
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT,
  title TEXT NOT NULL,
  request TEXT,
  asked_at INTEGER NOT NULL,
  deadline_at INTEGER,
  reminded_at INTEGER,
  UNIQUE (run, name, key)
) STRICT;

CREATE INDEX waiting_by_deadline ON waiting (deadline_at) WHERE deadline_at IS NOT NULL;
`;
