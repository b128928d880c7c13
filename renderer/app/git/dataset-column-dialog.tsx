/**
 * Asks for the version or the model of a column in the table of a dataset.
 */
import { Cpu } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type RunSummary, runVersion } from '../../../engine/isomorphic.ts';
import { text as caseText } from '../../case-view/text.ts';
import { type ShownDataset, useDataset, versionText } from '../../case-view/use-dataset.ts';
import { datasetOf } from '../../stores/cases/datasets.ts';
import { modelGroups } from '../../stores/workspace/models.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import { type FoundItem, findItems } from '../quick-pick/find-items.ts';
import { QuickPick } from '../quick-pick/quick-pick.tsx';
import { firstOf, iconOf, itemsOf, type ListedVersions, prefixes, runItems, sectionOf } from './version-items.tsx';

const words = caseText.dataset.pick;

const modelPrefix = 'model ';
/** How many models are listed while nothing is entered. */
const mostModels = 40;
const noVersions: ListedVersions = { branches: [], tags: [], commits: [] };

function modelItem(model: string, detail: string): FoundItem {
  return { id: modelPrefix + model, kind: 'model', title: model, detail };
}

/** Returns the models that the model field of a prompt offers. */
function useModelItems(): readonly FoundItem[] {
  const { stores } = useCommandContext();
  const { models, preferences } = stores;
  const settings = useStore(preferences, (state) => state.models);
  const known = useStore(models, (state) => state.known);
  const listed = useStore(models, (state) => state.listed);
  useEffect(() => {
    void models.getState().refresh();
    void models.getState().lookAround();
  }, [models]);
  return useMemo(
    () =>
      modelGroups(settings, { known, listed }, []).flatMap(({ title, choices }) =>
        choices.map(({ model, detail }) => modelItem(model, detail === '' ? title : detail)),
      ),
    [settings, known, listed],
  );
}

/** How many runs are listed. */
const mostRuns = 200;
/** How many of them are listed while nothing is entered. */
const firstRuns = 10;

interface ListedSources {
  readonly versions: ListedVersions;
  readonly runs: readonly RunSummary[];
}

/** Returns the versions of a flow, none if the workspace is not in Git, and its runs. */
function useListed(path: string | undefined): ListedSources {
  const { stores } = useCommandContext();
  const [listed, setListed] = useState<ListedSources>({ versions: noVersions, runs: [] });
  useEffect(() => {
    if (path === undefined) return;
    let isGone = false;
    const { engine } = stores;
    const take = (part: Partial<ListedSources>): void => {
      if (!isGone) setListed((known) => ({ ...known, ...part }));
    };
    engine.call('listGitVersions', path).then(
      (versions) => take({ versions }),
      () => undefined,
    );
    engine.call('listRuns', { sourcePath: path, limit: mostRuns }).then(
      (runs) => take({ runs: runs as readonly RunSummary[] }),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [path, stores]);
  return listed;
}

/** Returns the run that a text names; undefined if it names none. Runs may not be listed yet, or be too old. */
function typedRun(entered: string): FoundItem | undefined {
  const [digits] = /\d{1,15}$/.exec(entered) ?? [];
  const version = runVersion(Number(digits));
  if (digits === undefined || versionText(version).toLowerCase() !== entered.toLowerCase()) return undefined;
  return { id: prefixes.runs + version, kind: 'version', title: versionText(version), detail: '' };
}

/** Returns what matches the query. What the person has entered can be a model or a version itself. */
function matches(items: readonly FoundItem[], query: string, hasVersions: boolean): readonly FoundItem[] {
  const entered = query.trim();
  const found = findItems(items, entered);
  if (items.some(({ title, words: commit }) => title === entered || commit === entered)) return found;
  const isModel = !hasVersions || entered.includes('::');
  const run = hasVersions ? typedRun(entered) : undefined;
  if (run !== undefined) return found.some(({ id }) => id === run.id) ? found : [...found, run];
  const typed: FoundItem = isModel
    ? modelItem(entered, words.typedModel)
    : { id: prefixes.typed + entered, kind: 'version', title: entered, detail: words.typedVersion };
  return [...found, typed];
}

function sectionIn(item: FoundItem): string | null {
  return item.kind === 'model' ? words.models : sectionOf(item);
}

function icon(item: FoundItem): ReactNode {
  return item.kind === 'model' ? <Cpu aria-hidden size={14} /> : iconOf(item);
}

/** Returns whether a column of this version already uses the model, as its own or as the chosen one. */
function hasModel(table: ShownDataset | undefined, version: string, model: string): boolean {
  return table?.columns.some((one) => (one.version ?? '') === version && one.modelText === model) === true;
}

export function DatasetColumnDialog() {
  const { dialogs, stores } = useCommandContext();
  const version = useStore(dialogs, ({ columnVersion }) => columnVersion);
  const shown = useStore(stores.datasets, (state) => state.shown);
  const files = useStore(stores.cases, (state) => state.files);
  const table = useDataset();
  const models = useModelItems();
  const { versions, runs } = useListed(version === null ? shown?.target : undefined);
  const listed = useMemo(() => itemsOf(versions), [versions]);
  const ran = useMemo(() => runItems(runs), [runs]);
  const first = useMemo(
    () => [...models.slice(0, mostModels), ...firstOf(listed), ...ran.slice(0, firstRuns)],
    [models, listed, ran],
  );
  const find = useCallback(
    (query: string) =>
      matches([...models, ...listed.branches, ...listed.tags, ...listed.commits, ...ran], query, version === null),
    [models, listed, ran, version],
  );
  if (shown === null) return null;
  const dataset = datasetOf(files, shown.key)?.name.split('/').at(-1) ?? '';
  const name = version === null || version === '' ? caseText.dataset.now : versionText(version);
  const pick = (id: string): void => {
    const value = id.slice(id.indexOf(' ') + 1);
    const source = id.startsWith(modelPrefix) ? { model: value } : { version: value };
    if (id.startsWith(modelPrefix) && hasModel(table, version ?? '', value)) {
      stores.notices.getState().add({ tone: 'info', title: caseText.dataset.hasColumn, detail: value });
      return;
    }
    stores.datasets.getState().add(version === null || version === '' ? source : { version, ...source });
  };
  return (
    <QuickPick
      isOpen
      onClose={() => dialogs.getState().close()}
      title={version === null ? words.title({ name: dataset }) : words.titleOf({ version: name })}
      placeholder={version === null ? words.placeholder : words.modelPlaceholder}
      items={first}
      find={find}
      sectionOf={sectionIn}
      iconOf={icon}
      empty={words.empty}
      onPick={pick}
    />
  );
}
