/**
 * Asks for a higher budget of a run that has used its budget, and continues the run with it.
 */
import { ChevronsUp } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { BudgetDoc, BudgetPart } from '../../../engine/isomorphic.ts';
import { type BudgetShare, budgetAmount, budgetShares } from '../../run-view/budget-text.ts';
import type { LiveRun } from '../../stores/runs/live/live-runs.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { costText } from '../../ui/quantity-text.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import { RunForm } from './run-form.tsx';
import { text } from './text.ts';

const words = text.raise;

type LimitDrafts = Readonly<Partial<Record<BudgetPart, string>>>;
type LimitProblems = Readonly<Partial<Record<BudgetPart, string>>>;

/** Reads a limit. Null if it is not higher. */
function readLimit({ part, limit }: BudgetShare, draft: string): number | null {
  const value = Number(draft.trim().replace(',', '.'));
  const isHigher = value > limit && Number.isFinite(value);
  return isHigher && (part !== 'tokens' || Number.isSafeInteger(value)) ? value : null;
}

/** Reads the limits that were changed. Without problems, at least one is higher. */
function readRaise(
  shares: readonly BudgetShare[],
  drafts: LimitDrafts,
): { raised: BudgetDoc; problems: LimitProblems } {
  const raised: [BudgetPart, number][] = [];
  const problems: [BudgetPart, string][] = [];
  const changed = shares.filter(({ part, limit }) => (drafts[part] ?? String(limit)) !== String(limit));
  for (const share of changed) {
    const value = readLimit(share, drafts[share.part] ?? '');
    if (value === null) problems.push([share.part, tooLowText(share)]);
    else raised.push([share.part, value]);
  }
  const [first] = shares;
  if (first !== undefined && changed.length === 0)
    problems.push([first.part, shares.length === 1 ? tooLowText(first) : words.unchanged]);
  return { raised: Object.fromEntries(raised), problems: Object.fromEntries(problems) };
}

function tooLowText({ part, limit }: BudgetShare): string {
  const tooLow = part === 'tokens' ? words.notWhole : words.tooLow;
  return tooLow({ limit: budgetAmount(part, limit) });
}

function usedText({ part, used, limit }: BudgetShare): string {
  const amount = part === 'usd' ? costText(used, 0) : budgetAmount(part, used);
  return words.used({ used: amount, limit: budgetAmount(part, limit) });
}

/** Returns when the run stopped, because waiting is not part of its time. */
function stoppedAt({ log }: LiveRun): number {
  return log.events.at(-1)?.at ?? 0;
}

function RaiseForm({ run }: { readonly run: LiveRun }) {
  const { stores, dialogs } = useCommandContext();
  const [drafts, setDrafts] = useState<LimitDrafts>({});
  const [hasTried, setHasTried] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const shares = budgetShares(run, stoppedAt(run));
  const { raised, problems } = readRaise(shares, drafts);
  const { close } = dialogs.getState();

  const submit = async (): Promise<void> => {
    setHasTried(true);
    if (Object.keys(problems).length > 0) return;
    const refused = await stores.runs.raiseBudget(run.runId, raised);
    setRefusal(refused);
    if (refused === null) close();
  };
  return (
    <RunForm
      submitText={words.raise}
      submitIcon={<ChevronsUp aria-hidden size={14} />}
      onSubmit={() => void submit()}
      actions={<Button onClick={close}>{words.cancel}</Button>}
    >
      <div className="run-inputs-fields">
        {shares.map((share, index) => (
          <Field
            key={share.part}
            label={words.parts[share.part]}
            note={usedText(share)}
            problem={hasTried ? problems[share.part] : undefined}
          >
            {(control) => (
              <TextInput
                {...control}
                inputMode="decimal"
                value={drafts[share.part] ?? String(share.limit)}
                onFocus={({ target }) => index === 0 && target.select()}
                onChange={({ target }) => setDrafts({ ...drafts, [share.part]: target.value })}
              />
            )}
          </Field>
        ))}
        {refusal === null ? null : (
          <p className="field-problem" role="alert">
            {refusal}
          </p>
        )}
      </div>
    </RunForm>
  );
}

export function RaiseBudgetDialog({ run }: { readonly run: LiveRun }) {
  const { dialogs } = useCommandContext();
  const isOpen = useStore(dialogs, ({ open }) => open === 'raise-budget');
  return (
    <Dialog isOpen={isOpen} onClose={() => dialogs.getState().close()} title={words.title} description={words.about}>
      {isOpen ? <RaiseForm run={run} /> : null}
    </Dialog>
  );
}
