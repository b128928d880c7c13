/**
 * One trigger: its settings, its times and its firings.
 */
import { Info, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { TriggerDoc } from '../../../engine/isomorphic.ts';
import { text as cardText } from '../../card/trigger/text.ts';
import { TriggerTile } from '../../card/trigger/trigger-tile.tsx';
import { kindText, lockReason } from '../../card/trigger/trigger-words.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { type SettledFlow, useOpenFile } from '../../stores/use-flow.ts';
import type { ListedFiring, ListedTrigger } from '../../stores/workspace/triggers.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TabSet } from '../../ui/tab-set.tsx';
import { FlowFormScope, readOnlyReason } from '../flow-form-scope.tsx';
import { text as inspectorText } from '../text.ts';
import { text } from './text.ts';
import { FiringList } from './trigger-firings.tsx';
import { TriggerForm } from './trigger-form.tsx';
import { LastWeek, NextTimes } from './trigger-times.tsx';
import './triggers.css';

type TriggerTab = 'configure' | 'firings' | 'yaml';

interface TriggerInspectorProps {
  readonly flow: SettledFlow;
  readonly id: string;
}

const noFirings: readonly ListedFiring[] = [];

export function TriggerInspector({ flow, id }: TriggerInspectorProps) {
  const { triggers, runHistory } = useStores();
  const { doc, path } = flow;
  const [tab, setTab] = useState<TriggerTab>('configure');
  const entry = useStore(triggers, ({ entries }) => entries.find((one) => one.flow === path && one.trigger === id));
  const all = useStore(triggers, (state) => state.firings.get(path)) ?? noFirings;
  useEffect(() => triggers.getState().watch(path), [triggers, path]);
  useEffect(() => runHistory.getState().watch(path), [runHistory, path]);
  const trigger = doc?.flow.triggers?.find((one) => one.id === id);
  if (doc === null || trigger === undefined) {
    return (
      <EmptyState icon={<SearchX aria-hidden size={20} />} title={text.unknown({ name: id })}>
        {text.unknownNote}
      </EmptyState>
    );
  }
  const firings = all.filter((firing) => firing.trigger === id);
  const reason = readOnlyReason(flow);
  return (
    <FlowFormScope flow={flow} nodeId={null}>
      <TriggerHeader path={path} trigger={trigger} entry={entry} isCurrent={!flow.isOldVersion} />
      <TabSet<TriggerTab>
        label={text.tabs}
        className="inspector-tabs"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'configure',
            text: text.configure,
            content: (
              <div className="inspector-body">
                {reason === null ? null : <p className="inspector-note">{reason}</p>}
                <TriggerForm path={path} trigger={trigger} flow={doc} />
                {trigger.schedule === undefined ? null : <NextTimes schedule={trigger.schedule} />}
                <LastWeek schedule={trigger.schedule} firings={firings} />
                <StateNote path={path} entry={entry} />
                {reason === null ? <DeleteButton path={path} id={id} /> : null}
              </div>
            ),
          },
          {
            value: 'firings',
            text: text.firings,
            count: firings.length === 0 ? undefined : firings.length,
            content: <FiringList path={path} firings={firings} isOn={entry?.state === 'on'} />,
          },
          { value: 'yaml', text: text.yaml, content: <YamlTab path={path} id={id} /> },
        ]}
      />
    </FlowFormScope>
  );
}

interface TriggerHeaderProps {
  readonly path: string;
  readonly trigger: TriggerDoc;
  readonly entry: ListedTrigger | undefined;
  readonly isCurrent: boolean;
}

function TriggerHeader({ path, trigger, entry, isCurrent }: TriggerHeaderProps) {
  const { triggers, selection } = useStores();
  const { id } = trigger;
  const kind = kindText(trigger);
  const lines = useTriggerLines(path, id);
  const isChanged = entry?.state === 'changed' && entry.problem === undefined;
  const switchTo = (isOn: boolean): void => void triggers.getState().switchTrigger(path, id, isOn);
  return (
    <header className="inspector-top">
      <div className="inspector-title">
        <TriggerTile trigger={trigger} />
        <span className="inspector-naming">
          <h2 className="inspector-name" title={id}>
            {id}
          </h2>
        </span>
        {isChanged ? (
          <Button size="small" onClick={() => switchTo(true)}>
            {text.confirm}
          </Button>
        ) : null}
        <Switch
          aria-label={text.isOn}
          checked={entry !== undefined && entry.state !== 'off'}
          disabled={!isCurrent || lockReason(entry) !== undefined}
          onCheckedChange={switchTo}
        />
      </div>
      <div className="inspector-crumb">
        <span>{kind === '' ? text.noKind : text.crumb({ kind })}</span>
        {lines === null ? null : (
          <button
            type="button"
            className="inspector-line-link"
            onClick={() => selection.getState().revealText(path, { line: lines.first, column: 1 })}
          >
            {inspectorText.node.line({ line: lines.first })}
          </button>
        )}
      </div>
    </header>
  );
}

