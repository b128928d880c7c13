/**
 * The limits of the copies of changed files, with which the changes of a run are undone.
 */
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import type { CopyLimits } from '../../stores/runs/history/old-runs.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { withParts } from '../../ui/with-parts.tsx';
import { text } from './text.ts';
import './history-tab.css';

const words = text.copies;

/** The smallest and the largest value of each limit, in the order of the form. */
const ranges = { megabytes: { min: 0, max: 1_000_000 }, days: { min: 1, max: 10_000 } } as const;

type LimitField = keyof typeof ranges;

const limits = Object.keys(ranges) as readonly LimitField[];

const mebibyte = 1024 * 1024;
/** The smallest size that is shown, in MiB. */
const smallest = 0.1;

/** Shows the limits as soon as they are known. */
export function CopiesForm() {
  const { undoLimits } = useStores();
  const headingId = useId();
  const known = useStore(undoLimits, (state) => state.known);
  const problem = useStore(undoLimits, (state) => state.problem);
  useEffect(() => undoLimits.getState().watch(), [undoLimits]);
  if (known === null && problem === null) return null;
  return (
    <section className="history-copies" aria-labelledby={headingId}>
      <h3 id={headingId} className="settings-heading">
        {words.title}
      </h3>
      <p>{withParts(words.about, { folder: <code>.millrace/undo/</code> })}</p>
      {known === null ? null : <LimitsForm known={known} />}
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

function LimitsForm({ known }: { readonly known: NonNullable<CopyLimits['known']> }) {
  const { undoLimits } = useStores();
  /** The edited fields. */
  const [edited, setEdited] = useState<Partial<Record<LimitField, string>>>({});
  const [done, setDone] = useState('');
  const draft: LimitsDraft = { megabytes: String(known.megabytes), days: String(known.days), ...edited };
  const invalid = limits.find((limit) => !isValid(limit, draft[limit]));
  const isKept = limits.every((limit) => Number(draft[limit]) === known[limit]);
  const isBlocked = invalid !== undefined || isKept;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBlocked) return;
    setDone('');
    const wanted = { megabytes: Number(draft.megabytes), days: Number(draft.days) };
    if (await undoLimits.getState().setLimits(wanted)) setEdited({});
    else setDone(text.unchanged);
  };
  const change = (limit: LimitField, value: string): void => {
    setDone('');
    setEdited({ ...edited, [limit]: value });
  };
  return (
    <form className="history-form" aria-label={words.title} onSubmit={(event) => void save(event)}>
      <div className="settings-group">
        <div className="settings-row">
          <b>{words.used}</b>
          <span>{sizeText(known.bytes)}</span>
        </div>
        {limits.map((limit) => (
          <LimitRow key={limit} limit={limit} value={draft[limit]} onChange={(value) => change(limit, value)} />
        ))}
      </div>
      <div>
        {invalid === undefined ? null : <p className="settings-problem">{text.bad(ranges[invalid])}</p>}
        <p className="settings-note">{words.when}</p>
      </div>
      <div className="history-save">
        <Button type="submit" variant="primary" disabled={isBlocked}>
          {text.save}
        </Button>
        <span role="status">{done}</span>
      </div>
    </form>
  );
}

/** In the unit of the limit, so that both can be compared. */
function sizeText(bytes: number): string {
  const mebibytes = bytes / mebibyte;
  return bytes > 0 && mebibytes < smallest ? words.small({ mebibytes: smallest }) : words.size({ mebibytes });
}

type LimitsDraft = Readonly<Record<LimitField, string>>;

function isValid(limit: LimitField, value: string): boolean {
  const { min, max } = ranges[limit];
  return /^\d{1,7}$/.test(value) && Number(value) >= min && Number(value) <= max;
}

interface LimitRowProps {
  readonly limit: LimitField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function LimitRow({ limit, value, onChange }: LimitRowProps) {
  const noteId = useId();
  return (
    <div className="settings-row">
      <div>
        <b aria-hidden>{words[limit]}</b>
        <p id={noteId} className="settings-note">
          {words[`${limit}Note`]}
        </p>
      </div>
      <span className="settings-line history-part">
        <TextInput
          aria-label={words[limit]}
          aria-describedby={noteId}
          aria-invalid={!isValid(limit, value)}
          inputMode="numeric"
          value={value}
          onChange={({ target }) => onChange(target.value.trim())}
        />
      </span>
    </div>
  );
}
