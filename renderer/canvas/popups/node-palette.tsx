/**
 * The searchable list of node types, best matches first. A type can be clicked, dragged onto the canvas or selected by
 * keyboard.
 */
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { productOfPath } from '../../../engine/isomorphic.ts';
import { insteadOf, stepChoice, type TypeNeighbour, typeChoice } from '../../stores/flow/node-types.ts';
import type { OfferedType } from '../../stores/flow/offered-type.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useNodeTypes } from '../../stores/use-node-types.ts';
import { NodeTile } from '../../ui/node-tile.tsx';
import { text } from '../text.ts';
import '../../ui/popup-list.css';
import './node-palette.css';

interface NodePaletteProps {
  /** Whether the list offers steps instead of nodes. */
  readonly isForSteps?: boolean;
  /** Path of the flow. */
  readonly path: string;
  /** The neighbor of the new node, or null if there is none. */
  readonly neighbour: TypeNeighbour | null;
  /** @param key a type, or a variant of one */
  readonly onChoose: (key: string) => void;
  readonly onClose: () => void;
  /** Handles text that was pasted into the search if it is a command. Returns false if it is a search query. */
  readonly onCommand: (text: string) => boolean;
  /** Called when a row is grabbed with the pointer. If undefined, rows cannot be dragged. */
  readonly onGrab?: (spec: OfferedType, event: PointerEvent) => void;
}

export function NodePalette({
  isForSteps = false,
  path,
  neighbour,
  onChoose,
  onClose,
  onCommand,
  onGrab,
}: NodePaletteProps) {
  const [query, setQuery] = useState('');
  const [index, setIndex] = useState(0);
  const listId = useId();
  const { side, node } = neighbour ?? {};
  const known = useNodeTypes();
  const { tools } = useStores();
  useEffect(() => void tools.getState().refresh(), [tools]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the options depend on the current types
  const sections = useMemo(
    () =>
      isForSteps
        ? stepChoice(query, productOfPath(path))
        : typeChoice(query, side === undefined || node === undefined ? null : { side, node }),
    [query, side, node, known, isForSteps, path],
  );
  const { reasons, hints } = useMemo(() => (isForSteps ? nothingInstead : insteadOf(query)), [query, isForSteps]);
  const isWhole = useDeferredValue(true, false);
  const types = sections.flatMap((section) => section.types);
  const active = types[Math.min(index, types.length - 1)];

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setIndex((types.length + Math.min(index, types.length - 1) + step) % Math.max(1, types.length));
    else if (event.key === 'Enter' && active !== undefined) onChoose(active.key);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="node-palette">
      <input
        className="popup-search"
        // biome-ignore lint/a11y/noAutofocus: it opens when the user asks to type here
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={active === undefined ? undefined : `${listId}-${active.key}`}
        aria-label={isForSteps ? text.palette.searchSteps : text.palette.searchNodes}
        placeholder={isForSteps ? text.palette.searchSteps : text.palette.nodesPlaceholder}
        spellCheck={false}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          if (onCommand(event.clipboardData.getData('text/plain'))) event.preventDefault();
        }}
      />
      <div className="node-palette-list" id={listId} role="listbox" aria-label={text.palette.types}>
        {(isWhole ? sections : beginningOf(sections)).map(({ title, types: rows }) => (
          <Section key={title} title={title} id={`${listId}-${title}`}>
            {rows.map((spec) => (
              <PaletteRow
                key={spec.key}
                id={`${listId}-${spec.key}`}
                spec={spec}
                reason={reasons.get(spec.key) || undefined}
                isActive={spec === active}
                onChoose={() => onChoose(spec.key)}
                onGrab={onGrab === undefined ? undefined : (event) => onGrab(spec, event)}
              />
            ))}
          </Section>
        ))}
        {types.length === 0 && hints.length === 0 ? (
          <p className="node-palette-none">{isForSteps ? text.palette.noSteps : text.palette.noNodes}</p>
        ) : null}
      </div>
      {hints.map((hint) => (
        <p key={hint} className="node-palette-hint" role="status">
          {hint}
        </p>
      ))}
    </div>
  );
}

const nothingInstead: ReturnType<typeof insteadOf> = { reasons: new Map(), hints: [] };

/** Slightly more rows than a panel shows without scrolling. The others are rendered after the first frame. */
const firstRows = 30;

function beginningOf(sections: ReturnType<typeof typeChoice>): ReturnType<typeof typeChoice> {
  let left = firstRows;
  return sections.flatMap((section) => {
    const types = section.types.slice(0, left);
    left -= types.length;
    return types.length === 0 ? [] : [{ ...section, types }];
  });
}

interface PaletteSectionProps {
  readonly title: string | null;
  readonly id: string;
  readonly children: ReactNode;
}

function Section({ title, id, children }: PaletteSectionProps) {
  if (title === null) return children;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a list of options
    <div role="group" aria-labelledby={id}>
      <div className="popup-heading" id={id}>
        {title}
      </div>
      {children}
    </div>
  );
}

interface PaletteRowProps {
  readonly id: string;
  readonly spec: OfferedType;
  /** Why the item matches a name from another tool. Replaces the description. */
  readonly reason: string | undefined;
  readonly isActive: boolean;
  readonly onChoose: () => void;
  readonly onGrab: ((event: PointerEvent) => void) | undefined;
}

function PaletteRow({ id, spec, reason, isActive, onChoose, onGrab }: PaletteRowProps) {
  const { title, type, key, description, example, category, icon } = spec;
  const about = reason ?? description;
  const row = useRef<HTMLDivElement>(null);
  // Not on every render, so that the scroll position is kept when more types arrive.
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys of the whole list
    <div
      className="node-palette-row"
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={isActive}
      data-type={key}
      title={example === undefined ? about : `${about}\n${example}`}
      ref={row}
      onClick={onChoose}
      onPointerDown={onGrab}
    >
      <NodeTile category={category} icon={icon} />
      <span className="node-palette-words">
        <span className="node-palette-title">
          {title}
          <span className="node-palette-type">{type}</span>
        </span>
        <span className="node-palette-description" data-reason={reason !== undefined}>
          {about}
        </span>
        {isActive && example !== undefined ? <span className="node-palette-example">{example}</span> : null}
      </span>
    </div>
  );
}
