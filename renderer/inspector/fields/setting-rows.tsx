import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

interface GroupProps {
  readonly title: string;
  /** Shown in muted text to the right of the title. */
  readonly note?: string | undefined;
  readonly children: ReactNode;
}

/** A named group of the inspector. */
export function Group({ title, note, children }: GroupProps) {
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

interface SettingSectionProps extends GroupProps {
  /** Names the remembered state. Defaults to the title, which depends on the language. */
  readonly id?: string;
  /** Whether the section is folded by default, for settings that are rarely needed. */
  readonly startsFolded?: boolean;
  /** Whether it is unfolded in any case, because something in it needs attention. */
  readonly isHeldOpen?: boolean;
}

/** A named section that can be folded. Its state is remembered on this computer for all nodes. */
export function Section({ id, title, note, children, startsFolded = false, isHeldOpen = false }: SettingSectionProps) {
  const key = `inspector-${startsFolded ? 'unfolded' : 'folded'} ${id ?? title}`;
  const [isFoldedHere, setIsFolded] = useState(() => (localStorage.getItem(key) === null) === startsFolded);
  const isFolded = isFoldedHere && !isHeldOpen;
  const bodyId = useId();
  const toggle = (): void => {
    if (isFoldedHere === startsFolded) localStorage.setItem(key, '');
    else localStorage.removeItem(key);
    setIsFolded(!isFoldedHere);
  };
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  return (
    <section className="inspector-group" data-folded={isFolded}>
      <h3 className="inspector-heading">
        <button
          type="button"
          className="inspector-fold"
          aria-expanded={!isFolded}
          aria-controls={bodyId}
          onClick={toggle}
        >
          <Chevron aria-hidden size={12} />
          {title}
        </button>
        {note === undefined ? null : <span>{note}</span>}
      </h3>
      <div id={bodyId} hidden={isFolded}>
        {children}
      </div>
    </section>
  );
}

/** Rows with a label on the left and a short value on the right. */
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
