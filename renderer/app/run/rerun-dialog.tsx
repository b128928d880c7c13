/**
 * Previews, node by node, what a rerun from a node would do.
 */
import { CircleDashed, Link2, Minus, PencilLine, Pin, RotateCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import { itemText } from '../../stores/flow/node-places.ts';
import { formerRun } from '../../stores/runs/former-runs.ts';
import type { RerunPlan, RerunTarget } from '../../stores/runs/plan-actions.ts';
import { answerWords } from '../../stores/runs/requests/answer-words.ts';
import { reasonText } from '../../stores/runs/run-actions.ts';
import { useNodeNames } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fullDateTimeText } from '../../ui/quantity-text.ts';
import { withParts } from '../../ui/with-parts.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import { RerunEstimate } from './run-estimate.tsx';
import { text } from './text.ts';
import './rerun-dialog.css';

type Fate = RerunPlan[number]['fate'];

const icons: Readonly<Record<Fate, typeof Link2>> = {
  reused: Link2,
  runs: RotateCw,
  maybe: CircleDashed,
  skipped: Minus,
  pinned: Pin,
  given: PencilLine,
};

/** `2 nodes run again. 1 is reused. 1 may be reused.` */
export function planText(plan: RerunPlan): string {
  const { countRuns, countReused, countPinned, countGiven, countMaybe, countSkipped } = text.rerun;
  const countOf = (fate: Fate): number => plan.filter((step) => step.fate === fate).length;
  const others = [
    { fate: 'reused', textOf: countReused },
    { fate: 'pinned', textOf: countPinned },
    { fate: 'given', textOf: countGiven },
    { fate: 'maybe', textOf: countMaybe },
    { fate: 'skipped', textOf: countSkipped },
  ] as const;
  const sentences = others
    .map(({ fate, textOf }) => ({ count: countOf(fate), textOf }))
    .filter(({ count }) => count > 0)
    .map(({ count, textOf }) => textOf({ count }));
  return [countRuns({ count: countOf('runs') }), ...sentences].join(' ');
}

type RerunPlanState = { readonly plan: RerunPlan } | { readonly refusal: string } | null;

/** The engine's plan, or null until it arrives. */
function usePlan(target: RerunTarget): RerunPlanState {
  const { stores } = useCommandContext();
  const [asked, setAsked] = useState<RerunPlanState>(null);
  useEffect(() => {
    let isMeant = true;
    stores.runs.planRerun(target).then(
      (plan) => isMeant && setAsked({ plan }),
      (error: unknown) => isMeant && setAsked({ refusal: toErrorRecord(error).message }),
    );
    return () => {
      isMeant = false;
    };
  }, [stores, target]);
  return asked;
}

