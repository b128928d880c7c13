import type { ReactNode } from 'react';

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
