/**
 * Imports of files of other programs: the dialog, the flows to choose from, and the reports of opened flows.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { EngineError, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import type { OpenFiles } from '../text/files.ts';
import { folderOf, movedKeys, pathIn } from '../text/paths.ts';
import type { WindowNotices } from '../window/notices.ts';
import type { Panes } from '../window/panes.ts';
import { fileStem } from './file-names.ts';
import { text as words } from './text.ts';
import { fileNameOf } from './workspace.ts';

export type ImportedFlow = EngineResult<'importFlows'>[number];
export type ImportLine = ImportedFlow['lines'][number];

/** What became of a file, for one of its flows. */
export interface ImportReport extends Pick<ImportedFlow, 'lines' | 'remarks'> {
  /** Name of the imported file. */
  readonly source: string;
}

/** Several flows in one file, from which the user chooses. */
interface FoundFlows {
  readonly source: string;
  /** Folder for the flows. */
  readonly folder: string;
  readonly flows: readonly ImportedFlow[];
}

export interface Imports {
  /** Whether the dialog is open. */
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly found: FoundFlows | null;
  /** Reports by the path of the flow. */
  readonly reports: ReadonlyMap<string, ImportReport>;
  ask(): void;
  close(): void;
  /**
   * Imports a file and opens its flow as a new one. If there are several, the dialog shows them. Resolves to why it
   * failed, or null.
   * @param folder folder for the flows, relative to the workspace
   */
  read(file: File, folder: string): Promise<string | null>;
  /** Opens flows of `found` by their file names. */
  open(names: ReadonlySet<string>): Promise<void>;
  /** Moves the reports of renamed files. */
  rename(from: string, to: string): void;
}

interface ImportServices {
  readonly engine: EngineClient;
  readonly main: MainClient;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly panes: StoreApi<Panes>;
  readonly notices: StoreApi<WindowNotices>;
}

/** Maximum size of a file in bytes, which also limits its characters. */
const largestFile = 32 * 1024 * 1024;

/** Returns the names in a folder that files, open tabs and unsaved texts use, in lower case. */
async function takenNames({ engine, main, openFiles }: ImportServices, folder: string): Promise<ReadonlySet<string>> {
  const [listed, unsaved] = await Promise.all([
    engine.call('listFolder', folder).then(
      ({ entries }) => entries.map(({ path }) => path),
      // A folder without files, which is created when a flow is saved.
      () => [],
    ),
    main.call('draft.unsaved').then(({ files }) => files.map(({ path }) => path)),
  ]);
  const paths = [...listed, ...unsaved, ...openFiles.getState().tabs];
  return new Set(paths.filter((path) => folderOf(path) === folder).map((path) => fileNameOf(path).toLowerCase()));
}

/** Imports a file under names that are not taken. */
async function importAs(services: ImportServices, file: File, folder: string): Promise<readonly ImportedFlow[]> {
  if (file.size > largestFile) {
    throw new EngineError({ code: 'import.too-large', message: words.imports.tooLarge({ name: file.name }) });
  }
  const [text, taken] = await Promise.all([file.text(), takenNames(services, folder)]);
  const stem = fileStem(file.name.replace(/\.(?:json|rivet-project|rivet-graph)$/i, '')) || 'imported';
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    if (taken.has(`${name}.flow.yaml`)) continue;
    const flows = await services.engine.call('importFlows', { name, text });
    if (!flows.some((flow) => taken.has(flow.file.toLowerCase()))) return flows;
  }
}

/** Opens flows as new ones, the first one in front, with the report of the import. */
async function openFlows(
  { openFiles, panes, notices }: ImportServices,
  { source, folder, flows }: FoundFlows,
): Promise<ReadonlyMap<string, ImportReport>> {
  const reports = new Map<string, ImportReport>();
  for (const { file, text, lines, remarks } of flows) {
    const path = pathIn(folder, file);
    // Another program may have created the file meanwhile. It is then shown as it is.
    if (await openFiles.getState().openNew(path, text)) reports.set(path, { source, lines, remarks });
    else
      notices
        .getState()
        .add({ tone: 'error', title: words.imports.exists({ path }), detail: words.imports.importAgain });
  }
  const [first] = reports.keys();
  if (first !== undefined) openFiles.getState().activate(first);
  panes.getState().showDock('import');
  return reports;
}

export function createImports(services: ImportServices): StoreApi<Imports> {
  return createStore<Imports>()((set, get) => {
    const show = async (found: FoundFlows): Promise<void> => {
      const opened = await openFlows(services, found);
      set({ reports: new Map([...get().reports, ...opened]) });
    };
    return {
      isOpen: false,
      isBusy: false,
      found: null,
      reports: new Map(),
      ask: () => set({ isOpen: true, found: null }),
      close: () => set({ isOpen: false, found: null }),
      async read(file, folder) {
        set({ isBusy: true });
        try {
          const found = { source: file.name, folder, flows: await importAs(services, file, folder) };
          if (found.flows.length > 1) set({ isOpen: true, found });
          else {
            set({ isOpen: false });
            await show(found);
          }
          return null;
        } catch (error) {
          return toErrorRecord(error).message;
        } finally {
          set({ isBusy: false });
        }
      },
      async open(names) {
        const { found, close } = get();
        close();
        if (found !== null) await show({ ...found, flows: found.flows.filter((flow) => names.has(flow.file)) });
      },
      rename: (from, to) => set(({ reports }) => ({ reports: movedKeys(reports, from, to) })),
    };
  });
}
