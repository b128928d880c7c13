/**
 * Which panes of the window are open.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

type PaneName = 'side' | 'inspector' | 'dock';
/** What the side panel can show; `flows` = the files, with the outline of the one in front. */
export const sideViews = ['flows', 'search', 'runs', 'waiting', 'packs'] as const;
export type SideView = (typeof sideViews)[number];
/** What the inspector shows of a node. */
export type NodeTab = 'configure' | 'input' | 'output' | 'attempts' | 'tools' | 'yaml';
export type DockTab = 'timeline' | 'log' | 'outputs' | 'problems';

export interface Panes {
  readonly isOpen: Readonly<Record<PaneName, boolean>>;
  readonly sideView: SideView;
  readonly dockTab: DockTab;
  /** The tab that the person chose for nodes; null = the one that fits each. */
  readonly nodeTab: NodeTab | null;
  /** The call of a tool that is looked at, by the number of its first event; null = none. */
  readonly openCall: number | null;
  toggle(pane: PaneName): void;
  setOpen(pane: PaneName, isOpen: boolean): void;
  /** Shows a side view; choosing the one that is shown folds the side panel. */
  chooseSideView(view: SideView): void;
  chooseNodeTab(tab: NodeTab | null): void;
  /** Opens the inspector on a call of a tool; null = looks at none any more. */
  showCall(seq: number | null): void;
  /** Opens the inspector on the form of a node. */
  showForm(): void;
  /** Opens the dock on a tab. */
  showDock(tab: DockTab): void;
  /** A run began: the dock shows it, unless the person has closed the dock before. */
  showRun(): void;
}

export function createPanes(): StoreApi<Panes> {
  let wantsDockForRuns = true;
  return createStore<Panes>()((set, get) => ({
    isOpen: { side: true, inspector: true, dock: false },
    sideView: 'flows',
    dockTab: 'timeline',
    nodeTab: null,
    openCall: null,
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
    showCall(seq) {
      if (seq === null) set({ openCall: null });
      else set({ openCall: seq, nodeTab: 'tools', isOpen: { ...get().isOpen, inspector: true } });
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
