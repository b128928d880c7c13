/**
 * Prepares an attempt's output for later use: validated, limited in size, frozen and without secrets.
 */

import { DEFAULT_OUTPUT_BYTES } from '../../../language/flow/flow-limits.ts';
import { deepFreeze, frozenCopyInPieces, type JsonCopy } from '../../../language/json/checked-json.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { outputTooLarge } from '../../../language/json/too-large.ts';
import { acceptorOf } from '../../../language/schema/schema-acceptor.ts';
import { checkAgainst } from '../../../language/schema/schema-problems.ts';
import type { NodeScope } from '../run-scope.ts';
import type { NodeJob } from './node-job.ts';
import { problemsError } from './prepare-node.ts';

/** Returns a node's output for later nodes, the log and a resumed run: a validated copy without secrets. */
export function outputOf(job: NodeJob, given: JsonValue): JsonValue | Promise<JsonValue> {
  const copy = copyOf(job, given);
  return copy instanceof Promise ? copy.then((made) => shownOutput(job, made)) : shownOutput(job, copy);
}

function shownOutput(job: NodeJob, copy: JsonCopy): JsonValue {
  const { secrets } = job.place.scope.run;
  const output = checkedOutput(job, copy);
  const shown = secrets === undefined ? output : secrets.mask(output);
  return shown === output ? output : deepFreeze(shown);
}

/**
 * Copies an output, because the node may change the original later. Yields to other work while copying a large output.
 * @throws the cancel reason if the run's scope is canceled in the meantime
 */
function copyOf({ place }: NodeJob, value: JsonValue): JsonCopy | Promise<JsonCopy> {
  const { cancel, run } = place.scope;
  return frozenCopyInPieces(value, mostBytesOf(place), async () => {
    if (run.breather.isDue()) await run.breather.rest();
    if (cancel.reason !== undefined) throw cancel.reason;
  });
}

function mostBytesOf({ scope }: NodeScope): number {
  return scope.run.policy.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES;
}

/** A type that was not written in TypeScript may return any value, and many schemas accept anything. */
function checkedOutput({ node, prepared, place }: NodeJob, copy: JsonCopy): JsonValue {
  const maxOutputBytes = mostBytesOf(place);
  if (!copy.ok && copy.problem.isTooLong === true)
    throw outputTooLarge(`The output of node "${node.id}"`, maxOutputBytes);
  if (!copy.ok) throw problemsError(node, 'output', [copy.problem]);
  if (acceptorOf(prepared.nodeType.outputSchema)(copy.value)) return copy.value;
  const checked = checkAgainst(prepared.nodeType.outputSchema, copy.value);
  if (!checked.ok) throw problemsError(node, 'output', checked.problems);
  // `defineNodeType` requires a schema for JSON.
  return deepFreeze(checked.value as JsonValue);
}
