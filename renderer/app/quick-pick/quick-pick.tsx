/**
 * A searchable list from which one item is chosen. Items that cannot be chosen are listed with a reason.
 */
import { Command as Palette } from 'cmdk';
import { Dialog } from 'radix-ui';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { type FoundItem, findItems } from './find-items.ts';
import '../../ui/popup-list.css';
import './quick-open.css';
import './quick-pick.css';

interface QuickPickProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly placeholder: string;
  readonly items: readonly FoundItem[];
  /** Returns the items that match the query, best first. If there are none, items are matched by their letters. */
  readonly find?: (query: string) => readonly FoundItem[];
  /**
   * Heading of an item while the query is empty. Items with the same heading must be adjacent. Null for items without a
   * heading.
   */
  readonly sectionOf?: (item: FoundItem) => string | null;
  /** Returns why an item cannot be chosen, or null if it can. Called only for visible items. */
  readonly refusalOf?: (item: FoundItem) => string | null;
  readonly iconOf: (item: FoundItem) => ReactNode;
  /** Text shown if there are no matches. */
  readonly empty: string | ((query: string) => string);
  /** Content between the field and the list. */
  readonly header?: ReactNode;
  readonly onPick: (id: string) => void;
}

interface PickRow {
  readonly item: FoundItem;
  readonly refusal: string | null;
}

/** Groups rows under their headings, in order. */
function sectionsOf(rows: readonly PickRow[], headingOf: (row: PickRow) => string | null) {
  const sections = new Map<string | null, PickRow[]>();
  for (const row of rows) {
    const heading = headingOf(row);
    const section = sections.get(heading);
    if (section === undefined) sections.set(heading, [row]);
    else section.push(row);
  }
  return [...sections];
}

function PickList(props: QuickPickProps) {
  const { items, find, refusalOf, sectionOf, iconOf, onPick, onClose } = props;
  const [query, setQuery] = useState('');
  const rows = useMemo(() => {
    const meant = query.trim() === '' ? [] : (find?.(query) ?? []);
    const found = (meant.length > 0 ? meant : findItems(items, query)).map(
      (item): PickRow => ({ item, refusal: refusalOf?.(item) ?? null }),
    );
    return [...found.filter(({ refusal }) => refusal === null), ...found.filter(({ refusal }) => refusal !== null)];
  }, [items, query, find, refusalOf]);
  const drawRow = ({ item, refusal }: PickRow): ReactNode => (
    <Palette.Item
      key={item.id}
      value={item.id}
      className="go-item pick-item"
      disabled={refusal !== null}
      onSelect={() => {
        onClose();
        onPick(item.id);
      }}
    >
      {iconOf(item)}
      <span className="go-title">{item.title}</span>
      <span
        className="go-detail"
        title={refusal ?? (item.about === undefined ? item.detail : `${item.detail}\n${item.about}`)}
      >
        {refusal ?? item.detail}
      </span>
    </Palette.Item>
  );
  const headingOf = ({ item }: PickRow): string | null => (query.trim() === '' ? (sectionOf?.(item) ?? null) : null);
  return (
    <Palette shouldFilter={false} label={props.title} loop>
      <Palette.Input className="popup-search" placeholder={props.placeholder} value={query} onValueChange={setQuery} />
      {props.header}
      <Palette.List className="go-list">
        <Palette.Empty className="go-empty">
          {typeof props.empty === 'string' ? props.empty : props.empty(query)}
        </Palette.Empty>
        {sectionsOf(rows, headingOf).map(([heading, some]) =>
          heading === null ? (
            some.map(drawRow)
          ) : (
            <Palette.Group key={heading} heading={<span className="popup-heading">{heading}</span>}>
              {some.map(drawRow)}
            </Palette.Group>
          ),
        )}
      </Palette.List>
    </Palette>
  );
}

export function QuickPick(props: QuickPickProps) {
  const origin = useRef<Element | null>(null);
  return (
    <Dialog.Root open={props.isOpen} onOpenChange={(next) => next || props.onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="go-scrim" />
        <Dialog.Content
          className="go-dialog"
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            origin.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (origin.current instanceof HTMLElement) origin.current.focus();
          }}
        >
          <Dialog.Title className="pick-title">{props.title}</Dialog.Title>
          <PickList {...props} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
