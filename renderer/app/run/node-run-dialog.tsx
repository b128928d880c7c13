/**
 * The dialog shown before one node runs alone: asks for missing inputs, and whether the node may have its external
 * effects.
 */
import { Play } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { ValueView } from '../../inspector/values/value-view.tsx';
import { loopsAround } from '../../stores/flow/loop-bodies.ts';
import { nodeRunInputs, requestedFields } from '../../stores/runs/node-run.ts';
import type { NodePlan } from '../../stores/runs/plan-actions.ts';
import { useReadValue } from '../../stores/stores-context.tsx';
import { useNodeNames, useSettledFlow } from '../../stores/use-flow.ts';
import { useNodeTypes } from '../../stores/use-node-types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { withParts } from '../../ui/with-parts.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import { agreementKey, type NodeRun } from '../commands/dialogs.ts';
import { runNodeAlone } from '../commands/part-commands.ts';
import { RunForm, useDraftedInputs } from './run-form.tsx';
import { text } from './text.ts';
import './rerun-dialog.css';

/** Shows the effects the node will have outside, with its inputs as far as they are known. */
function OutsideNote({ path, nodeId, plan }: NodeRun & { readonly plan: NodePlan }) {
  const node = useSettledFlow(path)?.doc?.nodes.find(({ id }) => id === nodeId);
  const spec = useNodeTypes().get(node?.type ?? '');
  const readLarge = useReadValue();
  const sentence = node === undefined ? [] : (spec?.summary?.(node.config ?? {}, node.input) ?? []);
  const words = sentence.map((part) => (typeof part === 'string' ? part : part.chip)).join('');
  return (
    <div className="rerun-body">
      <p className="rerun-outside">
        {withParts(text.nodeRun.outside, {
          node: <b>{node?.name ?? nodeId}</b>,
          effects: words === '' ? spec?.description : words,
        })}
      </p>
      {plan.input === undefined ? null : (
        <>
          <h3 className="node-run-input">{text.nodeRun.input}</h3>
          <ValueView label={text.nodeRun.input} value={plan.input} readLarge={readLarge} />
        </>
      )}
    </div>
  );
}

function NodeRunForm(subject: NodeRun & { readonly plan: NodePlan }) {
  const { path, nodeId, plan } = subject;
  const { stores, dialogs } = useCommandContext();
  const doc = useSettledFlow(path)?.doc ?? null;
  const asked = useMemo(() => (doc === null ? [] : requestedFields(doc, nodeId, plan)), [doc, nodeId, plan]);
  const isAgreed = useStore(dialogs, ({ agreed }) => agreed.has(agreementKey(subject)));
  const { inputFields, takeInputs } = useDraftedInputs(
    asked.map(({ field }) => field),
    agreementKey(subject),
  );
  const start = (): void => {
    const values = takeInputs();
    if (values === null) return;
    if (plan.actsOutside) dialogs.getState().agree(subject);
    const { inputs, given } = nodeRunInputs(asked, values, plan);
    void stores.runs.start(path, inputs, { part: { only: nodeId }, given });
  };
  return (
    <RunForm
      submitText={text.nodeRun.run}
      isSubmitFocused={asked.length === 0}
      onSubmit={start}
      actions={<Button onClick={() => dialogs.getState().close()}>{text.nodeRun.notNow}</Button>}
    >
      {plan.actsOutside && !isAgreed ? <OutsideNote {...subject} /> : null}
      {inputFields}
    </RunForm>
  );
}

/** Explains that a node in a loop runs for each item, and that its loop can run alone. */
function InLoop({ path, nodeId }: NodeRun) {
  const context = useCommandContext();
  const flow = useSettledFlow(path);
  const names = useNodeNames(path);
  const [loop = ''] = flow === undefined ? [] : loopsAround(flow.nesting, nodeId);
  const loopName = names.get(loop) ?? loop;
  return (
    <>
      <p className="rerun-body">{text.nodeRun.inLoop({ node: names.get(nodeId) ?? nodeId, loop: loopName })}</p>
      <footer className="rerun-actions">
        <Button onClick={() => context.dialogs.getState().close()}>{text.nodeRun.notNow}</Button>
        <Button
          variant="primary"
          data-first-focus
          onClick={() => {
            context.dialogs.getState().close();
            void runNodeAlone(context, { path, nodeId: loop });
          }}
        >
          <Play aria-hidden size={14} />
          {text.nodeRun.runLoop({ name: loopName })}
        </Button>
      </footer>
    </>
  );
}

export function NodeRunDialog() {
  const { dialogs } = useCommandContext();
  const subject = useStore(dialogs, ({ open, nodeRun }) => (open === 'node-run' ? nodeRun : null));
  const names = useNodeNames(subject?.path ?? '');
  const name = subject === null ? '' : (names.get(subject.nodeId) ?? subject.nodeId);
  return (
    <Dialog
      isOpen={subject !== null}
      onClose={() => dialogs.getState().close()}
      title={subject?.plan === null ? text.nodeRun.titleInLoop({ name }) : text.nodeRun.title({ name })}
      description={descriptionOf(subject?.plan ?? null)}
    >
      {subject === null ? null : subject.plan === null ? (
        <InLoop {...subject} />
      ) : (
        <NodeRunForm {...subject} plan={subject.plan} />
      )}
    </Dialog>
  );
}

function descriptionOf(plan: NodePlan | null): string {
  if (plan === null) return text.nodeRun.aboutInLoop;
  return plan.missing.length === 0 ? text.nodeRun.about : text.nodeRun.aboutMissing;
}
