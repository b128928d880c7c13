/**
 * A plan that the node has proposed. It is only data until the user starts it in a conversation.
 */
import { ListChecks } from 'lucide-react';
import { isCataloguePath, type RunId } from '../../../engine/isomorphic.ts';
import { useFiles, useStores } from '../../stores/stores-context.tsx';
import { useShownRunPart } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { FilesProblem } from '../field-editors/name-editors.tsx';
import type { NodeFacts } from './node-facts.ts';
import { text } from './text.ts';

interface ProposedPlanProps {
  readonly path: string;
  readonly facts: NodeFacts;
}

/** Renders nothing for other nodes, and while the run has not completed with all its approvals. */
export function ProposedPlan({ path, facts: { node, state, runStatus } }: ProposedPlanProps) {
  const runId = useShownRunPart(path, ({ state: run }) => run.runId);
  const isThere = node.type === 'plan_proposal' && runStatus === 'completed' && state === 'completed';
  if (!isThere || runId === null || runId === undefined) return null;
  return <CarryOut runId={runId} nodeId={node.id} />;
}

function CarryOut({ runId, nodeId }: { readonly runId: RunId; readonly nodeId: string }) {
  const { conversations, openFiles, selection } = useStores();
  const { files, filesError } = useFiles();
  const begin = async (catalogue: string): Promise<void> => {
    if (!(await conversations.getState().runPlan(catalogue, { runId, nodeId }))) return;
    selection.getState().setMode(catalogue, 'chat');
    await openFiles.getState().open(catalogue, 'dialogue');
  };
  if (files === null) return filesError === null ? null : <FilesProblem />;
  const catalogues = files.filter(isCataloguePath);
  if (catalogues.length === 0) return <p className="inspector-note">{text.plan.needsCatalog}</p>;
  return (
    <p className="inspector-note">
      <Menu
        trigger={
          <Button size="small">
            <ListChecks aria-hidden size={14} />
            {text.plan.runWith}
          </Button>
        }
      >
        {catalogues.map((catalogue) => (
          <MenuItem key={catalogue} text={catalogue} onSelect={() => void begin(catalogue)} />
        ))}
      </Menu>
    </p>
  );
}
