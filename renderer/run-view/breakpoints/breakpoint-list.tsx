/**
 * The breakpoints of a flow: in the dock, where they are edited, and below the list of runs.
 */
import { CircleDot, Pencil, X } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Breakpoint } from '../../../engine/isomorphic.ts';
import { BreakpointDot } from '../../card/breakpoint-dot.tsx';
import { ConditionText } from '../../inspector/field-editors/condition-text.tsx';
import { FlowFormScope } from '../../inspector/flow-form-scope.tsx';
import { breakpointText, noBreakpoints } from '../../stores/runs/breakpoints.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { type SettledFlow, useNodeNames, useSettledFlow } from '../../stores/use-flow.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { moveRovingFocus, rovingItem } from '../../ui/roving-focus.ts';
import { useRestoredFocus } from '../use-kept-focus.ts';
import { text as words } from './text.ts';
import './breakpoint-list.css';

interface BreakpointRowProps {
  readonly path: string;
  readonly breakpoint: Breakpoint;
  /** Name of the node. Undefined if it does not exist any more. */
  readonly name: string | undefined;
  readonly isTabStop: boolean;
}

/** What stands at the end of a row: the condition, or why it does not act. */
function detailText({ when, item, isOff }: Breakpoint, isGone: boolean): string {
  if (isGone) return words.gone;
  const parts = [
    isOff === true ? words.off : '',
    when === undefined ? '' : words.stopIf({ condition: when }),
    item === undefined ? '' : words.item({ item }),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function BreakpointRow({ path, breakpoint, name, isTabStop }: BreakpointRowProps) {
  const { breakpoints, selection, panes } = useStores();
  // Only the row with the focus has further tab stops.
  const [hasFocus, setHasFocus] = useState(false);
  const { node, isOff } = breakpoint;
  const label = name ?? node;
  const isGone = name === undefined;
  const detail = detailText(breakpoint, isGone);
  const turn = (): void => breakpoints.getState().turn(path, node, isOff === true);
  const remove = (): void => breakpoints.getState().remove(path, node);
  const edit = (): void => {
    panes.getState().showDock('breakpoints');
    breakpoints.getState().edit({ path, node });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = { ' ': turn, Delete: remove, Backspace: remove, F2: edit }[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const tabIndex = hasFocus ? 0 : -1;
  return (
    <li
      className="breakpoint-row"
      data-off={isOff === true || isGone}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    >
      <button
        type="button"
        className="breakpoint-switch"
        role="switch"
        aria-checked={isOff !== true}
        aria-label={words.isOn({ node: label })}
        title={isOff === true ? words.turnOn : words.turnOff}
        tabIndex={tabIndex}
        onClick={turn}
      >
        <BreakpointDot breakpoint={breakpoint} />
      </button>
      <button
        type="button"
        className="breakpoint"
        aria-label={[label, breakpointText(breakpoint), ...(isGone ? [words.gone] : [])].join(', ')}
        title={detail === '' ? label : `${label}: ${detail}`}
        data-key={node}
        onClick={() => selection.getState().selectNode(path, node)}
        onKeyDown={onKeyDown}
        {...rovingItem(isTabStop)}
      >
        <span className="breakpoint-node">{label}</span>
        <span className="breakpoint-detail">{detail}</span>
      </button>
      <span className="breakpoint-actions">
        <IconButton label={words.edit} hint="F2" tabIndex={tabIndex} disabled={isGone} onClick={edit}>
          <Pencil aria-hidden size={13} />
        </IconButton>
        <IconButton label={words.remove} hint={words.removeKey} tabIndex={tabIndex} onClick={remove}>
          <X aria-hidden size={14} />
        </IconButton>
      </span>
    </li>
  );
}

interface BreakpointFormProps {
  readonly flow: SettledFlow;
  readonly breakpoint: Breakpoint;
  readonly name: string;
}

/** Sets when a breakpoint stops. The engine checks the condition. */
function BreakpointForm({ flow, breakpoint, name }: BreakpointFormProps) {
  const { breakpoints } = useStores();
  const { path, doc, nesting } = flow;
  const { node, isOff } = breakpoint;
  const [when, setWhen] = useState(breakpoint.when ?? '');
  const [item, setItem] = useState(breakpoint.item === undefined ? '' : String(breakpoint.item));
  const [problem, setProblem] = useState<{ readonly of: 'when' | 'item'; readonly text: string } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const input = doc?.nodes.find(({ id }) => id === node)?.input ?? {};
  const end = (): void => {
    const list = form.current?.closest('.breakpoints');
    breakpoints.getState().edit(null);
    requestAnimationFrame(() => list?.querySelector<HTMLElement>(`[data-key="${CSS.escape(node)}"]`)?.focus());
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (item.trim() !== '' && !/^[1-9]\d*$/.test(item.trim())) {
      setProblem({ of: 'item', text: words.badItem });
      return;
    }
    const refusal = await breakpoints.getState().put(path, {
      node,
      ...(when.trim() === '' ? {} : { when: when.trim() }),
      ...(item.trim() === '' ? {} : { item: Number(item) }),
      ...(isOff === true ? { isOff } : {}),
    });
    if (refusal === null) end();
    else setProblem({ of: 'when', text: refusal });
  };
  return (
    <li className="breakpoint-editing">
      <form
        ref={form}
        aria-label={words.editOf({ node: name })}
        onSubmit={(event) => void submit(event)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          end();
        }}
      >
        <span className="breakpoint-node">
          <BreakpointDot breakpoint={breakpoint} />
          {name}
        </span>
        <FlowFormScope flow={flow} nodeId={node}>
          <Field label={words.when} problem={problem?.of === 'when' ? problem.text : undefined}>
            {(control) => (
              <ConditionText
                control={control}
                value={when}
                placeholder={words.whenExample}
                names={Object.keys(input).map((key) => `input.${key}`)}
                onType={(next) => {
                  setWhen(next);
                  setProblem(null);
                }}
              />
            )}
          </Field>
        </FlowFormScope>
        {nesting.ownerOf.has(node) ? (
          <Field label={words.itemNumber} problem={problem?.of === 'item' ? problem.text : undefined}>
            {(control) => (
              <TextInput
                {...control}
                inputMode="numeric"
                placeholder={words.anyItem}
                value={item}
                onChange={(event) => {
                  setItem(event.target.value);
                  setProblem(null);
                }}
              />
            )}
          </Field>
        ) : null}
        <span className="breakpoint-buttons">
          <Button type="submit" variant="primary" size="small">
            {words.apply}
          </Button>
          <Button size="small" onClick={end}>
            {words.cancel}
          </Button>
        </span>
      </form>
    </li>
  );
}

/** Returns the breakpoints of a flow, in the order of its nodes. Those of deleted nodes are last. */
function useSortedBreakpoints({ path, order }: Pick<SettledFlow, 'path' | 'order'>): readonly Breakpoint[] {
  const list = useStore(useStores().breakpoints, ({ flows }) => flows.get(path)) ?? noBreakpoints;
  const rankOf = ({ node }: Breakpoint): number => {
    const at = order.indexOf(node);
    return at < 0 ? order.length : at;
  };
  return list.toSorted((left, right) => rankOf(left) - rankOf(right));
}

interface RowsProps {
  readonly flow: SettledFlow;
  readonly list: readonly Breakpoint[];
  /** Whether a breakpoint is edited in place. */
  readonly edits?: boolean;
}

function Rows({ flow, list, edits = false }: RowsProps) {
  const { path } = flow;
  const names = useNodeNames(path);
  const editing = useStore(useStores().breakpoints, (state) => state.editing);
  const { element } = useRestoredFocus(list.map(({ node }) => node));
  return (
    <div ref={element}>
      <ul className="breakpoints" aria-label={words.title} onKeyDown={moveRovingFocus}>
        {list.map((breakpoint, index) => {
          const { node } = breakpoint;
          const name = names.get(node);
          if (edits && name !== undefined && editing?.path === path && editing.node === node) {
            return <BreakpointForm key={node} {...{ flow, breakpoint, name }} />;
          }
          return <BreakpointRow key={node} {...{ path, breakpoint, name }} isTabStop={index === 0} />;
        })}
      </ul>
    </div>
  );
}

/** The tab of the dock. */
export function BreakpointList({ flow }: { readonly flow: SettledFlow }) {
  const list = useSortedBreakpoints(flow);
  if (list.length > 0) return <Rows flow={flow} list={list} edits />;
  return (
    <EmptyState icon={<CircleDot aria-hidden size={20} />} title={words.none}>
      {words.howTo}
    </EmptyState>
  );
}

/** The section below the list of runs. Renders nothing without breakpoints. */
export function SideBreakpoints({ path }: { readonly path: string }) {
  const flow = useSettledFlow(path);
  return flow?.kind === 'flow' ? <SideSection flow={flow} /> : null;
}

function SideSection({ flow }: { readonly flow: SettledFlow }) {
  const list = useSortedBreakpoints(flow);
  if (list.length === 0) return null;
  return (
    <section className="side-breakpoints" aria-label={words.title}>
      <h3 className="side-heading">{words.heading}</h3>
      <Rows flow={flow} list={list} />
    </section>
  );
}
