/**
 * The dataset on screen, and the names of its columns.
 */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { type FlowDoc, runOfVersion } from '../../engine/isomorphic.ts';
import type { CaseEntry } from '../stores/cases/case-list.ts';
import { type DatasetColumn, nowColumn } from '../stores/cases/dataset-columns.ts';
import { columnsOf, datasetOf } from '../stores/cases/datasets.ts';
import { modelOf } from '../stores/flow/node-models.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useOpenFile } from '../stores/use-flow.ts';
import { text } from './text.ts';

const words = text.dataset;

/** A column with the texts that name it. */
export interface NamedColumn extends DatasetColumn {
  /** `Now`, or a branch, tag, short commit or run. */
  readonly versionText: string;
  readonly modelText: string;
  /** Both, for lists and screen readers. */
  readonly name: string;
}

export interface ShownDataset {
  readonly entry: CaseEntry;
  /** Name of the file with the rows. */
  readonly name: string;
  readonly columns: readonly [NamedColumn, ...NamedColumn[]];
}

/** Returns a commit as Git shortens it, a run with its number; branches and tags as they are. */
export function versionText(version: string): string {
  const number = runOfVersion(version);
  if (number !== undefined) return words.run({ number });
  return /^[0-9a-f]{40}$/.test(version) ? version.slice(0, 8) : version;
}

/** Names the models that a flow uses. */
function modelsText(doc: FlowDoc | null | undefined, defaultModel: string | undefined): string {
  if (doc === null || doc === undefined) return words.ownModels;
  const models = new Set(
    doc.nodes.flatMap((node) => modelOf(node) ?? (modelOf(node) === null ? (defaultModel ?? words.defaultModel) : [])),
  );
  const [only] = models;
  if (only === undefined) return words.noModel;
  return models.size === 1 ? only : words.manyModels({ count: models.size });
}

/** Returns the dataset on screen. Undefined if there is none, or if its test file no longer has it. */
export function useDataset(): ShownDataset | undefined {
  const { cases, datasets, models } = useStores();
  const shown = useStore(datasets, (state) => state.shown);
  const added = useStore(datasets, (state) => state.added);
  const files = useStore(cases, (state) => state.files);
  const results = useStore(cases, (state) => state.results);
  const defaultModel = useStore(models, ({ known }) => known?.defaultModel ?? undefined);
  const doc = useOpenFile(shown?.target ?? '')?.doc;
  return useMemo(() => {
    const entry = shown === null ? undefined : datasetOf(files, shown.key);
    if (entry === undefined) return undefined;
    const named = (column: DatasetColumn): NamedColumn => {
      const version = column.version === undefined ? words.now : versionText(column.version);
      const own = column.version === undefined ? modelsText(doc, defaultModel) : words.ownModels;
      const model = column.model ?? own;
      return { ...column, versionText: version, modelText: model, name: words.column({ version, model }) };
    };
    const [first, ...more] = columnsOf(added, entry.key, results);
    const name = entry.name.split('/').at(-1) ?? entry.name;
    return { entry, name, columns: [named(first), ...more.map(named)] as const };
  }, [shown, added, files, results, doc, defaultModel]);
}

/** Returns whether the first column runs unsaved edits. */
export function useIsUnsaved(target: string, { id }: Pick<DatasetColumn, 'id'>): boolean {
  const isDirty = useOpenFile(target)?.isDirty ?? false;
  return id === nowColumn && isDirty;
}
