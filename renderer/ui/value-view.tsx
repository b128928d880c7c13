/**
 * Displays a JSON value: text as text, small values in a line, lists and maps as trees.
 */
import { type ReactNode, useEffect, useState } from 'react';
import { JsonView as TreeView } from 'react-json-view-lite';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { byteText } from './quantity-text.ts';
import { Segmented } from './segmented.tsx';
import { text as areaText } from './text.ts';
import { isLargeValue, isRecord, type LargeValue, valueParts } from './value-parts.ts';
import './value-view.css';

const words = areaText.value;

const labelClass = 'json-label';
const expanderClass = 'json-expander';

const styles = {
  container: 'json-view',
  basicChildStyle: 'json-row',
  childFieldsContainer: 'json-children',
  label: labelClass,
  clickableLabel: [labelClass, 'json-clickable'].join(' '),
  nullValue: 'json-number',
  undefinedValue: 'json-number',
  numberValue: 'json-number',
  booleanValue: 'json-number',
  stringValue: 'json-string',
  otherValue: 'json-string',
  punctuation: 'json-punctuation',
  expandIcon: [expanderClass, 'json-expander-closed'].join(' '),
  collapseIcon: expanderClass,
  collapsedContent: 'json-collapsed',
  ariaLables: { collapseJson: words.collapse, expandJson: words.expand },
  stringifyStringValues: true,
};

/**
 * Limits the levels and entries that are initially expanded, so that a large value does not render thousands of rows.
 */
function isOpenAtFirst(level: number, value: unknown): boolean {
  const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  return level < 2 && size <= 50;
}

interface JsonViewProps {
  readonly label: string;
  /** A list or a map. */
  readonly value: object;
}

/** A JSON value as a tree with arrow key navigation. */
function JsonView({ label, value }: JsonViewProps) {
  return (
    <TreeView
      aria-label={label}
      data={value}
      style={styles}
      shouldExpandNode={isOpenAtFirst}
      clickToExpandNode
      compactTopLevel={false}
    />
  );
}

/** Fetches the value with a hash. */
type ReadLargeValue = (hash: string) => Promise<unknown>;

interface ValueViewProps {
  /** Label of the value, for example `Output`. */
  readonly label: string;
  readonly value: unknown;
  readonly readLarge: ReadLargeValue;
}

/** Number of characters of text that are rendered at first. The rest is rendered on demand. */
const textLimit = 20_000;

/** Returns the text to copy for a value: text as it is, anything else as JSON. */
function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function LongText({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const isCut = !isWhole && text.length > textLimit;
  return (
    <>
      <div className="value-text" data-selectable>
        {isCut ? text.slice(0, textLimit) : text}
      </div>
      {isCut ? (
        <Button size="small" variant="ghost" onClick={() => setIsWhole(true)}>
          {words.showAll({ count: text.length })}
        </Button>
      ) : null}
    </>
  );
}

function PlainValue({ label, value }: { label: string; value: unknown }) {
  if (typeof value === 'string') return <LongText text={value} />;
  if (typeof value === 'object' && value !== null) return <JsonView label={label} value={value} />;
  return <code className="value-scalar">{String(value)}</code>;
}

function Block({ label, value, readLarge }: ValueViewProps) {
  if (isLargeValue(value)) return <LargeValueView label={label} handle={value} readLarge={readLarge} />;
  return <PlainValue label={label} value={value} />;
}

/** The text of a map, then its other fields with their names. */
function Fields({ value, readLarge }: { value: Record<string, unknown>; readLarge: ReadLargeValue }) {
  const { lead, rows, blocks } = valueParts(value);
  const isLeadEmpty = lead === '';
  return (
    <>
      {isLeadEmpty ? <p className="value-quiet">{words.empty}</p> : null}
      {lead === undefined || isLeadEmpty ? null : <Block label={words.text} value={lead} readLarge={readLarge} />}
      {blocks.length + rows.length === 0 ? null : (
        <dl className="value-fields" data-below-text={lead !== undefined}>
          {blocks.map(([key, field]) => (
            <div key={key}>
              <dt className="value-key">{key}</dt>
              <dd>
                <Block label={key} value={field} readLarge={readLarge} />
              </dd>
            </div>
          ))}
          {rows.map(([key, text]) => (
            <div key={key} className="value-row">
              <dt title={key}>{key}</dt>
              <dd data-selectable>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

type Loading = { status: 'idle' } | { status: 'loading' } | { status: 'failed'; message: string };

function LargeValueView({
  label,
  handle,
  readLarge,
}: {
  label: string;
  handle: LargeValue;
  readLarge: ReadLargeValue;
}) {
  const [loaded, setLoaded] = useState<{ hash: string; value: unknown } | null>(null);
  const [loading, setLoading] = useState<Loading>({ status: 'idle' });
  // Another value in the same place resets the state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state belongs to the hash
  useEffect(() => setLoading({ status: 'idle' }), [handle.$value]);
  if (loaded?.hash === handle.$value) return <ValueView label={label} value={loaded.value} readLarge={readLarge} />;
  const load = async (): Promise<void> => {
    setLoading({ status: 'loading' });
    try {
      setLoaded({ hash: handle.$value, value: await readLarge(handle.$value) });
    } catch (error) {
      setLoading({ status: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <div className="value-large">
      <div className="value-text value-preview" data-selectable>
        {handle.preview}…
      </div>
      <Button size="small" disabled={loading.status === 'loading'} onClick={() => void load()}>
        {loading.status === 'loading' ? words.loading : words.load({ size: byteText(handle.bytes) })}
      </Button>
      {loading.status === 'failed' ? <p className="value-problem">{loading.message}</p> : null}
    </div>
  );
}

function readableView({ label, value, readLarge }: ValueViewProps): ReactNode {
  if (isRecord(value) && Object.keys(value).length > 0) return <Fields value={value} readLarge={readLarge} />;
  return <PlainValue label={label} value={value} />;
}

/** A value with a copy button. Lists and maps can also be shown as JSON. */
export function ValueView(props: ValueViewProps) {
  const { label, value, readLarge } = props;
  const [form, setForm] = useState<'readable' | 'json'>('readable');
  if (isLargeValue(value)) return <LargeValueView label={label} handle={value} readLarge={readLarge} />;
  const hasForms = typeof value === 'object' && value !== null;
  const lead = form === 'readable' && isRecord(value) ? valueParts(value).lead : undefined;
  const copied = typeof lead === 'string' ? lead : value;
  return (
    <section className="value-view" aria-label={label}>
      <header className="value-bar">
        {hasForms ? (
          <Segmented
            label={words.format}
            value={form}
            options={[
              { value: 'readable', text: words.text },
              { value: 'json', text: words.json },
            ]}
            onChange={setForm}
          />
        ) : null}
        <span className="value-gap" />
        <CopyButton label={copied === value ? words.copy({ label }) : words.copyText} text={() => valueText(copied)} />
      </header>
      {hasForms && form === 'json' ? <JsonView label={label} value={value} /> : readableView(props)}
    </section>
  );
}
