/**
 * What a person has changed of a node in a run.
 */
import { isValueHandle, type JsonValue, type NodeState } from '../../../engine/isomorphic.ts';
import { text } from './text.ts';
import { changeText, ValueChange } from './value-change.tsx';

const words = text.changed;

interface ChangedProps {
  readonly note: string;
  readonly before: JsonValue | undefined;
  readonly now: JsonValue | undefined;
}

/** Who has changed a value, and what it was before. Values that are stored separately are not compared. */
function Changed({ note, before, now }: ChangedProps) {
  const isCompared = before !== undefined && before !== null && !isValueHandle(before) && !isValueHandle(now);
  return (
    <>
      <p className="inspector-reused">{note}</p>
      {isCompared ? (
        <details className="changed-value">
          <summary>{words.compare}</summary>
          <ValueChange
            change={{ field: '', before: changeText(before), now: changeText(now) }}
            titles={{ before: words.before, now: words.now }}
          />
        </details>
      ) : null}
    </>
  );
}

/** Who has edited the input of a node. Renders nothing if nobody has. */
export function EditedInput({ nodeState }: { readonly nodeState: NodeState | undefined }) {
  if (nodeState?.edited === undefined) return null;
  const { by, before } = nodeState.edited;
  const note = by === undefined ? words.inputEdited : words.inputEditedBy({ name: by });
  return <Changed note={note} before={before} now={nodeState.input} />;
}

/** Who has given a node its output. Renders nothing if nobody has. */
export function GivenOutput({ nodeState }: { readonly nodeState: NodeState | undefined }) {
  if (nodeState?.given === undefined) return null;
  const { by, before } = nodeState.given;
  const { outputGiven, outputGivenBy, outputChanged, outputChangedBy } = words;
  const isChange = before !== undefined;
  const plain = isChange ? outputChanged : outputGiven;
  const note = by === undefined ? plain : (isChange ? outputChangedBy : outputGivenBy)({ name: by });
  return <Changed note={note} before={before} now={nodeState.output} />;
}
