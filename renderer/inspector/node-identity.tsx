/**
 * A node's ID and description.
 */
import { createContext, use, useRef, useState } from 'react';
import { type FlowDoc, isStepId, type NodeDoc, nodeIdPattern, reservedNodeIds } from '../../engine/isomorphic.ts';
import { isStepFlow } from '../stores/flow/step-lane.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { Field, TextInput } from '../ui/field.tsx';
import { FieldRow } from './fields/field-row.tsx';
import { plainField } from './fields/form-fields.ts';
import { type ChangeValue, useFormScope } from './fields/form-scope.tsx';
import { useSettledProblems } from './fields/use-settled-problems.ts';
import { text } from './text.ts';

interface Rename {
  readonly from: string;
  readonly to: string;
}

/** Called before a rename, so that the form of the node stays on screen with its focus and the typed text. */
export const RenameContext = createContext<(rename: Rename) => void>(() => {});

interface FollowedNode {
  readonly nodeId: string;
  /** A key for the node that does not change when it is renamed. */
  readonly key: number;
  readonly onRename: (rename: Rename) => void;
}

/**
 * Returns the node for a selected ID. Between a rename and the selection of the new ID, returns the node with the new
 * ID.
 */
export function useFollowedNode(selectedId: string, doc: FlowDoc | null): FollowedNode {
  const [rename, setRename] = useState<Rename | null>(null);
  const keys = useRef(new Map<string, number>());
  const next = useRef(0);
  const has = (id: string): boolean => doc?.nodes.some((node) => node.id === id) === true;
  const isRenamed = rename?.from === selectedId && !has(rename.from) && has(rename.to);
  const nodeId = isRenamed ? rename.to : selectedId;
  const keyOf = (id: string): number => {
    const key = keys.current.get(id) ?? next.current++;
    keys.current.set(id, key);
    return key;
  };
  return {
    nodeId,
    key: keyOf(nodeId),
    onRename(made) {
      const key = keyOf(made.from);
      keys.current.set(made.to, key);
      setRename(made);
    },
  };
}

/** Returns why a node cannot have this ID, or undefined if it can. */
function idProblem(id: string, ownId: string, doc: FlowDoc | null): string | undefined {
  const isTaken = id !== ownId && doc?.nodes.some((node) => node.id === id) === true;
  if (isStepFlow(doc)) {
    if (!isStepId(id)) return text.identity.badStepId;
    return isTaken ? text.identity.stepExists({ name: id }) : undefined;
  }
  if (!nodeIdPattern.test(id)) return text.identity.badNodeId;
  if (reservedNodeIds.has(id)) return text.identity.reserved({ name: id });
  return isTaken ? text.identity.nodeExists({ name: id }) : undefined;
}

/** The ID field. Enter and leaving the field rename the node everywhere in the file. Escape restores the old ID. */
function IdField({ flow, id }: { flow: SettledFlow; id: string }) {
  const { edits, selection } = useStores();
  const { isDisabled } = useFormScope();
  const onRename = use(RenameContext);
  const [typed, setTyped] = useState<string | null>(null);
  const problem = typed === null ? undefined : idProblem(typed, id, flow.doc);
  const { shown, handlers } = useSettledProblems(problem === undefined ? [] : [problem]);
  const rename = async (): Promise<void> => {
    if (typed === null || problem !== undefined) return;
    if (typed === id) {
      setTyped(null);
      return;
    }
    onRename({ from: id, to: typed });
    if (await edits.change(flow.path, { do: 'rename', id, to: typed })) {
      setTyped(null);
      selection.getState().selectNode(flow.path, typed);
    }
  };
  return (
    <div {...handlers}>
      <Field label={text.identity.id} problem={shown[0]}>
        {(control) => (
          <TextInput
            {...control}
            disabled={isDisabled}
            value={typed ?? id}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={() => void rename()}
            onKeyDown={(event) => {
              if (event.key === 'Enter') void rename();
              if (event.key !== 'Escape' || typed === null) return;
              event.preventDefault();
              setTyped(null);
            }}
          />
        )}
      </Field>
    </div>
  );
}

const aboutField = plainField('description', 'long-text', { label: text.identity.description });

interface NodeIdentityProps {
  readonly flow: SettledFlow;
  readonly node: NodeDoc;
  /** Returns the setter of a key of the node. */
  readonly changeOf: (key: string) => ChangeValue;
}

export function NodeIdentity({ flow, node, changeOf }: NodeIdentityProps) {
  return (
    <div className="form-fields">
      <IdField flow={flow} id={node.id} />
      {isStepFlow(flow.doc) ? null : (
        <FieldRow field={aboutField} value={node.description} onChange={changeOf('description')} />
      )}
    </div>
  );
}
