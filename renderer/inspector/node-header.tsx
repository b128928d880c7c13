/**
 * The header of a node's panel: its name, whether it is enabled, its state, and its line in the text.
 */
import { CircleQuestionMark, Pencil } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { NodeDoc } from '../../engine/isomorphic.ts';
import { isStepFlow } from '../stores/flow/step-lane.ts';
import { nodeDurationMs } from '../stores/runs/live/run-time.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { docsPageOf, openDocs } from '../stores/window/docs.ts';
import { IconButton } from '../ui/button.tsx';
import { NameField } from '../ui/name-field.tsx';
import { NodeTile } from '../ui/node-tile.tsx';
import { durationText } from '../ui/quantity-text.ts';
import { StateIcon, visualStateLabels } from '../ui/state-icon.tsx';
import { Switch } from '../ui/switch.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { readOnlyReason } from './flow-form-scope.tsx';
import type { NodeFacts } from './run/node-facts.ts';
import { text } from './text.ts';

interface NodeNameProps {
  readonly node: NodeDoc;
  readonly isDisabled: boolean;
  readonly onName: (name: string | undefined) => void;
}

/**
 * The name, which can be edited with a double click, F2 or the pencil button. Entering the ID removes the name from the
 * file.
 */
function NodeName({ node, isDisabled, onName }: NodeNameProps) {
  const [isNaming, setIsNaming] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const name = node.name ?? node.id;
  const begin = (): void => setIsNaming(!isDisabled);
  if (isNaming) {
    return (
      <NameField
        label={text.node.nameLabel}
        value={name}
        problemOf={() => null}
        onDone={(next) => {
          setIsNaming(false);
          if (next !== null) onName(next === node.id ? undefined : next);
          requestAnimationFrame(() => pencil.current?.focus());
        }}
      />
    );
  }
  return (
    <span className="inspector-naming">
      <h2 className="inspector-name" title={name} onDoubleClick={begin}>
        {name}
      </h2>
      {isDisabled ? null : (
        <IconButton
          ref={pencil}
          label={text.node.rename}
          onClick={begin}
          onKeyDown={(event) => {
            if (event.key !== 'F2') return;
            event.preventDefault();
            event.stopPropagation();
            begin();
          }}
        >
          <Pencil aria-hidden size={13} />
        </IconButton>
      )}
    </span>
  );
}

/** Opens the documentation of a node's type, if there is any. */
function TypeHelp({ type, isStep }: { type: string; isStep: boolean }) {
  const stores = useStores();
  const page = docsPageOf(type, isStep);
  if (page === null) return null;
  return (
    <IconButton className="inspector-type-help" label={text.node.typeHelp} onClick={() => openDocs(stores, page)}>
      <CircleQuestionMark aria-hidden size={13} />
    </IconButton>
  );
}

interface NodeHeaderProps {
  readonly flow: SettledFlow;
  readonly facts: NodeFacts;
  /** Actions for the node. */
  readonly actions: ReactNode;
}

export function NodeHeader({ flow, facts, actions }: NodeHeaderProps) {
  const { selection, edits } = useStores();
  const { node, spec, state, line, nodeState } = facts;
  const { path } = flow;
  const isDisabled = readOnlyReason(flow) !== null;
  const duration = nodeState === undefined ? undefined : nodeDurationMs(nodeState);
  const set = (key: string, value: string | boolean | undefined): void =>
    void edits.change(path, { do: 'set-node', id: node.id, path: [key], value });
  return (
    <header className="inspector-top">
      <div className="inspector-title">
        <NodeTile category={spec?.category ?? 'flow'} icon={spec?.icon ?? 'unknown'} />
        <NodeName node={node} isDisabled={isDisabled} onName={(name) => set('name', name)} />
        {state === 'idle' ? null : (
          <span className="inspector-state" data-state={state}>
            <StateIcon state={state} isDecorative />
            <span className="inspector-state-word">{visualStateLabels[state]}</span>
          </span>
        )}
        {isStepFlow(flow.doc) ? null : (
          <Tooltip text={text.node.enabled}>
            <Switch
              aria-label={text.node.enabled}
              checked={node.disabled !== true}
              disabled={isDisabled}
              onCheckedChange={(isOn) => set('disabled', isOn ? undefined : true)}
            />
          </Tooltip>
        )}
      </div>
      <div className="inspector-crumb">
        <span>
          {[node.type, ...(node.name === undefined ? [] : [node.id])].join(' · ')}
          {duration === undefined ? '' : ` · ${durationText(duration)}`}
        </span>
        <TypeHelp type={node.type} isStep={isStepFlow(flow.doc)} />
        {line === null ? null : (
          <button
            type="button"
            className="inspector-line-link"
            onClick={() => selection.getState().revealText(path, { line, column: 1 })}
          >
            {text.node.line({ line })}
          </button>
        )}
      </div>
      {actions}
    </header>
  );
}
