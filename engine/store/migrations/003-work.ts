/**
 * Work that a person has to agree to before it is done, such as the installation of a pack that a run needs.
 */
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
