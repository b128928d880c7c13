import type { ReactNode } from 'react';
import type { JsonValue } from '../../engine/isomorphic.ts';

/** A named part of the inspector. */
export function Group({ title, note, children }: { title: string; note?: string | undefined; children: ReactNode }) {
  return (
    <section className="inspector-group">
      <h3 className="inspector-heading">
        {title}
        {note === undefined ? null : <span>{note}</span>}
      </h3>
      {children}
    </section>
  );
}

/** Label left, short value right. */
export function Rows({ rows }: { rows: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="inspector-rows">
      {rows.map(([label, value]) => (
        <div key={label} className="inspector-row">
          <dt title={label}>{label}</dt>
          <dd data-selectable>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function settingText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Values as the file has them, bindings unresolved. */
export function Settings({ values }: { values: Readonly<Record<string, JsonValue>> }) {
  return (
    <dl className="inspector-rows">
      {Object.entries(values).map(([key, value]) => (
        <div key={key}>
          <dt className="inspector-quiet">{key}</dt>
          <dd className="inspector-setting" data-selectable>
            {settingText(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
