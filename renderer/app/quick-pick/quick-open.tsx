/**
 * Quick open: files, nodes of open flows, models, runs, agents and commands. With a leading `>`, only commands.
 */
import { Command as Palette } from 'cmdk';
import { Bot, BrainCircuit, File, GitBranch, History, Square, SquareTerminal, Workflow } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { asRunId, type NodeDoc, type RunKind, type RunSummary } from '../../../engine/isomorphic.ts';
import { FilesProblem } from '../../inspector/field-editors/name-editors.tsx';
import { modelKeyOf, modelOf } from '../../stores/flow/node-models.ts';
import { allFlows, emptyRunList, maxListedRuns } from '../../stores/runs/history/run-history.ts';
import { shownRunState } from '../../stores/runs/shown-run.ts';
import type { Stores } from '../../stores/stores.ts';
import { useFiles, useStores } from '../../stores/stores-context.tsx';
import { kindOfPath } from '../../stores/text/paths.ts';
import { type Models, modelGroups } from '../../stores/workspace/models.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { shortTimeText } from '../../ui/quantity-text.ts';
import { visualStateLabels } from '../../ui/state-icon.tsx';
import { activeFile, editableFlow } from '../commands/active-file.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import { commands, findCommand, isUsable, runCommand } from '../commands/commands.ts';
import { isMac, keysOf } from '../commands/keymap.ts';
import { focusWhenDrawn, openPath } from '../commands/open-file.ts';
import { printShortcut } from '../commands/shortcut.ts';
import { type FoundItem, fileItem, findItems } from './find-items.ts';
import { text } from './text.ts';
import '../../ui/popup-list.css';
import './quick-open.css';

const icons: Readonly<Record<FoundItem['kind'], ReactNode>> = {
  command: <SquareTerminal aria-hidden size={14} />,
  file: <File aria-hidden size={14} />,
  node: <Square aria-hidden size={14} />,
  agent: <Bot aria-hidden size={14} />,
  model: <BrainCircuit aria-hidden size={14} />,
  run: <History aria-hidden size={14} />,
  version: <GitBranch aria-hidden size={14} />,
};

/** The same icons as in the workspace tree. */
function iconOf({ kind, title }: FoundItem): ReactNode {
  if (kind === 'file' && kindOfPath(title) === 'flow') return <Workflow aria-hidden size={14} />;
  return kind === 'file' && kindOfPath(title) === 'agent' ? icons.agent : icons[kind];
}

function commandItems(context: CommandContext): FoundItem[] {
  const { keys } = context.stores.editorSettings.getState();
  return commands
    .filter((command: Command) => isUsable(command, context))
    .map((command: Command): FoundItem => {
      const [shortcut] = keysOf(command, keys);
      const printed = shortcut === undefined ? undefined : printShortcut(shortcut, isMac);
      return {
        id: `command ${command.id}`,
        kind: 'command',
        title: command.title,
        detail: command.group,
        words: command.words,
        keys: printed,
      };
    });
}

/** Returns the nodes of the open flows, those of the active flow first. */
function nodeItems(context: CommandContext): FoundItem[] {
  const { files, tabs } = context.stores.openFiles.getState();
  const front = activeFile(context)?.path;
  return [...new Set([front, ...tabs])].flatMap((path) => {
    const file = path === undefined ? undefined : files.get(path);
    return (file?.doc?.nodes ?? []).map(({ id, type, name }): FoundItem => {
      const place = path === front ? '' : ` · ${path}`;
      const detail = `${name === undefined ? type : `${id} · ${type}`}${place}`;
      return { id: `node ${JSON.stringify([path, id])}`, kind: 'node', title: name ?? id, detail, words: path };
    });
  });
}

/** Returns the triggers of the open flows. */
function triggerItems({ stores }: CommandContext): FoundItem[] {
  const { files, tabs } = stores.openFiles.getState();
  return tabs.flatMap((path) =>
    (files.get(path)?.doc?.flow.triggers ?? []).map(({ id }): FoundItem => {
      return { id: `trigger ${JSON.stringify([path, id])}`, kind: 'node', title: id, detail: text.trigger({ path }) };
    }),
  );
}

/** The selected node, if a model can be assigned to it. */
function askingNode(context: CommandContext): NodeDoc | undefined {
  const flow = editableFlow(context);
  const node = flow?.doc.nodes.find(({ id }) => id === flow.nodeId);
  return node === undefined || modelKeyOf(node.type) === undefined ? undefined : node;
}

