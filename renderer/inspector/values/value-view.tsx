/**
 * Displays a JSON value: text as text or Markdown, lists of records as tables, pictures, and everything as a JSON tree.
 */
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { MarkedText } from '../../card/marked-text.tsx';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { byteText } from '../../ui/quantity-text.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { spaceWords } from '../../ui/space-marks.ts';
import { isLargeValue, isPicture, isPictureName, isRecord, type LargeValue, valueParts } from '../../ui/value-parts.ts';
import { isLoopOutput } from './iterations.ts';
import { valueText } from './json-text.ts';
import { isRecordList } from './table-model.ts';
import { text as words } from './text.ts';
import { entryPath } from './tree-model.ts';
import { LongText } from './value-text.tsx';
import './value-view.css';

/** Loaded with the first value that needs them. */
const ValueTable = lazy(async () => ({ default: (await import('./value-table.tsx')).ValueTable }));
const ValueTree = lazy(async () => ({ default: (await import('./value-tree.tsx')).ValueTree }));
const MarkdownText = lazy(async () => ({ default: (await import('../../ui/markdown-text.tsx')).MarkdownText }));

/** Fetches the value with a hash. */
type ReadLargeValue = (hash: string) => Promise<unknown>;

interface ValueViewProps {
  /** Label of the value, for example `Output`. */
  readonly label: string;
  readonly value: unknown;
  readonly readLarge: ReadLargeValue;
  /** What the value is of, such as a node's output. The selected view is kept for it while the window is open. */
  readonly of?: string;
  /** Path of the value in bindings. Undefined if bindings cannot refer to it. */
  readonly binding?: string | undefined;
}

type View = keyof typeof words.views;

