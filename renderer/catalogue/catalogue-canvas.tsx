/**
 * The canvas of a conversation catalog: intents, their flows, and the policies of the flows.
 */
import { MessagesSquare, Plus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { type CatalogueDoc, type FlowTypeDoc, isCatalogueName } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import { openCalledFlow, pathTo } from '../stores/text/called-flows.ts';
import { type SettledFlow, useSelection } from '../stores/use-flow.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { NameField } from '../ui/name-field.tsx';
import { moveRovingFocus } from '../ui/roving-focus.ts';
import { readOnlyReason, useCatalogueActions } from './catalogue-actions.ts';
import { type Lane, lanesOf, policyOf, problemsByFlow } from './catalogue-lanes.ts';
import { FlowTypeCard, PolicyCard } from './flow-type-card.tsx';
import { text } from './text.ts';
import { useZoom } from './use-zoom.ts';
import './catalogue-canvas.css';

interface CatalogueCanvasProps {
  readonly file: SettledFlow;
  /** Renders the toolbar. */
  readonly bar: (zoomPercent: number) => ReactNode;
  /** Opens a workspace file. */
  readonly openFile: (path: string) => void;
}

export function CatalogueCanvas({ file, bar, openFile }: CatalogueCanvasProps) {
  const { catalogue } = file;
  const { zoom, frame, sheet } = useZoom(file.path);
  if (catalogue === null) {
    return (
      <div className="catalogue-canvas">
        <EmptyState icon={<MessagesSquare aria-hidden size={20} />} title={text.canvas.invalid}>
          {text.canvas.invalidNote}
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="catalogue-canvas" data-keys="canvas">
      <div ref={frame} className="catalogue-frame">
        <div ref={sheet} style={{ zoom }}>
          <Lanes file={file} catalogue={catalogue} openFile={openFile} />
        </div>
      </div>
      <div className="catalogue-foot">{bar(Math.round(zoom * 100))}</div>
    </div>
  );
}

interface LanesProps extends Omit<CatalogueCanvasProps, 'bar'> {
  readonly catalogue: CatalogueDoc;
}

function Lanes({ file, catalogue, openFile }: LanesProps) {
  const { path, diagnostics, nodeRanges } = file;
  const { selection } = useStores();
  const { nodeId, chosen } = useSelection(path);
  const actions = useCatalogueActions(path);
  const [renamed, setRenamed] = useState<string | null>(null);
  const isLocked = readOnlyReason(file) !== null;
  const lanes = useMemo(() => lanesOf(catalogue), [catalogue]);
  const problems = useMemo(() => problemsByFlow(diagnostics, nodeRanges), [diagnostics, nodeRanges]);
  const flows = lanes.flatMap((lane) => lane.flows);
  const tabStop = flows.find(({ name }) => name === nodeId)?.name ?? flows[0]?.name;

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    moveRovingFocus(event);
    const flow = event.target instanceof HTMLElement ? event.target.dataset['flow'] : undefined;
    if (flow === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = cardKeys[event.key];
    if (act === undefined || (isLocked && act !== 'inspect')) return;
    event.preventDefault();
    if (act === 'rename') setRenamed(flow);
    else if (act === 'remove') void actions.remove(catalogue, flow).then(() => focusCard(path, selection));
    else document.querySelector('.catalogue-inspector')?.querySelector<HTMLElement>('input,textarea')?.focus();
  };
  const finish = (flow: string, name: string | null): void => {
    setRenamed(null);
    const made = name === null ? Promise.resolve(true) : actions.rename(flow, name);
    void made.then(() => focusCard(path, selection));
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the cards in it
    <div className="catalogue-lanes" data-stale={file.isDocStale} onKeyDown={onKeyDown}>
      {lanes.map((lane) => (
        <LaneView
          key={lane.intent}
          {...lane}
          isSelected={nodeId === null && chosen.groups.has(lane.intent)}
          isLocked={isLocked}
          onSelect={() => selection.getState().choose(path, { groups: [lane.intent] }, null)}
          onAdd={() => void actions.add(catalogue, lane.intent, lane.flows.at(-1)?.name)}
        >
          {lane.flows.map((flow, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two flows may have the same name until that is fixed
            <li key={`${flow.name} ${index}`} className="catalogue-row">
              <FlowTypeCard
                flow={flow}
                problem={problems.get(flow.name)}
                isSelected={flow.name === nodeId}
                isTabStop={flow.name === tabStop}
                naming={renamed === flow.name ? nameField(flow.name, catalogue, finish) : null}
                onSelect={() => selection.getState().selectNode(path, flow.name)}
                onRename={() => setRenamed(isLocked ? null : flow.name)}
              />
              <span aria-hidden className="catalogue-wire" />
              <Policy flow={flow} path={path} openFile={openFile} />
            </li>
          ))}
        </LaneView>
      ))}
      {isLocked ? null : (
        <Button className="catalogue-add-intent" size="small" onClick={() => void actions.addIntent(catalogue)}>
          <Plus aria-hidden size={12} />
          {text.canvas.addIntent}
        </Button>
      )}
    </div>
  );
}

const cardKeys: Readonly<Record<string, 'rename' | 'remove' | 'inspect'>> = {
  F2: 'rename',
  Delete: 'remove',
  Backspace: 'remove',
  Enter: 'inspect',
};

/** Moves the focus to the selected card once it is rendered. */
function focusCard(path: string, selection: ReturnType<typeof useStores>['selection']): void {
  requestAnimationFrame(() => {
    const name = selection.getState().views.get(path)?.nodeId;
    const cards = [...document.querySelectorAll<HTMLElement>('.catalogue-lanes [data-flow]')];
    cards.find(({ dataset }) => dataset['flow'] === name)?.focus();
  });
}

function nameField(
  flow: string,
  { flows }: CatalogueDoc,
  onDone: (flow: string, name: string | null) => void,
): ReactNode {
  return (
    <NameField
      label={text.canvas.nameOf({ name: flow })}
      value={flow}
      problemOf={(name) => flowNameProblem(name, flows)}
      onDone={(name) => onDone(flow, name)}
    />
  );
}

/** Returns why a flow cannot have this name, or null if the name is valid. */
export function flowNameProblem(name: string, flows: CatalogueDoc['flows']): string | null {
  if (!isCatalogueName(name)) return text.names.invalid;
  return flows.some((flow) => flow.name === name) ? text.canvas.flowExists({ name }) : null;
}

interface PolicyProps extends Pick<LanesProps, 'openFile'> {
  readonly flow: FlowTypeDoc;
  readonly path: string;
}

function Policy({ flow, path, openFile }: PolicyProps) {
  const { agents, openFiles, notices } = useStores();
  const { kind, name } = policyOf(flow.policy);
  const open = {
    builtin: undefined,
    agent: () => void agents.open(name),
    flow: () => void openCalledFlow({ openFiles, notices }, path, name),
    skill: () => openFile(`${pathTo(path, name)}/SKILL.md`),
  }[kind];
  return <PolicyCard flow={flow} onOpen={open} />;
}

interface LaneViewProps extends Lane {
  readonly isSelected: boolean;
  readonly isLocked: boolean;
  readonly onSelect: () => void;
  readonly onAdd: () => void;
  readonly children: ReactNode;
}

function LaneView({ intent, hooks, flows, isSelected, isLocked, onSelect, onAdd, children }: LaneViewProps) {
  return (
    <section className="catalogue-lane" aria-label={text.canvas.intent({ name: intent })}>
      <div className="catalogue-intent" data-selected={isSelected}>
        <button
          type="button"
          className="catalogue-intent-name"
          aria-pressed={isSelected}
          title={intent}
          onClick={onSelect}
        >
          {intent}
        </button>
        <span className="catalogue-intent-count">{text.canvas.flows({ count: flows.length })}</span>
        {hooks.length === 0 ? null : (
          <span className="catalogue-intent-hooks">{text.canvas.hooks({ names: hooks.join(', ') })}</span>
        )}
        {isLocked ? null : (
          <IconButton label={text.canvas.addFlow({ name: intent })} onClick={onAdd}>
            <Plus aria-hidden size={14} />
          </IconButton>
        )}
      </div>
      {flows.length === 0 ? (
        <p className="catalogue-none">{text.canvas.noFlows}</p>
      ) : (
        <ul className="catalogue-rows">{children}</ul>
      )}
    </section>
  );
}
