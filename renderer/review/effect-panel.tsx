/**
 * What accepting all changes means: the problems that it causes and cures, the tests that fail, and what would run again.
 */
import { CircleCheck, RotateCw, TriangleAlert } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Diagnostic } from '../../engine/isomorphic.ts';
import type { Review } from '../stores/review/review.ts';
import type { ChangePlan } from '../stores/runs/plan-actions.ts';
import { useStores } from '../stores/stores-context.tsx';
import { costText } from '../ui/quantity-text.ts';
import { TestsEffect } from './tests-effect.tsx';
import { text } from './text.ts';
import './effect-panel.css';

/** How many problems are listed. */
const mostShown = 4;

export function EffectPanel({ review: { path, texts, checks, differences } }: { review: Review }) {
  const { cured, caused } = useMemo(() => {
    const [before, after] = [checks.before.diagnostics, checks.after.diagnostics];
    return { cured: missingIn(before, after), caused: missingIn(after, before) };
  }, [checks]);
  const words = text.effect;
  return (
    <section className="effect-panel" aria-label={words.title({ count: differences.length })}>
      <h3>{words.title({ count: differences.length })}</h3>
      {cured.length === 0 ? null : <Problems tone="ok" title={words.cures({ count: cured.length })} problems={cured} />}
      {caused.length === 0 ? (
        <p className="effect-line" data-tone="ok">
          <CircleCheck aria-hidden size={14} />
          {words.none}
        </p>
      ) : (
        <Problems tone="wait" title={words.causes({ count: caused.length })} problems={caused} />
      )}
      <TestsEffect path={path} />
      <RerunLine path={path} text={texts.after} />
    </section>
  );
}

/** Says what a rerun of the latest run would do. Empty without a run, and for a text that cannot run. */
function RerunLine({ path, text: after }: { path: string; text: string }) {
  const { runs } = useStores();
  const [plan, setPlan] = useState<ChangePlan | undefined>();
  useEffect(() => {
    let isWanted = true;
    const show = (found: ChangePlan | undefined): void => {
      if (isWanted) setPlan(found);
    };
    runs.planChange(path, after).then(show, () => show(undefined));
    return () => {
      isWanted = false;
    };
  }, [runs, path, after]);
  if (plan === undefined || plan.runs + plan.reused + plan.maybe === 0) return null;
  const cost = plan.costUsd === undefined ? undefined : costText(plan.costUsd, 0);
  return (
    <p className="effect-line" role="status">
      <RotateCw aria-hidden size={14} />
      {text.effect.rerun({ ...plan, cost })}
    </p>
  );
}

interface ProblemsProps {
  readonly tone: 'ok' | 'wait';
  readonly title: string;
  readonly problems: readonly Diagnostic[];
}

function Problems({ tone, title, problems }: ProblemsProps) {
  const Icon = tone === 'ok' ? CircleCheck : TriangleAlert;
  const hidden = problems.length - mostShown;
  return (
    <>
      <p className="effect-line" data-tone={tone}>
        <Icon aria-hidden size={14} />
        {title}
      </p>
      <ul className="effect-problems" data-selectable>
        {problems.slice(0, mostShown).map((problem) => (
          <li key={identityOf(problem)}>{problem.message}</li>
        ))}
        {hidden > 0 ? <li>{text.effect.more({ count: hidden })}</li> : null}
      </ul>
    </>
  );
}

/** Returns the problems that the other text does not have, wherever it has them. */
function missingIn(problems: readonly Diagnostic[], other: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Set(other.map(identityOf));
  const found = new Map<string, Diagnostic>();
  for (const problem of problems) if (!known.has(identityOf(problem))) found.set(identityOf(problem), problem);
  return [...found.values()];
}

function identityOf({ code, nodeId, message }: Diagnostic): string {
  return JSON.stringify([code, nodeId, message]);
}