function DeleteButton({ path, id }: { readonly path: string; readonly id: string }) {
  const { edits, selection } = useStores();
  return (
    <div>
      <Button
        variant="danger"
        onClick={() => {
          selection.getState().selectNode(path, null);
          void edits.change(path, { do: 'set-trigger', id, path: [], value: undefined });
        }}
      >
        {text.delete}
      </Button>
    </div>
  );
}

/** Says what has to happen until runs start. */
function StateNote({ path, entry }: { readonly path: string; readonly entry: ListedTrigger | undefined }) {
  const { background, preferences } = useStores();
  const isBroken = useOpenFile(path)?.diagnostics.some(({ severity }) => severity === 'error') === true;
  const isServed = useStore(background, ({ known }) => known?.isOn === true);
  const needsTrust = entry?.needsTrust === true;
  // The problems themselves are in the window. The engine says how to list them on the command line.
  const problem = isBroken && entry?.problem !== undefined ? text.note.broken : entry?.problem;
  const note = needsTrust ? cardText.needsTrust : (problem ?? text.note[entry?.state ?? 'off']);
  return (
    <p className="trigger-note">
      <Info aria-hidden size={14} />
      <span>
        {note} {entry?.state === 'on' && !isServed ? text.note.serve : ''}
      </span>
      {needsTrust ? (
        <Button size="small" onClick={() => preferences.getState().open('trust')}>
          {cardText.footer.trust}
        </Button>
      ) : null}
    </p>
  );
}

/** Lines of a trigger in the text, from 1; null if they are not found, as in unusual YAML. */
interface TriggerLines {
  readonly first: number;
  readonly text: string;
}

function useTriggerLines(path: string, id: string): TriggerLines | null {
  const source = useOpenFile(path)?.text ?? '';
  return linesOf(source, id);
}

/** Finds the item of the list `triggers` that has the ID. */
export function linesOf(source: string, id: string): TriggerLines | null {
  const lines = source.split(/\r?\n/);
  const start = lines.findIndex((line) => /^\s+(?:["']?triggers["']?)\s*:/.test(line));
  if (start === -1) return null;
  const isId = new RegExp(`(?:^|[\\s{,-])["']?id["']?\\s*:\\s*["']?${id}["']?\\s*(?:[,}#]|$)`);
  const found = lines.findIndex((line, index) => index >= start && isId.test(line));
  if (found === -1) return null;
  let first = found;
  while (first > start && !/^\s*- /.test(lines[first] ?? '')) first--;
  const indent = /^\s*/.exec(lines[first] ?? '')?.[0].length ?? 0;
  let end = first + 1;
  while (
    end < lines.length &&
    /^\s*/.exec(lines[end] ?? '')?.[0].length !== undefined &&
    isBelow(lines[end] ?? '', indent)
  )
    end++;
  return { first: first + 1, text: lines.slice(first, end).join('\n') };
}

function isBelow(line: string, indent: number): boolean {
  const own = /^\s*/.exec(line)?.[0].length ?? 0;
  return line.trim() !== '' && own > indent;
}

function YamlTab({ path, id }: { readonly path: string; readonly id: string }) {
  const { selection } = useStores();
  const lines = useTriggerLines(path, id);
  if (lines === null) return <p className="inspector-note inspector-body">{inspectorText.node.notInText}</p>;
  return (
    <div className="inspector-body">
      <pre className="inspector-yaml" data-selectable>
        {lines.text}
      </pre>
      <Button
        size="small"
        className="inspector-yaml-edit"
        onClick={() => selection.getState().revealText(path, { line: lines.first, column: 1 })}
      >
        {text.editText}
      </Button>
    </div>
  );
}
