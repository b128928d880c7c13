/**
 * Selects a model from a list with a search field. A name is written only if it is selected, or confirmed when no list
 * contains it.
 */
import { ChevronDown, Plus, Search, Settings } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { isShortName, modelHint } from '../../stores/workspace/models.ts';
import { Button } from '../../ui/button.tsx';
import type { ControlProps } from '../../ui/field.tsx';
import { useFormScope } from '../fields/form-scope.tsx';
import { type PickerGroup, type PickerOption, usePickerLists } from './model-lists.ts';
import { text } from './text.ts';
import './model-picker.css';

interface ModelPickerProps {
  readonly control: ControlProps;
  /** Undefined if no model is set. */
  readonly value: string | undefined;
  /** Shown while no model is set. */
  readonly placeholder: string;
  readonly onModel: (model: string) => void;
  readonly onSetup: () => void;
}

/** The field: a button that shows the model and opens the list. Typing on it opens the list with the typed text. */
export function ModelPicker({ control, value, placeholder, onModel, onSetup }: ModelPickerProps) {
  const { preferences, models } = useStores();
  const { isDisabled } = useFormScope();
  const settings = useStore(preferences, (state) => state.models);
  /** Initial search text. Null while the list is closed. */
  const [begun, setBegun] = useState<string | null>(null);
  /** A name that was typed but not selected when the field lost the focus. */
  const [left, setLeft] = useState<string | null>(null);
  const field = useRef<HTMLButtonElement>(null);
  const listId = useId();
  const isOpen = begun !== null;
  const open = (query: string): void => {
    setBegun(query);
    setLeft(null);
    if (models.getState().known === null) void models.getState().refresh();
    void models.getState().lookAround();
  };
  const take = (model: string): void => {
    setLeft(null);
    setBegun(null);
    if (model !== value) onModel(model);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isText = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isOpen || (!isText && event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    open(isText ? event.key : '');
  };
  return (
    <div className="model-picker">
      <button
        {...control}
        ref={field}
        type="button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={listId}
        className="field-input select"
        data-unset={value === undefined}
        disabled={isDisabled}
        onMouseDown={(event) => isOpen && event.preventDefault()}
        onClick={() => (isOpen ? setBegun(null) : open(''))}
        onKeyDown={onKeyDown}
      >
        <span className="select-text" title={value}>
          {value ?? placeholder}
        </span>
        <span className="model-hint">{value === undefined ? '' : modelHint(value, settings)}</span>
        <ChevronDown aria-hidden size={14} />
      </button>
      {begun === null ? null : (
        <ModelList
          id={listId}
          begun={begun}
          value={value}
          onTake={(model) => {
            take(model);
            field.current?.focus();
          }}
          onSetup={() => {
            setBegun(null);
            field.current?.focus();
            onSetup();
          }}
          onClose={() => {
            setBegun(null);
            field.current?.focus();
          }}
          onLeave={(query, isListed) => {
            if (isListed) take(query);
            else {
              setBegun(null);
              setLeft(query === '' ? null : query);
            }
          }}
        />
      )}
      {left === null ? null : (
        <p className="model-note" role="status">
          <span>
            {text.picker.notSet({ model: left })}{' '}
            <button type="button" className="inspector-line-link" onClick={() => take(left)}>
              {text.picker.useItAnyway}
            </button>
          </span>
        </p>
      )}
    </div>
  );
}

interface ModelListProps {
  readonly id: string;
  readonly begun: string;
  readonly value: string | undefined;
  readonly onTake: (model: string) => void;
  readonly onSetup: () => void;
  /** Called when Escape is pressed. */
  readonly onClose: () => void;
  /** Called when the focus leaves the list. */
  readonly onLeave: (query: string, isListed: boolean) => void;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

function ModelList({ id, begun, value, onTake, onSetup, onClose, onLeave }: ModelListProps) {
  const { preferences, models } = useStores();
  const [query, setQuery] = useState(begun);
  const [active, setActive] = useState<number | null>(null);
  const [doubted, setDoubted] = useState<PickerOption | null>(null);
  const list = useRef<HTMLDivElement>(null);
  /** Set when the list closes, after which losing the focus has no effect. */
  const isOver = useRef(false);
  const end = (act: () => void): void => {
    isOver.current = true;
    act();
  };
  const { groups, options, has } = usePickerLists(query);
  const chosen = options.findIndex(({ model, kind }) => kind === 'model' && model === (query === '' ? value : query));
  const index = Math.min(active ?? Math.max(chosen, 0), options.length - 1);
  useLayoutEffect(() => {
    list.current?.showPopover?.();
    list.current?.querySelector('input')?.focus();
  }, []);
  useEffect(() => {
    document.getElementById(`${id}-${index}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [id, index]);
  /** Returns whether a name that is in no list is valid: a built-in alias, or a script that was just added. */
  const isFine = async (model: string): Promise<boolean> => {
    if (isShortName(model, preferences.getState().models, models.getState().known)) return true;
    if (!model.startsWith('scripted::')) return false;
    await models.getState().check([model]);
    return models.getState().problems.get(model) === null;
  };
  const choose = async (option: PickerOption | undefined): Promise<void> => {
    if (option?.kind === 'setup') end(onSetup);
    else if (option?.kind === 'model') end(() => onTake(option.model));
    else if (option !== undefined) {
      if (await isFine(option.model)) end(() => onTake(option.model));
      else setDoubted(option);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') end(onClose);
    else if (doubted !== null) return;
    else if (step !== undefined) {
      const next = index + step;
      const isByOne = Math.abs(step) === 1;
      setActive(isByOne ? (next + options.length) % options.length : Math.min(Math.max(next, 0), options.length - 1));
    } else if (event.key === 'Enter') void choose(options[index]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its keys are those of the search field in it
    <div
      ref={list}
      popover="manual"
      className="model-list"
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget }) => {
        if (!isOver.current && !list.current?.contains(relatedTarget)) onLeave(query.trim(), has(query.trim()));
      }}
    >
      {doubted === null ? (
        <>
          <div className="model-search">
            <Search aria-hidden size={14} />
            <input
              role="combobox"
              aria-label={text.picker.search}
              aria-autocomplete="list"
              aria-expanded
              aria-controls={id}
              aria-activedescendant={`${id}-${index}`}
              className="field-input"
              data-own-escape
              spellCheck={false}
              autoComplete="off"
              placeholder={text.picker.searchHint}
              value={query}
              onChange={({ target }) => {
                setQuery(target.value);
                setActive(null);
              }}
            />
          </div>
          <Options id={id} groups={groups} active={index} onActive={setActive} onChoose={(one) => void choose(one)} />
        </>
      ) : (
        <Doubt option={doubted} onTake={() => end(() => onTake(doubted.model))} onClose={() => end(onClose)} />
      )}
    </div>
  );
}

interface OptionsProps {
  readonly id: string;
  readonly groups: readonly PickerGroup[];
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onChoose: (option: PickerOption) => void;
}

const icons: Readonly<Record<PickerOption['kind'], ReactNode>> = {
  model: null,
  anyway: <Plus aria-hidden size={14} />,
  setup: <Settings aria-hidden size={14} />,
};

function Options({ id, groups, active, onActive, onChoose }: OptionsProps) {
  let count = 0;
  return (
    <div id={id} role="listbox" aria-label={text.picker.models} className="model-options">
      {groups.map(({ title, options, empty }) => {
        const first = count;
        count += options.length;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be part of a listbox
          <div key={title} role="group" aria-label={title || text.picker.other} className="model-group">
            {title === '' ? null : <div className="menu-label">{title}</div>}
            {options.map((option, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the search field keeps the focus and names the active option
              // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the search field
              <div
                key={`${option.kind} ${option.model}`}
                id={`${id}-${first + index}`}
                role="option"
                aria-selected={first + index === active}
                className="menu-item model-option"
                onPointerMove={() => onActive(first + index)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(option)}
              >
                <span className="menu-icon">{icons[option.kind]}</span>
                <span className="menu-text" title={option.text}>
                  {option.text}
                </span>
                <span className="menu-hint" data-warning={option.isWarning}>
                  {option.detail}
                </span>
              </div>
            ))}
            {empty === undefined ? null : <div className="model-empty">{empty}</div>}
          </div>
        );
      })}
    </div>
  );
}

interface DoubtProps {
  readonly option: PickerOption;
  readonly onTake: () => void;
  readonly onClose: () => void;
}

/** Asks once before a name is written that no list contains. */
function Doubt({ option: { model, detail }, onTake, onClose }: DoubtProps) {
  const take = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => take.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, this has a sentence
    <div className="model-doubt" role="group" aria-label={text.picker.doubtLabel({ model })}>
      <p>{text.picker.doubt({ model, reason: detail })}</p>
      <div className="model-doubt-answers">
        <Button size="small" onClick={onClose}>
          {text.picker.cancel}
        </Button>
        <Button ref={take} size="small" variant="primary" onClick={onTake}>
          {text.picker.use({ model })}
        </Button>
      </div>
    </div>
  );
}
