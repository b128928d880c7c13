/**
 * A process that runs a run and keeps its lease in a shared history, for tests that stop and kill it. Arguments: URL,
 * workspace, ID of the run, and how long the lease is valid in milliseconds.
 */
import { asRunId } from '../base/ids.ts';
import { openSharedHistory } from '../history/postgres/open-shared-history.ts';
import { envelopes, newRun, runStart } from './run-samples.ts';

const [url = '', workspace = '', id = '', validMs = ''] = process.argv.slice(2);
const lease = { validMs: Number(validMs), renewMs: Number(validMs) / 10 };
const history = await openSharedHistory({ url, workspace, home: `home of ${id}` }, lease);
const runId = asRunId(id);
await history.createRun(newRun(runId));
await history.project([{ runId, events: envelopes(runId, [runStart]) }]);
process.stdout.write('running\n');
// The lease must not keep a process alive, so something else does.
setInterval(() => undefined, 60_000);