/** Signs of Markdown: headings, lists, emphasis, code, tables and links. */
const markup = /^\s{0,3}(?:#{1,6}|[-*+]|\d+[.)]|>)\s|```|\*\*|\]\(|^\|.*\|/m;

/** Returns the views that fit a value. The first one is the default. */
function viewsOf(value: unknown): readonly View[] {
  if (typeof value === 'string') {
    if (isPicture(value)) return ['image', 'text'];
    return markup.test(value) ? ['text', 'markdown'] : ['text'];
  }
  if (isRecordList(value)) return ['table', 'json'];
  if (Array.isArray(value)) return value.length === 0 ? ['text'] : ['json'];
  if (!isRecord(value) || Object.keys(value).length === 0) return ['text'];
  if (isLoopOutput(value)) return ['table', 'json'];
  const { lead } = valueParts(value);
  return typeof lead === 'string' && markup.test(lead) ? ['text', 'markdown', 'json'] : ['text', 'json'];
}

/** Returns the selected view and a function that selects one. */
function useView(views: readonly View[], of: string | undefined): readonly [View, (view: View) => void] {
  const { panes } = useStores();
  const kept = useStore(panes, ({ valueViews }) => (of === undefined ? undefined : valueViews.get(of)));
  const [own, setOwn] = useState<View | null>(null);
  const choose = (view: View): void => {
    if (of === undefined) setOwn(view);
    else panes.getState().chooseValueView(of, view);
  };
  const chosen = of === undefined ? own : kept;
  return [views.find((view) => view === chosen) ?? views[0] ?? 'text', choose];
}

type JsonViewProps = Pick<ValueViewProps, 'label' | 'value' | 'binding'>;

/** A list or map as a tree. */
function Json({ label, value, binding }: JsonViewProps & { readonly value: object }) {
  return (
    <Suspense fallback={null}>
      <ValueTree label={label} value={value} binding={binding} />
    </Suspense>
  );
}

function Table({ label, value, binding }: JsonViewProps & { readonly value: readonly unknown[] }) {
  return (
    <Suspense fallback={null}>
      <ValueTable label={label} rows={value} binding={binding} />
    </Suspense>
  );
}

/** A picture from its data. Nothing is loaded from elsewhere. */
function Picture({ label, address }: { readonly label: string; readonly address: string }) {
  const [broken, setBroken] = useState<string | null>(null);
  if (broken === address) return <p className="value-problem">{words.badImage}</p>;
  return (
    <img
      className="value-picture"
      src={address}
      alt={words.imageAlt({ label })}
      decoding="async"
      onError={() => setBroken(address)}
    />
  );
}

/** A picture in a file of the workspace. Renders nothing if it cannot be read; opening the file shows why. */
function PictureFile({ path }: { readonly path: string }) {
  const { engine } = useStores();
  const [read, setRead] = useState<{ readonly path: string; readonly address: string } | null>(null);
  useEffect(() => {
    let isMeant = true;
    engine.call('readPicture', path).then(
      ({ address }) => isMeant && setRead({ path, address }),
      () => undefined,
    );
    return () => {
      isMeant = false;
    };
  }, [engine, path]);
  return read?.path === path ? <Picture label={path} address={read.address} /> : null;
}

function PlainValue({ label, value, binding }: JsonViewProps) {
  if (typeof value === 'string') {
    return isPicture(value) ? <Picture label={label} address={value} /> : <LongText text={value} />;
  }
  if (isRecordList(value)) return <Table label={label} value={value} binding={binding} />;
  if (typeof value !== 'object' || value === null) return <code className="value-scalar">{String(value)}</code>;
  if (Object.keys(value).length > 0) return <Json label={label} value={value} binding={binding} />;
  return <p className="value-quiet">{Array.isArray(value) ? words.emptyList : words.emptyMap}</p>;
}

type BlockProps = JsonViewProps & Pick<ValueViewProps, 'readLarge'>;

function Block({ label, value, binding, readLarge }: BlockProps) {
  if (!isLargeValue(value)) return <PlainValue label={label} value={value} binding={binding} />;
  return <LargeValueView label={label} value={value} binding={binding} readLarge={readLarge} />;
}

interface MapFieldsProps extends Pick<ValueViewProps, 'binding' | 'readLarge'> {
  readonly value: Record<string, unknown>;
  readonly isMarkdown: boolean;
}

/** The text of a map, then its other fields with their names. */
function Fields({ value, binding, readLarge, isMarkdown }: MapFieldsProps) {
  const { lead, rows, blocks } = valueParts(value);
  const { path } = value;
  const isLeadEmpty = lead === '';
  return (
    <>
      {isLeadEmpty ? <p className="value-quiet">{words.empty}</p> : null}
      {lead === undefined || isLeadEmpty ? null : isMarkdown && typeof lead === 'string' ? (
        <Markdown text={lead} />
      ) : (
        <Block label={words.text} value={lead} readLarge={readLarge} />
      )}
      {typeof path === 'string' && isPictureName(path) ? <PictureFile path={path} /> : null}
      {blocks.length + rows.length === 0 ? null : (
        <dl className="value-fields" data-below-text={lead !== undefined}>
          {blocks.map(([key, field]) => (
            <div key={key}>
              <dt className="value-key">{key}</dt>
              <dd>
                <Block
                  label={key}
                  value={field}
                  binding={binding === undefined ? undefined : entryPath(binding, [key])}
                  readLarge={readLarge}
                />
              </dd>
            </div>
          ))}
          {rows.map(([key, text]) => (
            <div key={key} className="value-row">
              <dt title={key}>{key}</dt>
              <dd dir="auto" title={spaceWords(text)} data-selectable>
                <MarkedText text={text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function Markdown({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<LongText text={text} />}>
      <MarkdownText text={text} />
    </Suspense>
  );
}

type Loading = { status: 'idle' } | { status: 'loading' } | { status: 'failed'; message: string };

/** After one value of a kind was loaded, others up to this size are loaded without asking. */
const mostBytesUnasked = 1_000_000;
/** The output of a loop, or of a flow that ends with a loop, is of use only as a table. */
const mostBytesOfLoop = 4_000_000;

function isSmallLoopOutput({ bytes, preview }: LargeValue): boolean {
  return bytes <= mostBytesOfLoop && /^(?:\{"[^"]{1,100}":)?\{"iterations":\[\{"index":/.test(preview);
}

function LargeValueView(props: ValueViewProps & { readonly value: LargeValue }) {
  const { value: handle, readLarge, of } = props;
  const { panes } = useStores();
  const { $value: hash, bytes, preview } = handle;
  const kept = useStore(panes, ({ loadedValues }) => loadedValues.get(hash));
  const isMeant = useStore(
    panes,
    ({ loadedValues }) =>
      isSmallLoopOutput(handle) ||
      (of !== undefined && bytes <= mostBytesUnasked && [...loadedValues.values()].some((loaded) => loaded.of === of)),
  );
  const [loading, setLoading] = useState<Loading>({ status: 'idle' });
  const load = async (): Promise<void> => {
    setLoading({ status: 'loading' });
    try {
      panes.getState().keepValue(hash, { value: await readLarge(hash), bytes, of });
    } catch (error) {
      setLoading({ status: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  };
  // Another value in the same place resets the state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state belongs to the hash
  useEffect(() => {
    setLoading({ status: 'idle' });
    if (isMeant && kept === undefined) void load();
  }, [hash]);
  if (kept !== undefined) return <ValueView {...props} value={kept.value} />;
  return (
    <div className="value-large">
      <div className="value-text value-preview" data-selectable>
        {preview}…
      </div>
      <Button size="small" disabled={loading.status === 'loading'} onClick={() => void load()}>
        {loading.status === 'loading' ? words.loading : words.load({ size: byteText(bytes) })}
      </Button>
      {loading.status === 'failed' ? <p className="value-problem">{loading.message}</p> : null}
    </div>
  );
}

function viewOf(view: View, { label, value, binding, readLarge }: ValueViewProps): ReactNode {
  if (view === 'json' && typeof value === 'object' && value !== null) {
    return <Json label={label} value={value} binding={binding} />;
  }
  if (view === 'markdown' && typeof value === 'string') return <Markdown text={value} />;
  if (view === 'text' && typeof value === 'string') return <LongText text={value} />;
  if (isRecord(value) && Object.keys(value).length > 0) {
    return <Fields value={value} binding={binding} readLarge={readLarge} isMarkdown={view === 'markdown'} />;
  }
  return <PlainValue label={label} value={value} binding={binding} />;
}

/** A value with a copy button and the views that fit it. */
export function ValueView(props: ValueViewProps) {
  if (isLargeValue(props.value)) return <LargeValueView {...props} value={props.value} />;
  return <LoadedValue {...props} />;
}

function LoadedValue(props: ValueViewProps) {
  const { label, value, of } = props;
  const views = viewsOf(value);
  const [view, choose] = useView(views, of);
  const lead = view !== 'json' && isRecord(value) ? valueParts(value).lead : undefined;
  const copied = typeof lead === 'string' ? lead : value;
  return (
    <section className="value-view" aria-label={label}>
      <header className="value-bar">
        {views.length < 2 ? null : (
          <Segmented
            label={words.format}
            value={view}
            options={views.map((one) => ({ value: one, text: words.views[one] }))}
            onChange={choose}
          />
        )}
        <span className="value-gap" />
        <CopyButton label={copied === value ? words.copy({ label }) : words.copyText} text={() => valueText(copied)} />
      </header>
      {viewOf(view, props)}
    </section>
  );
}
