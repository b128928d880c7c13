/**
 * Explains beside a node's card why the node failed or did not run, and offers commands that help.
 */
import { Code, MessageCircleQuestionMark, Play, Sparkles, X } from 'lucide-react';
import { useState } from 'react';
import { type ErrorRecord, nodeIdPattern } from '../../../engine/isomorphic.ts';
import { type NodeFacts, nodeFacts, nodeInRun } from '../../inspector/run/node-facts.ts';
import { ErrorBox } from '../../inspector/run/run-tabs.tsx';
import { WhyNot } from '../../inspector/run/why-not.tsx';
import { useStores } from '../../stores/stores-context.tsx';
import { useNodePart, useSettledFlow, useShownRunFacts, useShownRunPart } from '../../stores/use-flow.ts';
import { useNodeTypes } from '../../stores/use-node-types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { StateIcon } from '../../ui/state-icon.tsx';
import { text as assistantText } from '../commands/assistant/text.ts';
import { CommandButton, useCommand } from '../commands/command-context.tsx';
import type { CommandId } from '../commands/commands.ts';
import { ErrorHelp } from './error-help.tsx';
import { text } from './text.ts';
import './node-why.css';

interface NodeWhyProps {
  readonly path: string;
  readonly nodeId: string;
}

/**
 * Renders nothing for a node that completed. After it is closed, it stays closed until another run or node is shown.
 */
export function NodeWhy({ path, nodeId }: NodeWhyProps) {
  const runId = useShownRunPart(path, (run) => run.runId);
  const [closed, setClosed] = useState<string | null>(null);
  const subject = `${runId} ${nodeId}`;
  if (runId === undefined || closed === subject) return null;
  return <Explained path={path} nodeId={nodeId} onClose={() => setClosed(subject)} />;
}

/**
 * Returns the facts about a skipped or failed node, or null for any other node. In a suspended run, skipped nodes are
 * not explained here, so that the request stays visible. The inspector shows them.
 */
function useTrouble(path: string, nodeId: string): NodeFacts | null {
  const flow = useSettledFlow(path);
  const run = useShownRunFacts(path);
  const place = useNodePart(path, nodeId, (_, shown) => shown) ?? nodeId;
  const types = useNodeTypes();
  if (flow === undefined || run === undefined) return null;
  const facts = nodeFacts(flow, nodeId, { inRun: nodeInRun(run, flow, place), types });
  const { status } = facts?.nodeState ?? {};
  const isTold = status === 'failed' || (status === 'skipped' && run.state.status !== 'suspended');
  return isTold && facts !== undefined ? facts : null;
}

function Explained({ path, nodeId, onClose }: NodeWhyProps & { readonly onClose: () => void }) {
  const { selection } = useStores();
  const facts = useTrouble(path, nodeId);
  if (facts === null) return null;
  const { node, line, nodeState } = facts;
  const isSkipped = nodeState?.status === 'skipped';
  const name = node.name ?? node.id;
  // The loop must run as a whole.
  const isInLoop = nodeState !== undefined && nodeState.nodeId !== node.id;
  return (
    <section className="node-why" aria-label={text.nodeWhy.label({ name })}>
      <header>
        <StateIcon state={isSkipped ? 'skipped' : 'failed'} isDecorative />
        <h3>{isSkipped ? text.nodeWhy.skipped : text.nodeWhy.failed}</h3>
        <span className="node-why-name">{name}</span>
        <IconButton label={text.nodeWhy.close} onClick={onClose}>
          <X aria-hidden size={14} />
        </IconButton>
      </header>
      <div className="node-why-body">
        {isSkipped ? <WhyNot facts={facts} hasHeading={false} /> : <Failure path={path} facts={facts} />}
      </div>
      <footer>
        {line === null ? null : (
          <button
            type="button"
            className="inspector-line-link"
            onClick={() => selection.getState().revealText(path, { line, column: 1 })}
          >
            <Code aria-hidden size={14} />
            {text.nodeWhy.line({ line })}
          </button>
        )}
        <span className="node-why-gap" />
        {isSkipped ? (
          <OfferedCommand
            command="run.anyway"
            text={isInLoop ? text.nodeWhy.runAnywayForAll : text.nodeWhy.runAnyway}
          />
        ) : (
          <>
            <OfferedCommand command="run.item" text={text.nodeWhy.runItem} />
            <OfferedCommand command="run.fromHere" text={text.nodeWhy.runFromHere} />
          </>
        )}
      </footer>
    </section>
  );
}

function Failure({ path, facts: { nodeState } }: { path: string; facts: NodeFacts }) {
  const { selection } = useStores();
  if (nodeState?.error === undefined) return null;
  const absent = absentNode(nodeState.error);
  return (
    <>
      <ErrorBox error={nodeState.error} />
      <ErrorHelp error={nodeState.error} />
      <div className="error-actions">
        <FixButton />
        <ExplainButton />
      </div>
      {absent === undefined ? null : (
        <Button size="small" onClick={() => selection.getState().selectNode(path, absent.at)}>
          {absent.is === 'failed'
            ? text.nodeWhy.goToFailed({ name: absent.at })
            : text.nodeWhy.goToSkipped({ name: absent.at })}
        </Button>
      )}
    </>
  );
}

/**
 * Returns the node that has no output but is used by a binding. Undefined for other errors, and for a missing value in
 * a loop's output.
 */
function absentNode({ code, details }: ErrorRecord): { readonly at: string; readonly is: string } | undefined {
  const { absent } = (code === 'binding.missing' ? (details ?? {}) : {}) as {
    readonly absent?: { readonly at: string; readonly is: string };
  };
  return absent !== undefined && nodeIdPattern.test(absent.at) ? absent : undefined;
}

/** Explains the selected failed node, or without one the shown run. */
export function ExplainButton() {
  const { isAvailable } = useCommand('assistant.explain');
  if (!isAvailable) return null;
  return (
    <CommandButton
      command="assistant.explain"
      text={assistantText.explainShort}
      icon={<MessageCircleQuestionMark aria-hidden size={12} />}
    />
  );
}

/** Asks the assistant to fix the selected node, or without one the shown run. */
export function FixButton() {
  const { isAvailable } = useCommand('assistant.fix');
  if (!isAvailable) return null;
  return (
    <CommandButton command="assistant.fix" text={assistantText.fixShort} icon={<Sparkles aria-hidden size={12} />} />
  );
}

function OfferedCommand({ command, text: words }: { command: CommandId; text: string }) {
  const { isAvailable } = useCommand(command);
  return isAvailable ? <CommandButton command={command} text={words} icon={<Play aria-hidden size={12} />} /> : null;
}
