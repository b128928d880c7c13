/**
 * Shows the outputs of a run. They may contain anything, so they are only ever text: no link can be opened, and no picture
 * is loaded.
 */
import { lazy, type ReactNode, Suspense } from 'react';
import type { JsonMap, JsonValue } from '../../engine/language/json/json-value.ts';
import { text } from './text.ts';

/** Large, so it is loaded when there is text to show. */
const Markdown = lazy(async () => ({ default: (await import('../ui/markdown-text.tsx')).MarkdownText }));

const mostRows = 200;

function isMap(value: JsonValue): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: JsonValue): value is string | number | boolean | null {
  return typeof value !== 'object' || value === null;
}

function isTable(value: readonly JsonValue[]): value is readonly JsonMap[] {
  return value.length > 0 && value.every((row) => isMap(row) && Object.values(row).every(isScalar));
}

function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? text.form.yes : text.form.no;
  return String(value);
}

function Rest({ count }: { readonly count: number }) {
  return count > 0 ? <p className="page-quiet">{text.done.tooLong({ count })}</p> : null;
}

function Table({ rows }: { readonly rows: readonly JsonMap[] }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const shown = rows.slice(0, mostRows);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard */}
      <div className="page-table" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" dir="auto">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows never move
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column} dir="auto" data-number={typeof row[column] === 'number'}>
                    {cellText(row[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Rest count={rows.length - shown.length} />
    </>
  );
}

function List({ items, depth }: { readonly items: readonly JsonValue[]; readonly depth: number }) {
  const shown = items.slice(0, mostRows);
  return (
    <>
      <ul className="page-list">
        {shown.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items never move
          <li key={index} dir="auto">
            <OutputValue value={item} depth={depth + 1} />
          </li>
        ))}
      </ul>
      <Rest count={items.length - shown.length} />
    </>
  );
}

/** A value of a node that has only text is that text. */
function unwrapped(value: JsonMap): JsonValue {
  const [[key, only] = ['', null], second] = Object.entries(value);
  return second === undefined && key === 'text' && typeof only === 'string' ? only : value;
}

const mostLevels = 3;

function OutputValue({ value, depth }: { readonly value: JsonValue; readonly depth: number }): ReactNode {
  if (typeof value === 'string') {
    if (value.trim() === '') return <p className="page-quiet">{text.done.empty}</p>;
    if (depth > 0 && !value.includes('\n')) return value;
    return (
      <div dir="auto">
        <Suspense fallback={<p className="page-plain">{value}</p>}>
          <Markdown text={value} />
        </Suspense>
      </div>
    );
  }
  if (isScalar(value)) return cellText(value) || <span className="page-quiet">{text.done.empty}</span>;
  if (Object.keys(value).length === 0) return <p className="page-quiet">{text.done.empty}</p>;
  if (Array.isArray(value) && isTable(value)) return <Table rows={value} />;
  if (depth >= mostLevels) return <pre className="page-json">{JSON.stringify(value, null, 2)}</pre>;
  if (Array.isArray(value)) return <List items={value} depth={depth} />;
  const map = value as JsonMap;
  const inner = unwrapped(map);
  return inner === map ? <Fields map={map} depth={depth} /> : <OutputValue value={inner} depth={depth} />;
}

function Fields({ map, depth }: { readonly map: JsonMap; readonly depth: number }) {
  return (
    <dl className="page-fields">
      {Object.entries(map).map(([key, value]) => (
        <div key={key}>
          <dt dir="auto">{key}</dt>
          <dd dir="auto">
            <OutputValue value={value} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function labelOf(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words === '' ? name : `${words.slice(0, 1).toLocaleUpperCase()}${words.slice(1)}`;
}

/** All outputs, each with its name, unless there is only one. */
export function OutputView({ outputs }: { readonly outputs: JsonMap }) {
  const entries = Object.entries(outputs);
  return (
    <section className="page-outputs" aria-label={text.done.outputs} data-selectable>
      {entries.map(([name, value]) => (
        <section key={name}>
          {entries.length === 1 ? null : <h2 dir="auto">{labelOf(name)}</h2>}
          <OutputValue value={value} depth={0} />
        </section>
      ))}
    </section>
  );
}
