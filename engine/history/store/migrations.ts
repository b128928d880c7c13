/**
 * Migrations of the history's schema, in order.
 */

/**
 * Runs, their numbered events, and content-addressed data: definitions and large values.
 *
 * `event` is keyed by the run's short number rather than its id and stored in key order, so that appending changes only
 * the end of a single tree.
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

/**
 * Events in groups that become durable together, and data needed to resume a run or to rerun it from a node.
 *
 * A row of `event_group` contains consecutive events of one run; `event-group.ts` describes the text format. The key
 * combines the run's number and the `seq` of the last event in one integer. Key and text share one tree, so that
 * committing one group changes one page of it. The two virtual columns are for people who inspect the file.
 */
export const eventGroupsMigration = `
ALTER TABLE run ADD COLUMN rerun_of TEXT;
ALTER TABLE run ADD COLUMN node_settings_hash TEXT REFERENCES value (hash);

CREATE TABLE event_group (
  id INTEGER PRIMARY KEY,
  json TEXT NOT NULL,
  run INTEGER AS (id >> 32) VIRTUAL,
  last_seq INTEGER AS (id & 4294967295) VIRTUAL
) STRICT;

INSERT INTO event_group (id, json)
SELECT
  run << 32 | seq,
  json_array(
    json_patch(json_remove(json, '$.event', '$.context'), json_extract(json, '$.context')),
    json_extract(json, '$.event')
  )
FROM event ORDER BY run, seq;
DROP TABLE event;
`;

/** Work that needs a person's approval, such as the installation of a pack that a run needs. */
export const workMigration = `
CREATE TABLE work (
  id INTEGER PRIMARY KEY,
  work_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  data TEXT NOT NULL,
  message TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at INTEGER
) STRICT;
`;

/**
 * People's answers: a row is the claim, and the first one wins. This table is not a projection of the log, because an
 * answer is stored before a run continues with it. Also adds the kind of request that a suspended run waits for.
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

/**
 * Open requests of all runs: a projection of the logs, so that listing them reads no log. `key` is empty if the request
 * asks whether interrupted work may run again.
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

/**
 * Conversations, each with its own numbered log and occasional snapshots, so that opening one processes only later
 * events. `title`, `turn_count` and `changed_at` are used for lists, which read no log.
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

/** Requests to the process that executes a run. Rows are deleted when the run ends. */
export const requestsMigration = `
CREATE TABLE run_request (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run (id),
  kind TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  UNIQUE (run, kind)
) STRICT;
`;

/**
 * Firings of triggers, and how far each trigger's past has been turned into firings. An event is JSON text, or `$` and
 * the hash of its text if it is large. Also adds who started a run, as JSON.
 */
export const firingsMigration = `
ALTER TABLE run ADD COLUMN started_by TEXT;

CREATE TABLE firing (
  id INTEGER PRIMARY KEY,
  flow TEXT NOT NULL,
  trigger_id TEXT NOT NULL,
  key TEXT NOT NULL,
  event TEXT NOT NULL,
  priority INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  run_id TEXT,
  UNIQUE (flow, trigger_id, key)
) STRICT;

CREATE INDEX firing_waiting ON firing (flow, trigger_id, priority DESC, id) WHERE state = 'waiting';

CREATE INDEX firing_by_run ON firing (run_id) WHERE run_id IS NOT NULL;

CREATE INDEX run_unfinished ON run (id) WHERE status IN ('queued', 'running', 'suspended');

CREATE TABLE trigger_watch (
  flow TEXT NOT NULL,
  trigger_id TEXT NOT NULL,
  definition_hash TEXT NOT NULL,
  looked_at INTEGER NOT NULL,
  PRIMARY KEY (flow, trigger_id)
) STRICT, WITHOUT ROWID;
`;

/**
 * What each trigger has seen, such as the files at its last look. Also replaces an index that had another order in early
 * histories of format 8.
 */
export const triggerStateMigration = `
ALTER TABLE trigger_watch ADD COLUMN state TEXT;

DROP INDEX IF EXISTS firing_waiting;

CREATE INDEX firing_waiting ON firing (flow, trigger_id, priority DESC, id) WHERE state = 'waiting';
`;

/** What people have written about runs. Not part of the logs, because it can change after a run has ended. */
export const runMarksMigration = `
ALTER TABLE run ADD COLUMN note TEXT;

CREATE TABLE run_label (
  run INTEGER NOT NULL REFERENCES run (id),
  label TEXT NOT NULL,
  PRIMARY KEY (run, label)
) STRICT, WITHOUT ROWID;

CREATE INDEX run_label_by_label ON run_label (label);
`;

/**
 * The breakpoints that a run was started with, by file, and what a person has given its held nodes, by name. Rows are
 * deleted when the run ends.
 */
export const pausesMigration = `
CREATE TABLE run_pause (
  run INTEGER NOT NULL REFERENCES run (id),
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (run, kind, name)
) STRICT, WITHOUT ROWID;
`;
