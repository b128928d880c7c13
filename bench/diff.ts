/**
 * Measures comparing two versions of a flow, and taking some of the differences over. The baseline is the YAML parser on
 * both texts, run alternately in the same process.
 */
import { parseDocument } from 'yaml';
import { diffFlows, takeDifferences } from '../engine/isomorphic.ts';
import { dagFlow } from './graphs.ts';
import { median, report } from './statistics.ts';

const nodeCount = 1_000;
const warmUpRounds = 3;
const rounds = 15;

const before = dagFlow(nodeCount);
/** Each tenth node has another text. */
const after = before.replaceAll(/(id: n\d*0\b[^}]*text: ")/g, '$1Changed. ');
const { differences } = diffFlows({ before, after });
if (differences.length !== nodeCount / 10) throw new Error(`${differences.length} differences were found.`);
const some = differences.slice(0, 10).map(({ key }) => key);

function timeOf(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

const times = Array.from({ length: warmUpRounds + rounds }, () => ({
  diff: timeOf(() => diffFlows({ before, after })),
  take: timeOf(() => takeDifferences({ before, after }, some)),
  parser: timeOf(() => [before, after].map((text) => parseDocument(text))),
})).slice(warmUpRounds);
const yardstick = { name: 'yaml parser on both', value: median(times.map(({ parser }) => parser)) };
report({ what: `diff of ${nodeCount} nodes`, ours: median(times.map(({ diff }) => diff)), yardstick, unit: 'ms' });
report({ what: 'taking 10 differences over', ours: median(times.map(({ take }) => take)), yardstick, unit: 'ms' });
