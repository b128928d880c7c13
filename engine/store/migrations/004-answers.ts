/**
 * What people have answered: a row is the claim, and the first one wins. No projection of the log: an answer stands here before a run
 * goes on with it. And for what a suspended run waits.
 */
export const answersMigration = `
CREATE TABLE answer (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run (id),
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  payload TEXT NOT NULL,
  answered_by TEXT,
  answered_at INTEGER NOT NULL,
  UNIQUE (run, name, key, request_hash)
) STRICT;

ALTER TABLE run ADD COLUMN wait TEXT;
`;
