/**
 * Which panes of the window are open.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

type PaneName = 'side' | 'inspector' | 'dock';
/** The views of the side panel. `flows` contains the files, with the outline of the active one. */
export const sideViews = ['flows', 'search', 'runs', 'tests', 'waiting', 'packs'] as const;
export type SideView = (typeof sideViews)[number];
/** The tabs of the inspector for a node. */
export type NodeTab = 'compare' | 'changes' | 'configure' | 'input' | 'output' | 'attempts' | 'tools' | 'yaml';
/** The tabs of the dock, in their order. */
export const dockTabs = [
  ...([
    'compare-input',
    'compare-prompt',
    'compare-output',
    'changes',
    'import',
    'checks',
    'timeline',
    'log',
    'outputs',
  ] as const),
  ...(['breakpoints', 'files', 'problems'] as const),
] as const;
export type DockTab = (typeof dockTabs)[number];

interface HeldAnswering {
  /** Full name of the node in the run. */
  readonly place: string;
  readonly kind: 'edit' | 'skip';
}

interface KeptValue {
  readonly value: unknown;
  readonly bytes: number;
  /** What the value is of, such as a node's output in all items of its loop. */
  readonly of: string | undefined;
}

/** Maximum size and number of the loaded values that are kept. The newest is kept in any case. */
const mostKeptBytes = 32_000_000;
const mostKeptValues = 8;

export interface Panes {
  readonly isOpen: Readonly<Record<PaneName, boolean>>;
  readonly sideView: SideView;
  readonly dockTab: DockTab;
  /** The tab that the user selected for nodes. Null to use the most suitable one for each node. */
  readonly nodeTab: NodeTab | null;
  /** Whether the inspector of a node is wide and shows its input, form and output side by side. */
  readonly isInspectorWide: boolean;
  /** The open tool call, by the number of its first event, or null. */
  readonly openCall: number | null;
  /** The views that the user selected for values, by what the value is of. */
  readonly valueViews: ReadonlyMap<string, string>;
  /** Large values that the user has loaded, by their hash, oldest first. */
  readonly loadedValues: ReadonlyMap<string, KeptValue>;
  /** What the user changes about a held node: its input, or its output instead of running it. Null for nothing. */
  readonly answering: HeldAnswering | null;
  toggle(pane: PaneName): void;
  setOpen(pane: PaneName, isOpen: boolean): void;
  /** Shows a side view. Selecting the current view collapses the side panel. */
  chooseSideView(view: SideView): void;
  chooseNodeTab(tab: NodeTab | null): void;
  toggleInspectorWidth(): void;
  chooseValueView(of: string, view: string): void;
  /** Keeps a loaded value, so that it is shown whenever it is selected again. Drops the oldest ones beyond a limit. */
  keepValue(hash: string, loaded: KeptValue): void;
  /** Opens the inspector on a tool call. Null closes the call. */
  showCall(seq: number | null): void;
  /** Opens the inspector on the form for a held node. Null closes the form. */
  answerHeld(answering: HeldAnswering | null): void;
  /** Opens the inspector on the form of a node. */
  showForm(): void;
  /** Opens the dock on a tab. */
  showDock(tab: DockTab): void;
  /** Called when a run starts: opens the dock, unless the user has closed it before. */
  showRun(): void;
}

export function createPanes(): StoreApi<Panes> {
  let wantsDockForRuns = true;
  return createStore<Panes>()((set, get) => ({
    isOpen: { side: true, inspector: true, dock: false },
    sideView: 'flows',
    dockTab: 'timeline',
    nodeTab: null,
    isInspectorWide: false,
    openCall: null,
    valueViews: new Map(),
    loadedValues: new Map(),
    answering: null,
    toggle(pane) {
      get().setOpen(pane, !get().isOpen[pane]);
    },
    setOpen(pane, isOpen) {
      if (pane === 'dock') wantsDockForRuns = isOpen;
      set({ isOpen: { ...get().isOpen, [pane]: isOpen } });
    },
    chooseSideView(view) {
      const isShown = get().isOpen.side && get().sideView === view;
      set({ sideView: view, isOpen: { ...get().isOpen, side: !isShown } });
    },
    chooseNodeTab(nodeTab) {
      set({ nodeTab });
    },
    toggleInspectorWidth() {
      set({ isInspectorWide: !get().isInspectorWide, isOpen: { ...get().isOpen, inspector: true } });
    },
    chooseValueView(of, view) {
      set({ valueViews: new Map(get().valueViews).set(of, view) });
    },
    keepValue(hash, loaded) {
      const kept = new Map(get().loadedValues).set(hash, loaded);
      let bytes = [...kept.values()].reduce((sum, value) => sum + value.bytes, 0);
      for (const [oldest, value] of kept) {
        if ((bytes <= mostKeptBytes && kept.size <= mostKeptValues) || oldest === hash) break;
        kept.delete(oldest);
        bytes -= value.bytes;
      }
      set({ loadedValues: kept });
    },
    showCall(seq) {
      if (seq === null) set({ openCall: null });
      else set({ openCall: seq, nodeTab: 'tools', isOpen: { ...get().isOpen, inspector: true } });
    },
    answerHeld(answering) {
      set({ answering });
      if (answering === null) return;
      get().setOpen('inspector', true);
      set({ nodeTab: answering.kind === 'edit' ? 'input' : 'output' });
    },
    showForm() {
      get().setOpen('inspector', true);
      set({ nodeTab: 'configure' });
    },
    showRun() {
      const { isOpen, dockTab, showDock } = get();
      if (!isOpen.dock && !wantsDockForRuns) return;
      showDock(dockTab === 'problems' ? 'timeline' : dockTab);
    },
    showDock(tab) {
      set({ dockTab: tab, isOpen: { ...get().isOpen, dock: true } });
    },
  }));
}
