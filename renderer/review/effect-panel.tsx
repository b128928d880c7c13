/**
 * What accepting all changes means: the problems that it causes and cures.
 */
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import type { Diagnostic } from '../../engine/isomorphic.ts';
import type { Review } from '../stores/review/review.ts';
import { text } from './text.ts';
import './effect-panel.css';

/** How many problems are listed. */
const mostShown = 4;

export function EffectPanel({ review: { checks, differences } }: { review: Review }) {
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
    </section>
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
