/**
 * Asks for the name of the flow into which the selected nodes are extracted.
 */
import { type FormEvent, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { bodyOwners, type Extraction, type FlowDoc, parseFlow, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { Stores } from '../../stores/stores.ts';
import { folderOf, pathIn } from '../../stores/text/paths.ts';
import { initialFlowView } from '../../stores/window/selection.ts';
import { fileStem, nameProblem } from '../../stores/workspace/file-names.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { withParts } from '../../ui/with-parts.tsx';
import { type EditableFlow, editableFlow } from '../commands/active-file.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import './extract-dialog.css';
import { text } from './text.ts';

const words = text.extract;

export function ExtractDialog() {
  const context = useCommandContext();
  const { dialogs } = context;
  const isOpen = useStore(dialogs, ({ open }) => open === 'extract');
  // The flow at the time the dialog opens.
  const flow = useMemo(() => (isOpen ? editableFlow(context) : undefined), [isOpen, context]);
  const count = flow?.nodeIds.size ?? 0;
  return (
    <Dialog
      isOpen={isOpen && count > 0}
      onClose={() => dialogs.getState().close()}
      title={words.title({ count, node: [...(flow?.nodeIds ?? [])].join() })}
      description={words.description}
    >
      {flow === undefined ? null : <ExtractForm flow={flow} />}
    </Dialog>
  );
}

/** Returns the extraction to perform under a name. */
function extractionOf({ selection }: Stores, { path, nodeIds }: EditableFlow, name: string): Extraction {
  const { chosen } = selection.getState().views.get(path) ?? initialFlowView;
  return { nodes: [...nodeIds], notes: [...chosen.notes], file: `${fileStem(name)}.flow.yaml`, name: name.trim() };
}

/**
 * Returns the suggested name of a flow extracted from some nodes: the title of their group, the name of the single
 * node, or the names of the first and the last.
 */
export function proposedName({ nodes, layout }: FlowDoc, ids: ReadonlySet<string>): string {
  const group = Object.values(layout?.groups ?? {}).find(
    (known) => known.nodes.length === ids.size && known.nodes.every((id) => ids.has(id)),
  );
  if (group !== undefined && group.title.trim() !== '') return group.title.trim();
  const owners = bodyOwners(nodes);
  const outer = nodes.filter(({ id }) => ids.has(id) && !ids.has(owners.get(id) ?? ''));
  const [first, last] = [outer[0], outer.at(-1)].map(
    (node) => node?.name ?? node?.id.replaceAll('_', ' ') ?? words.part,
  );
  if (outer.length <= 1) return first ?? words.part;
  const ends = { first: first ?? words.part, last: last ?? words.part };
  return outer.length === 2 ? words.nameOfTwo(ends) : words.nameOfMany(ends);
}

/**
 * Returns a name that no file beside the flow has. Checks only the files in the tree; the engine rejects other
 * conflicts.
 */
function useFreeName(flow: EditableFlow) {
  const { stores } = useCommandContext();
  const tree = useStore(stores.fileTree);
  const pathOf = (name: string): string => pathIn(folderOf(flow.path), `${fileStem(name)}.flow.yaml`);
  const isTaken = (name: string): boolean => {
    const path = pathOf(name);
    return (
      path === flow.path || tree.folders.get(folderOf(path))?.entries.some((entry) => entry.path === path) === true
    );
  };
  const [name, setName] = useState(() => {
    const wanted = proposedName(flow.doc, flow.nodeIds);
    let free = wanted;
    for (let count = 2; isTaken(free); count++) free = `${wanted} ${count}`;
    return free;
  });
  const path = pathOf(name);
  const plain = fileStem(name) === '' ? words.nameNeedsLetter : nameProblem(fileStem(name));
  const problem = plain ?? (isTaken(name) ? words.nameIsTaken({ path }) : null);
  return { name, setName, path, problem };
}

/** Returns the inputs and outputs of the new flow, or a message if the nodes cannot be extracted. */
function useInterface(flow: EditableFlow): FlowDoc['flow'] | string | null {
  const { stores } = useCommandContext();
  const [found, setFound] = useState<FlowDoc['flow'] | string | null>(null);
  useEffect(() => {
    if (/^products\//.test(flow.path)) {
      setFound(words.inProduct);
      return;
    }
    let isGone = false;
    const show = (next: FlowDoc['flow'] | string | null): void => void (isGone || setFound(next));
    stores.edits.extracted(flow.path, extractionOf(stores, flow, 'x')).then(
      (composed) => show(parseFlow(composed).doc?.flow ?? null),
      (error: unknown) => show(toErrorRecord(error).message),
    );
    return () => {
      isGone = true;
    };
  }, [stores, flow]);
  return found;
}

function ExtractForm({ flow }: { readonly flow: EditableFlow }) {
  const { stores, dialogs } = useCommandContext();
  const { name, setName, path, problem } = useFreeName(flow);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const header = useInterface(flow);
  const close = (): void => dialogs.getState().close();
  if (typeof header === 'string') return <Refusal reason={header} onClose={close} />;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (problem !== null || isBusy || header === null) return;
    setBusy(true);
    try {
      await extract(stores, flow, name);
      close();
    } catch (error) {
      setFailure(toErrorRecord(error).message);
      setBusy(false);
    }
  };
  return (
    <form className="extract-form" onSubmit={(event) => void submit(event)}>
      <div className="extract-fields">
        <Field label={words.name} problem={problem ?? failure ?? undefined}>
          {(control) => (
            <TextInput
              {...control}
              data-first-focus
              value={name}
              onFocus={({ target }) => target.select()}
              onChange={({ target }) => {
                setFailure(null);
                setName(target.value);
              }}
            />
          )}
        </Field>
        <p className="extract-path">{withParts(words.creates, { path: <code>{path}</code> })}</p>
        {header === null ? null : <Crossing header={header} />}
      </div>
      <footer className="extract-actions">
        <Button onClick={close}>{words.cancel}</Button>
        <Button type="submit" variant="primary" disabled={problem !== null || isBusy || header === null}>
          {words.extract}
        </Button>
      </footer>
    </form>
  );
}

/** Extracts the nodes and selects the new node. @throws EngineError if the new file cannot be written */
async function extract(stores: Stores, flow: EditableFlow, name: string): Promise<void> {
  const known = new Set(flow.doc.nodes.map(({ id }) => id));
  const file = await stores.edits.extract(flow.path, extractionOf(stores, flow, name));
  if (file === null) return;
  void stores.fileTree.getState().refresh([file]);
  const nodes = stores.openFiles.getState().files.get(flow.path)?.doc?.nodes ?? [];
  const call = nodes.find(({ id }) => !known.has(id));
  if (call !== undefined) stores.selection.getState().selectNode(flow.path, call.id);
}

function Crossing({ header: { input = {}, inputs = {}, outputs = {} } }: { readonly header: FlowDoc['flow'] }) {
  return (
    <dl className="extract-crossing">
      <Names label={words.inputs} names={[...new Set([...Object.keys(inputs), ...Object.keys(input)])]} />
      <Names label={words.outputs} names={Object.keys(outputs)} />
    </dl>
  );
}

const mostNames = 12;

function Names({ label, names }: { readonly label: string; readonly names: readonly string[] }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {names.length === 0 ? words.none : null}
        {names.slice(0, mostNames).map((name) => (
          <code key={name}>{name}</code>
        ))}
        {names.length > mostNames ? ` ${words.more({ count: names.length - mostNames })}` : null}
      </dd>
    </>
  );
}

function Refusal({ reason, onClose }: { readonly reason: string; readonly onClose: () => void }) {
  return (
    <div className="extract-form">
      <p className="extract-refusal" role="alert" data-selectable>
        {reason}
      </p>
      <footer className="extract-actions">
        <Button variant="primary" onClick={onClose}>
          {words.close}
        </Button>
      </footer>
    </div>
  );
}
