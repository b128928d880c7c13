/**
 * The size of the workspace's history, the rule by which old runs are deleted, and the limits of copies.
 */
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import type { OldRuns, WantedRule } from '../../stores/runs/history/old-runs.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { byteText, dateText } from '../../ui/quantity-text.ts';
import { Switch } from '../../ui/switch.tsx';
import { CopiesForm } from './copies-form.tsx';
import { text } from './text.ts';
import './history-tab.css';

export function HistoryTab() {
  const { oldRuns } = useStores();
  const known = useStore(oldRuns, (state) => state.known);
  const problem = useStore(oldRuns, (state) => state.problem);
  useEffect(() => oldRuns.getState().watch(), [oldRuns]);
  return (
    <div className="settings-part">
      {known === null ? (
        <p>{problem === null ? text.loading : null}</p>
      ) : (
        <>
          <p>{text.about}</p>
          <RuleForm key={JSON.stringify(known.rule)} known={known} />
        </>
      )}
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
      <CopiesForm />
    </div>
  );
}

/** The parts of a rule, in the order of the form, and the numbers to start with. */
const usual = { olderThanDays: 90, keepPerFlow: 200 } as const;

const range = { min: 1, max: 1_000_000 };

type Part = keyof typeof usual;

const parts = Object.keys(usual) as readonly Part[];

interface RulePartDraft {
  readonly isOn: boolean;
  readonly count: string;
}

type RuleDraft = Readonly<Record<Part, RulePartDraft>>;

function draftOf(rule: WantedRule): RuleDraft {
  const draft = (part: Part): RulePartDraft => {
    return { isOn: rule[part] !== undefined, count: String(rule[part] ?? usual[part]) };
  };
  return { olderThanDays: draft('olderThanDays'), keepPerFlow: draft('keepPerFlow') };
}

function isValid({ isOn, count }: RulePartDraft): boolean {
  return !isOn || (/^\d{1,7}$/.test(count) && Number(count) >= range.min && Number(count) <= range.max);
}

/** Returns null if a number is not valid. */
function ruleOf(draft: RuleDraft): WantedRule | null {
  if (!parts.every((part) => isValid(draft[part]))) return null;
  return Object.fromEntries(parts.flatMap((part) => (draft[part].isOn ? [[part, Number(draft[part].count)]] : [])));
}

function RuleForm({ known }: { readonly known: NonNullable<OldRuns['known']> }) {
  const { oldRuns } = useStores();
  const [draft, setDraft] = useState(() => draftOf(known.rule ?? {}));
  const [done, setDone] = useState('');
  const rule = ruleOf(draft);
  const isUndecided = known.rule === undefined && known.isLarge;
  const isKept = !isUndecided && JSON.stringify(rule) === JSON.stringify(ruleOf(draftOf(known.rule ?? {})));
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (rule === null || isKept) return;
    setDone('');
    if (!(await oldRuns.getState().setRule(rule))) setDone(text.unchanged);
  };
  const change = (part: Part, some: Partial<RulePartDraft>): void => {
    setDone('');
    setDraft({ ...draft, [part]: { ...draft[part], ...some } });
  };
  return (
    <form className="history-form" aria-label={text.form} onSubmit={(event) => void save(event)}>
      <div className="settings-group">
        <div className="settings-row">
          <b>{text.size}</b>
          <span>{text.runs({ count: known.runs, size: byteText(known.bytes) })}</span>
        </div>
        {parts.map((part) => (
          <PartRow key={part} part={part} draft={draft[part]} onChange={(some) => change(part, some)} />
        ))}
      </div>
      <div>
        {rule === null ? (
          <p className="settings-problem">{text.bad(range)}</p>
        ) : (
          <Selected rule={rule} runs={known.runs} />
        )}
        <p className="settings-note">{text.when}</p>
      </div>
      <div className="history-save">
        <Button type="submit" variant="primary" disabled={rule === null || isKept}>
          {text.save}
        </Button>
        <span role="status">{done}</span>
      </div>
    </form>
  );
}

interface PartRowProps {
  readonly part: Part;
  readonly draft: RulePartDraft;
  readonly onChange: (some: Partial<RulePartDraft>) => void;
}

function PartRow({ part, draft, onChange }: PartRowProps) {
  const noteId = useId();
  return (
    <div className="settings-row">
      <div>
        <b aria-hidden>{text[part]}</b>
        <p id={noteId} className="settings-note">
          {text[`${part}Note`]}
        </p>
      </div>
      <span className="settings-line history-part">
        <TextInput
          aria-label={text[`${part}Count`]}
          aria-invalid={!isValid(draft)}
          inputMode="numeric"
          disabled={!draft.isOn}
          value={draft.count}
          onChange={({ target }) => onChange({ count: target.value.trim() })}
        />
        <Switch
          checked={draft.isOn}
          aria-label={text[part]}
          aria-describedby={noteId}
          onCheckedChange={(isOn) => onChange({ isOn })}
        />
      </span>
    </div>
  );
}

/** Shows how many runs a rule would delete now. @param runs size of the history; a change counts again */
function Selected({ rule, runs }: { readonly rule: WantedRule; readonly runs: number }) {
  const { oldRuns } = useStores();
  const [selected, setSelected] = useState<Awaited<ReturnType<OldRuns['count']>>>(null);
  const { olderThanDays, keepPerFlow } = rule;
  const isEmpty = olderThanDays === undefined && keepPerFlow === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count changes with the history.
  useEffect(() => {
    let isLate = false;
    const wanted = {
      ...(olderThanDays === undefined ? {} : { olderThanDays }),
      ...(keepPerFlow === undefined ? {} : { keepPerFlow }),
    };
    void oldRuns
      .getState()
      .count(wanted)
      .then((count) => (isLate ? undefined : setSelected(count)));
    return () => {
      isLate = true;
    };
  }, [oldRuns, olderThanDays, keepPerFlow, runs]);
  return <p role="status">{isEmpty ? text.keepsAll : selected === null ? null : selectedText(selected)}</p>;
}

function selectedText({ runs, oldestAt }: NonNullable<Awaited<ReturnType<OldRuns['count']>>>): string {
  return oldestAt === undefined ? text.selectsNone : text.selects({ count: runs, date: dateText(oldestAt) });
}
