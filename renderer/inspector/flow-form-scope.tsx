/**
 * Provides the fields of a form with information about their flow.
 */
import { type ReactNode, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import {
  type CalledInterface,
  calledFileOf,
  type FlowDoc,
  interfaceOf,
  isJsonList,
  isJsonMap,
  type JsonValue,
  type NodeDoc,
  parsePath,
  type SchemaFiles,
} from '../../engine/isomorphic.ts';
import { bindingCandidates, bindingFlowOf, stepsOf } from '../stores/flow/binding-candidates.ts';
import type { BindingPlace } from '../stores/flow/binding-places.ts';
import { fieldScopeCandidates } from '../stores/flow/field-sights.ts';
import { nodeTypes } from '../stores/flow/node-types.ts';
import { stepCandidates } from '../stores/flow/step-candidates.ts';
import { isStepFlow } from '../stores/flow/step-lane.ts';
import { createValueSchemas, schemaAt } from '../stores/flow/value-schemas.ts';
import { selectShownRun } from '../stores/runs/shown-run.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import type { CodeMark, CodeName } from '../ui/code-field.ts';
import { type FormScope, FormScopeContext } from './fields/form-scope.tsx';
import { text } from './text.ts';

/** Maximum length of a value shown on one line. */
const longestHint = 80;

const noMarks: readonly CodeMark[] = [];

interface FlowFormScopeProps {
  readonly flow: SettledFlow;
  /** The node that is edited. Null if there is none, in which case bindings may refer to all nodes. */
  readonly nodeId: string | null;
  /** Markers in the code of the node. */
  readonly codeMarks?: readonly CodeMark[];
  /** For the form of an edge: the node where it starts. */
  readonly edgeFrom?: string;
  readonly children: ReactNode;
}

export function FlowFormScope({ flow, nodeId, edgeFrom, codeMarks = noMarks, children }: FlowFormScopeProps) {
  const { liveRuns, notices, pastedRequests, edits } = useStores();
  const secrets = useSecretNames(flow.doc?.nodes.find(({ id }) => id === nodeId)?.type);
  const { doc, nesting, path, schemas: files } = flow;
  const isDisabled = readOnlyReason(flow) !== null;
  const bindings = useMemo(() => {
    if (doc === null) return () => [];
    return isStepFlow(doc)
      ? stepCandidates(doc, nodeId)
      : bindingCandidates(doc, placeOf(nodeId, edgeFrom), nodeTypes, { files, secrets });
  }, [doc, nodeId, edgeFrom, files, secrets]);
  const scope = useMemo(
    (): FormScope => ({
      isDisabled,
      sees: undefined,
      candidates({ sees, ...wish }) {
        if (sees === undefined || isStepFlow(doc) || nodeId === null || doc === null) return bindings(wish.begun);
        return fieldScopeCandidates(doc, nodeId, { sees, ...wish, catalog: nodeTypes });
      },
      listed: (doc?.nodes ?? []).flatMap(({ id, name }) => {
        const owner = nesting.ownerOf.get(id);
        const whyNot = owner === undefined || owner === nodeId ? undefined : text.form.alreadyInLoop({ loop: owner });
        return id === nodeId ? [] : [{ id, name, whyNot }];
      }),
      models: modelsOf(doc?.nodes ?? []),
      filePath: path,
      called: calledBy(doc, nodeId, files),
      lastValue(name) {
        const run = selectShownRun(liveRuns.getState(), path)?.state;
        if (run === undefined) return undefined;
        const [root = '', ...rest] = parsePath(name) ?? [];
        const isInput = root === 'flow' && rest[0] === 'input';
        const value = isInput ? valueIn(run.inputs, rest.slice(1)) : valueIn(run.nodes.get(root)?.output, rest);
        return value === undefined ? undefined : JSON.stringify(value).slice(0, longestHint);
      },
      takeCommand: (pasted) =>
        nodeId !== null &&
        pastedRequests
          .getState()
          .take(pasted, doc, (value) => edits.change(path, { do: 'set-node', id: nodeId, path: ['input'], value })),
      code: {
        marks: codeMarks,
        inputNames: (names) => inputNamesOf(doc, nodeId, names),
        undo: () => void edits.undo(path),
        redo: () => void edits.redo(path),
      },
      onLost: (draft) =>
        notices.getState().add({
          tone: 'error',
          title: text.form.lost,
          detail: text.form.lostNote({ draft }),
        }),
    }),
    [doc, nesting, nodeId, path, files, isDisabled, bindings, codeMarks, liveRuns, notices, pastedRequests, edits],
  );
  return <FormScopeContext value={scope}>{children}</FormScopeContext>;
}

/**
 * Returns the names of known secrets. Read again for each node that uses some, because files and the environment can
 * change without notice.
 */
function useSecretNames(type: string | undefined): readonly string[] | undefined {
  const { secrets } = useStores();
  const rows = useStore(secrets, (state) => state.rows);
  const takesSecrets = type !== undefined && nodeTypes.get(type)?.secretFields !== undefined;
  useEffect(() => {
    if (takesSecrets) void secrets.getState().list();
  }, [takesSecrets, secrets]);
  return useMemo(() => rows?.map(({ name }) => name), [rows]);
}

/** Returns the interface of the flow that a node calls. Undefined while that flow is not known. */
function calledBy(doc: FlowDoc | null, nodeId: string | null, files: SchemaFiles): CalledInterface | undefined {
  const node = doc?.nodes.find(({ id }) => id === nodeId);
  const file = node === undefined ? undefined : calledFileOf(node, files);
  return file !== undefined && 'flow' in file ? interfaceOf(file.flow) : undefined;
}

/** Returns the fields of the bound inputs of a node. */
function inputNamesOf(doc: FlowDoc | null, nodeId: string | null, names: readonly string[]): readonly CodeName[] {
  if (doc === null || nodeId === null) return [];
  const flow = bindingFlowOf(doc);
  const node = flow.nodes.find(({ id }) => id === nodeId);
  if (node === undefined) return [];
  const schema = createValueSchemas(flow, nodeTypes).of(node.input, nodeId);
  return stepsOf(schemaAt(schema, names)).filter(({ name }) => !/^\d/.test(name));
}

function placeOf(nodeId: string | null, edgeFrom: string | undefined): BindingPlace {
  if (edgeFrom !== undefined) return { edgeFrom };
  return nodeId === null ? null : { node: nodeId };
}

function modelsOf(nodes: readonly NodeDoc[]): readonly string[] {
  const models = nodes.map(({ config }) => config?.['model']);
  return [...new Set(models.filter((model) => typeof model === 'string' && model !== ''))] as string[];
}

function valueIn(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const key of path) {
    if (found === undefined || found === null) return undefined;
    if (isJsonList(found)) found = found[Number(key)];
    else found = isJsonMap(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

/** Returns why the forms of a flow cannot be used, or null if they can. */
export function readOnlyReason({ isOldVersion, readOnlyReason: reason, isDocStale, doc }: SettledFlow): string | null {
  if (isOldVersion) return text.form.oldVersion;
  if (reason !== null) return reason;
  if (isDocStale || doc === null) return text.form.invalidFlow;
  return null;
}
