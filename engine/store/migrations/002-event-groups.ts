/**
 * Events in the groups in which they become durable, and what resuming and running again from a node need of a run.
 *
 * A row of `event_group` holds consecutive events of one run; `event-group.ts` has the format of the text. Its key is the run's number and the `seq` of its
 * last event in one integer: key and text share one tree, so that a commit of one group changes one page of it.
 * The two virtual columns are for people who look into the file.
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
