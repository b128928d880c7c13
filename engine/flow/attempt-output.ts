/**
 * What an attempt gives, as others may see it: checked, of a bounded size, frozen, and without secrets.
 */
import { deepFreeze, frozenCopyInPieces, type JsonCopy } from '../flowspec/checked-json.ts';
import { DEFAULT_OUTPUT_BYTES } from '../flowspec/flow-limits.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { acceptorOf } from '../flowspec/schema-acceptor.ts';
import { checkAgainst } from '../flowspec/schema-problems.ts';
import { outputTooLarge } from '../flowspec/too-large.ts';
import type { NodeJob } from './node-job.ts';
import { problemsError } from './prepare-node.ts';
import type { NodeScope } from './run-scope.ts';

/** Returns the output of a node as others see it: a checked copy without secrets, for later nodes, the log and a resumed run. */
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
 * What a node gives may belong to it: others, and the log, get a copy that cannot change. Other work has turns while a
 * large one is made.
 * @throws the reason of the run's scope when it is cancelled meanwhile
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

/** A type that was not written in TypeScript may give anything at all, and many schemas let anything pass. */
function checkedOutput({ node, prepared, place }: NodeJob, copy: JsonCopy): JsonValue {
  const maxOutputBytes = mostBytesOf(place);
  if (!copy.ok && copy.problem.isTooLong === true) throw outputTooLarge(`What node "${node.id}" gives`, maxOutputBytes);
  if (!copy.ok) throw problemsError(node, 'output', [copy.problem]);
  if (acceptorOf(prepared.nodeType.outputSchema)(copy.value)) return copy.value;
  const checked = checkAgainst(prepared.nodeType.outputSchema, copy.value);
  if (!checked.ok) throw problemsError(node, 'output', checked.problems);
  // The schema is one for JSON: `defineNodeType` demands it.
  return deepFreeze(checked.value as JsonValue);
}
