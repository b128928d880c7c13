/**
 * Which panes of the window are open.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

type PaneName = 'side' | 'inspector' | 'dock';
/** What the side panel can show; `flows` = the files, with the outline of the one in front. */
export const sideViews = ['flows', 'search', 'runs', 'waiting', 'packs'] as const;
export type SideView = (typeof sideViews)[number];
export type DockTab = 'timeline' | 'log' | 'outputs' | 'problems';

export interface Panes {
  readonly isOpen: Readonly<Record<PaneName, boolean>>;
  readonly sideView: SideView;
  readonly dockTab: DockTab;
  toggle(pane: PaneName): void;
  setOpen(pane: PaneName, isOpen: boolean): void;
  /** Shows a side view; choosing the one that is shown folds the side panel. */
  chooseSideView(view: SideView): void;
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
