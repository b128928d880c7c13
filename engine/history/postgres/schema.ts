/**
 * Migrations of the shared history's schema, in order. A published migration never changes.
 */

/**
 * Tables:
 * - `source`: name and file of a flow or agent. Few rows, so that searching text does not read all runs.
 * - `run`: changes only when a run starts, ends, is suspended or resumes.
 *   `host_input` is what a durable host starts the run with, and `host_reference` is set when it has accepted the run.
 *   `home` is the local history with the log of a run that no durable host runs, and `owner` the process that runs it.
 * - `progress`: changes with every batch of events. `applied_seq` is the number up to which no event is missing, and
 *   `has_later` is set if events after a gap are stored.
 *   `changed` is the transaction of the last change, which lets readers find changed runs without missing any.
 * - `event`: one row per event, in partitions by the week in which the run was created, so that old weeks can be
 *   dropped. The text format of an event is that of a group with one event in `event-group.ts`.
 * - `value`, `run_text`: texts by hash, and which runs use them.
 * - `engine`: processes that run runs themselves, with the end of their lease in epoch milliseconds.
 * Texts written by people are encoded by `safe-text.ts`. `place` is a hash, because names may be too long for an index.
 */
const firstMigration = `
CREATE TABLE millrace.workspace (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  removed_before bigint NOT NULL DEFAULT 0
);

CREATE TABLE millrace.source (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace integer NOT NULL REFERENCES millrace.workspace,
  hash text NOT NULL,
  name text NOT NULL,
  path text NOT NULL,
  UNIQUE (workspace, hash)
);

CREATE TABLE millrace.engine (
  id text PRIMARY KEY,
  lease_until bigint NOT NULL
);

CREATE TABLE millrace.value (
  hash text PRIMARY KEY,
  content bytea NOT NULL,
  kept_at bigint NOT NULL
);

CREATE TABLE millrace.run (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id text NOT NULL,
  workspace integer NOT NULL,
  source bigint NOT NULL,
  week integer NOT NULL,
  session_id text NOT NULL,
  kind text NOT NULL,
  definition_hash text NOT NULL,
  node_settings_hash text,
  inputs text NOT NULL,
  status text NOT NULL,
  wait text,
  started_at double precision NOT NULL,
  ended_at bigint,
  duration_ms double precision,
  error text,
  failed_nodes text NOT NULL DEFAULT '[]',
  spending text,
  part text,
  redo_of text,
  redo_count integer,
  rerun_of text,
  host_engine text,
  host_reference text,
  home text,
  owner text,
  UNIQUE (run_id, workspace)
);
CREATE INDEX run_list ON millrace.run (workspace, number);
CREATE INDEX run_list_of_source ON millrace.run (source, number);
CREATE INDEX run_suspended ON millrace.run (workspace, number) WHERE status = 'suspended';
CREATE INDEX run_suspended_of_source ON millrace.run (source, number) WHERE status = 'suspended';
CREATE INDEX run_open ON millrace.run (workspace) WHERE status IN ('queued', 'running', 'suspended');
CREATE INDEX run_ended ON millrace.run (workspace, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX run_home ON millrace.run (home) WHERE home IS NOT NULL;
CREATE INDEX run_rerun ON millrace.run (rerun_of) WHERE rerun_of IS NOT NULL;
CREATE INDEX run_week ON millrace.run (week, status);

CREATE TABLE millrace.progress (
  run bigint PRIMARY KEY,
  workspace integer NOT NULL,
  applied_seq bigint NOT NULL,
  has_later boolean NOT NULL DEFAULT false,
  changed xid8 NOT NULL
);
CREATE INDEX progress_changed ON millrace.progress (workspace, changed);

CREATE TABLE millrace.event (
  run bigint NOT NULL,
  seq bigint NOT NULL,
  week integer NOT NULL,
  at double precision NOT NULL,
  json text NOT NULL,
  PRIMARY KEY (run, seq, week)
) PARTITION BY RANGE (week);

CREATE TABLE millrace.run_text (
  run bigint NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (run, hash)
);
CREATE INDEX run_text_by_hash ON millrace.run_text (hash);

CREATE TABLE millrace.waiting (
  run bigint NOT NULL,
  place text NOT NULL,
  workspace integer NOT NULL,
  name text NOT NULL,
  key text NOT NULL,
  request_hash text,
  answer_place text NOT NULL,
  title text NOT NULL,
  request text,
  kind text,
  is_permission boolean NOT NULL,
  is_automatic boolean NOT NULL,
  on_deadline text,
  asked_seq bigint NOT NULL,
  asked_at double precision NOT NULL,
  deadline_at double precision,
  reminded_at double precision,
  PRIMARY KEY (run, place)
);
CREATE INDEX waiting_list ON millrace.waiting (workspace, deadline_at NULLS LAST, asked_at, run, asked_seq);

CREATE TABLE millrace.answer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run bigint NOT NULL,
  place text NOT NULL,
  name text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  payload text NOT NULL,
  answered_by text,
  answered_at double precision NOT NULL,
  asked_seq bigint NOT NULL,
  delivered_at bigint,
  UNIQUE (run, place)
);
CREATE INDEX answer_undelivered ON millrace.answer (id) WHERE delivered_at IS NULL;

CREATE TABLE millrace.run_request (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run bigint NOT NULL,
  kind text NOT NULL,
  requested_by text,
  requested_at bigint NOT NULL,
  done_at bigint
);
CREATE UNIQUE INDEX run_request_open ON millrace.run_request (run, kind) WHERE done_at IS NULL;
`;

/** Lets workers find runs that a command line recorded but did not submit. */
const secondMigration = `
ALTER TABLE millrace.run ADD COLUMN host_input text;
CREATE INDEX run_unsubmitted ON millrace.run (workspace, started_at)
  WHERE status = 'queued' AND host_input IS NOT NULL AND host_reference IS NULL;
`;

/** The version of the schema is the number of applied migrations. */
export const sharedMigrations: readonly string[] = [firstMigration, secondMigration];

/** SQL for the server's current time in epoch milliseconds. */
export const serverNow = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