/** Returns the known models, each with the effect of choosing it. */
function modelItems(context: CommandContext, known: Models['known']): FoundItem[] {
  const { models, preferences } = context.stores;
  const { listed } = models.getState();
  const node = askingNode(context);
  const nodes = activeFile(context)?.doc?.nodes ?? [];
  const groups = modelGroups(preferences.getState().models, { known, listed }, []);
  return groups.flatMap(({ title, choices }) =>
    choices.map(({ model, detail }): FoundItem => {
      const users = nodes.filter((one) => modelOf(one) === model).length;
      const about = users > 0 ? text.modelUsed({ count: users }) : text.model({ about: detail || title });
      const shown = node === undefined ? about : text.modelUse({ node: node.id });
      return { id: `model ${model}`, kind: 'model', title: model, detail: shown };
    }),
  );
}

/**
 * Assigns the model to the selected node. Otherwise selects the nodes that use it, or else shows the model settings.
 */
function takeModel(context: CommandContext, model: string): void {
  const { edits, selection, preferences } = context.stores;
  const flow = activeFile(context);
  const node = askingNode(context);
  const key = node === undefined ? undefined : modelKeyOf(node.type);
  const users = (flow?.doc?.nodes ?? []).filter((one) => modelOf(one) === model).map(({ id }) => id);
  if (flow !== undefined && node !== undefined && key !== undefined) {
    void edits.change(flow.path, { do: 'set-node', id: node.id, path: ['config', key], value: model });
  } else if (flow !== undefined && users.length > 0) selection.getState().choose(flow.path, { nodes: users });
  else preferences.getState().open('models');
}

function runItems(runs: readonly RunSummary[]): FoundItem[] {
  return runs.map((run): FoundItem => {
    const state = visualStateLabels[shownRunState(run)];
    const detail = `${state} · ${shortTimeText(run.startedAt, Date.now())} · ${run.sourcePath}`;
    return {
      id: `run ${JSON.stringify([run.sourcePath, run.runId, run.kind])}`,
      kind: 'run',
      title: text.run(run),
      detail,
    };
  });
}

/** Milliseconds without typing before the history is searched. */
const searchPauseMs = 150;

/** Returns the listed runs, and those of the whole history that match the query. */
function useRuns(query: string): readonly RunSummary[] {
  const { runHistory } = useStores();
  const { runs } = useStore(runHistory, ({ lists }) => lists.get(allFlows) ?? emptyRunList);
  const [older, setOlder] = useState<readonly RunSummary[]>([]);
  const hasMore = runs.length >= maxListedRuns && query.trim() !== '' && !query.startsWith('>');
  useEffect(() => {
    if (!hasMore) return;
    let isMeant = true;
    const search = (): void =>
      void runHistory
        .getState()
        .find(query)
        .then((found) => isMeant && setOlder(found));
    const timer = setTimeout(search, searchPauseMs);
    return () => {
      isMeant = false;
      clearTimeout(timer);
    };
  }, [runHistory, query, hasMore]);
  return useMemo(() => {
    const listed = new Set(runs.map(({ runId }) => runId));
    return hasMore ? [...runs, ...older.filter(({ runId }) => !listed.has(runId))] : runs;
  }, [runs, older, hasMore]);
}

function openRun({ runs }: Stores, target: string): void {
  const [path, runId, kind] = JSON.parse(target) as [string, string, RunKind];
  void runs.openRun(path, asRunId(runId), kind);
}

function showNode({ openFiles, selection }: Stores, target: string, isTrigger: boolean): void {
  const [path, id] = JSON.parse(target) as [string, string];
  openFiles.getState().activate(path);
  if (isTrigger) selection.getState().choose(path, { triggers: [id] }, null);
  else selection.getState().selectNode(path, id);
}

/** Returns agents outside the workspace. Those inside are listed as files. */
function packAgentItems({ packs }: Stores): FoundItem[] {
  return packs
    .getState()
    .list.flatMap(({ ref, agents }) =>
      agents.map(({ agent }): FoundItem => ({ id: `agent ${agent}`, kind: 'agent', title: agent, detail: ref })),
    );
}

/** Reloads packs, models and runs each time the dialog opens, as is done for files. */
function useFreshLists(): void {
  const { packs, models, preferences, runHistory } = useStores();
  useEffect(() => {
    void packs.getState().load();
    void models.getState().refresh();
    if (preferences.getState().models === null) void preferences.getState().refresh();
    return runHistory.getState().watch(allFlows);
  }, [packs, models, preferences, runHistory]);
}