function Steps({ plan, nameOf }: { plan: RerunPlan; nameOf: (nodeId: string) => string }) {
  return (
    <ul className="rerun-steps" aria-label={text.rerun.list}>
      {plan.map((step) => {
        const { nodeId, fate, fromRunId } = step;
        const Icon = icons[fate];
        const words = fromRunId === undefined ? text.rerun.fates[fate] : text.rerun.reusedFromOther;
        const why = reasonText(step, nameOf);
        return (
          <li key={nodeId} data-fate={fate}>
            <Icon role="img" aria-label={words} size={14} strokeWidth={1.3} absoluteStrokeWidth />
            <b title={nodeId}>{nameOf(nodeId)}</b>
            <span>{why === '' ? words : why}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** Lists the external effects that would be repeated. */
function OutsideNote({ plan, nameOf }: { plan: RerunPlan; nameOf: (nodeId: string) => string }) {
  const nodes = plan.filter(({ repeatsOutside }) => repeatsOutside).map(({ nodeId }) => nameOf(nodeId));
  if (nodes.length === 0) return null;
  return (
    <p className="rerun-outside">
      {withParts(nodes.length === 1 ? text.rerun.oneOutside : text.rerun.moreOutside, {
        nodes: <b>{nodes.join(', ')}</b>,
      })}
    </p>
  );
}

interface FormerAnswer {
  readonly place: string;
  /** The answer, and who gave it. */
  readonly words: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Returns the answers given in the previous run. Empty until they are loaded. */
function useFormerAnswers({ runId }: RerunTarget): readonly FormerAnswer[] {
  const { stores } = useCommandContext();
  const [answers, setAnswers] = useState<readonly FormerAnswer[]>([]);
  useEffect(() => {
    let isMeant = true;
    void formerRun(stores.engine, runId).then((run) => {
      if (!isMeant || run === null) return;
      const all = [...run.nodes.values()].flatMap(({ nodeId, asks = [] }) =>
        asks.flatMap(({ request, answer }) =>
          answer === undefined ? [] : [{ place: nodeId, words: answerWords(request.kind, answer), at: answer.at }],
        ),
      );
      setAnswers(all);
    });
    return () => {
      isMeant = false;
    };
  }, [stores, runId]);
  return answers;
}

/** Maximum number of answers to list. Further answers are only counted. */
const mostAnswers = 5;

/** Lists the questions that the run would ask again, because answers apply only to the run in which they were given. */
function AskedAgainNote({ target, nameOf }: { target: RerunTarget; nameOf: (nodeId: string) => string }) {
  const answers = useFormerAnswers(target);
  if (answers.length === 0) return null;
  const nodeOf = (place: string): string => place.slice(place.lastIndexOf('.') + 1);
  return (
    <div className="rerun-answers">
      <p>{text.rerun.askedAgain}</p>
      <ul aria-label={text.rerun.answers}>
        {answers.slice(0, mostAnswers).map(({ place, words, at }) => (
          <li key={`${place} ${at}`}>
            {withParts(text.rerun.answer, {
              node: <b title={place}>{nameOf(nodeOf(place))}</b>,
              answer: words,
              time: fullDateTimeText(at),
            })}
          </li>
        ))}
      </ul>
      {answers.length > mostAnswers ? <p>{text.rerun.moreAnswers({ count: answers.length - mostAnswers })}</p> : null}
    </div>
  );
}

function RerunForm({ target }: { target: RerunTarget }) {
  const { stores, dialogs } = useCommandContext();
  const asked = usePlan(target);
  const names = useNodeNames(target.path);
  const confirm = useRef<HTMLButtonElement>(null);
  const nameOf = (nodeId: string): string => names.get(nodeId) ?? nodeId;
  const plan = asked !== null && 'plan' in asked ? asked.plan : null;
  useEffect(() => {
    if (plan !== null) confirm.current?.focus();
  }, [plan]);
  const close = dialogs.getState().close;
  return (
    <>
      <div className="rerun-body" role="status">
        {asked === null ? text.rerun.loading : null}
        {asked !== null && 'refusal' in asked ? <p className="rerun-refusal">{asked.refusal}</p> : null}
        {plan === null ? null : <p>{planText(plan)}</p>}
        {plan === null ? null : <RerunEstimate target={target} />}
        {plan === null ? null : <OutsideNote plan={plan} nameOf={nameOf} />}
        {plan === null ? null : <AskedAgainNote target={target} nameOf={nameOf} />}
      </div>
      {plan === null ? null : <Steps plan={plan} nameOf={nameOf} />}
      <footer className="rerun-actions">
        <Button onClick={close}>{text.rerun.keep}</Button>
        <Button
          ref={confirm}
          variant="primary"
          disabled={plan === null}
          onClick={() => {
            close();
            void stores.runs.rerun(target);
          }}
        >
          <RotateCw aria-hidden size={14} />
          {text.rerun.run}
        </Button>
      </footer>
    </>
  );
}

function titleOf({ nodeId, part, until }: RerunTarget, nameOf: (nodeId: string) => string): string {
  if (part !== undefined && 'to' in part) return text.rerun.titleUpTo({ name: nameOf(part.to) });
  if (until !== undefined) return text.rerun.titleMoment;
  const item = nodeId === undefined ? '' : itemText(nodeId);
  if (item !== '') return text.rerun.titleItem({ item });
  return nodeId === undefined ? text.rerun.title : text.rerun.titleFrom({ name: nameOf(nodeId) });
}

export function RerunDialog() {
  const { dialogs } = useCommandContext();
  const target = useStore(dialogs, ({ open, rerun }) => (open === 'rerun' ? rerun : null));
  const names = useNodeNames(target?.path ?? '');
  return (
    <Dialog
      isOpen={target !== null}
      onClose={() => dialogs.getState().close()}
      title={target === null ? '' : titleOf(target, (id) => names.get(id) ?? id)}
      description={text.rerun.about}
    >
      {target === null ? null : <RerunForm target={target} />}
    </Dialog>
  );
}
