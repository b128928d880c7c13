/**
 * The contents of the model list for a query.
 */
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { type ModelGroup, modelGroups, unlistedReason } from '../../stores/workspace/models.ts';
import { useFormScope } from '../fields/form-scope.tsx';
import { text } from './text.ts';

/** Maximum number of options rendered per group. A provider may have thousands of models. */
const maxShown = 50;

/** An option that can be selected. */
export interface PickerOption {
  readonly kind: 'model' | 'anyway' | 'setup';
  /** The model that the option represents. */
  readonly model: string;
  readonly text: string;
  readonly detail: string;
  readonly isWarning?: boolean;
}

export interface PickerGroup {
  readonly title: string;
  readonly options: readonly PickerOption[];
  /** Shown instead of options. */
  readonly empty?: string;
}

function foundIn({ title, note, choices }: ModelGroup, query: string): PickerGroup {
  const wanted = query.toLowerCase();
  // An alias is also found by the model that it represents.
  const found = choices.filter(({ model, detail }) => `${model} ${detail}`.toLowerCase().includes(wanted));
  const shown = found.slice(0, maxShown).map((choice) => ({ ...choice, kind: 'model' as const }));
  const counted =
    wanted === '' || choices.length === found.length
      ? ''
      : text.picker.matches({ count: found.length, total: choices.length });
  const more = found.length > maxShown ? text.picker.first({ count: maxShown, total: found.length }) : '';
  const heading = [title, note, counted, more].filter((part) => part !== '').join(', ');
  return {
    title: heading,
    options: shown,
    ...(found.length === 0 ? { empty: text.picker.noMatches({ count: choices.length }) } : {}),
  };
}

interface PickerLists {
  readonly groups: readonly PickerGroup[];
  /** All options that can be selected, in keyboard order. */
  readonly options: readonly PickerOption[];
  /** Returns whether a name is in one of the lists. */
  has(model: string): boolean;
}

/** Returns the contents of the list for a query. */
export function usePickerLists(query: string): PickerLists {
  const { preferences, models } = useStores();
  const { models: used } = useFormScope();
  const settings = useStore(preferences, (state) => state.models);
  const known = useStore(models, (state) => state.known);
  const listed = useStore(models, (state) => state.listed);
  const all = modelGroups(settings, { known, listed }, used);
  const has = (model: string): boolean => all.some(({ choices }) => choices.some((choice) => choice.model === model));
  const name = query.trim();
  const anyway: PickerOption = {
    ...{ kind: 'anyway', model: name, text: text.picker.useAnyway({ model: name }), isWarning: true },
    detail: unlistedReason(name, settings, { known, listed }) ?? text.picker.unlisted,
  };
  const setup: PickerOption = { kind: 'setup', model: '', text: text.picker.setUp, detail: text.picker.setUpNote };
  const last = { title: '', options: [...(name === '' || has(name) ? [] : [anyway]), setup] };
  const groups = [...all.map((group) => foundIn(group, name)), last];
  return { groups, options: groups.flatMap(({ options }) => options), has };
}