function carryOut(context: CommandContext, { id }: FoundItem): void {
  const space = id.indexOf(' ');
  const [kind, target] = [id.slice(0, space), id.slice(space + 1)];
  const { stores } = context;
  if (kind === 'file') void openPath(stores, target);
  if (kind === 'agent') void stores.agents.open(target);
  if (kind === 'node' || kind === 'trigger') showNode(stores, target, kind === 'trigger');
  if (kind === 'model') takeModel(context, target);
  if (kind === 'run') openRun(stores, target);
  const command = kind === 'command' ? findCommand(target) : undefined;
  // By then the dialog is closed and the focus is back in its previous place.
  if (command !== undefined) requestAnimationFrame(() => runCommand(command, context));
}

/** Focuses a node that was chosen, on the canvas or in the text. */
function focusNode(id: string): void {
  const [, name] = JSON.parse(id.slice(id.indexOf(' ') + 1)) as [string, string];
  const place = id.startsWith('trigger') ? 'data-trigger' : 'data-card';
  focusWhenDrawn([`[${place}="${CSS.escape(name)}"]`, '.text-view .monaco-editor textarea'], document.activeElement);
}

interface GoListProps {
  readonly initial: string;
  /** @param node the ID of the item, if a node was chosen */
  readonly onDone: (node: string | null) => void;
}

function GoList({ initial, onDone }: GoListProps) {
  const context = useCommandContext();
  const [query, setQuery] = useState(initial);
  useFreshLists();
  // Open files can be found even if the list is not available.
  const { files: paths } = useFiles();
  const isCommand = query.startsWith('>');
  const tabs = useStore(context.stores.openFiles, (state) => state.tabs);
  const known = useStore(context.stores.models, (state) => state.known);
  const runs = useRuns(query);
  const items = useMemo(() => {
    if (isCommand) return commandItems(context);
    const open = new Set(tabs);
    const files = [...new Set([...tabs, ...(paths ?? [])])].map((path) => fileItem(path, open.has(path)));
    const others = [...packAgentItems(context.stores), ...modelItems(context, known), ...runItems(runs)];
    return [...files, ...nodeItems(context), ...triggerItems(context), ...others, ...commandItems(context)];
  }, [isCommand, context, paths, tabs, known, runs]);
  const found = useMemo(() => findItems(items, query.replace(/^>/, '')), [items, query]);
  return (
    <Palette shouldFilter={false} label={text.label} loop>
      <Palette.Input className="popup-search" placeholder={text.placeholder} value={query} onValueChange={setQuery} />
      <Palette.List className="go-list">
        <Palette.Empty className="go-empty">{isCommand ? text.noCommands : text.nothing}</Palette.Empty>
        {found.map((item) => (
          <Palette.Item
            key={item.id}
            value={item.id}
            className="go-item"
            onSelect={() => {
              onDone(item.kind === 'node' ? item.id : null);
              carryOut(context, item);
            }}
          >
            {iconOf(item)}
            <span className="go-title">{item.title}</span>
            <span className="go-detail">{item.detail}</span>
            {item.keys === undefined ? null : <Kbd keys={item.keys} />}
          </Palette.Item>
        ))}
      </Palette.List>
      <div className="go-problem">
        <FilesProblem />
      </div>
    </Palette>
  );
}

export function QuickOpen() {
  const { dialogs } = useCommandContext();
  const open = useStore(dialogs, (state) => state.open);
  const origin = useRef<Element | null>(null);
  const node = useRef<string | null>(null);
  const isOpen = open === 'go' || open === 'commands';
  const finish = (chosen: string | null): void => {
    node.current = chosen;
    dialogs.getState().close();
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => next || dialogs.getState().close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="go-scrim" />
        <Dialog.Content
          className="go-dialog"
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            origin.current = document.activeElement;
            node.current = null;
            // By default the dialog selects the text, and the first typed letter would replace the `>`.
            event.preventDefault();
            const input = event.currentTarget instanceof Element ? event.currentTarget.querySelector('input') : null;
            input?.focus();
            input?.setSelectionRange(input.value.length, input.value.length);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // The previous focus may be on another node, and would select that.
            if (node.current !== null) focusNode(node.current);
            else if (origin.current instanceof HTMLElement) origin.current.focus();
          }}
        >
          <Dialog.Title className="go-name">{text.title}</Dialog.Title>
          <GoList initial={open === 'commands' ? '>' : ''} onDone={finish} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
