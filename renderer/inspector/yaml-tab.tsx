import { useStores } from '../stores/stores-context.tsx';
import { useOpenFile } from '../stores/use-flow.ts';
import { Button } from '../ui/button.tsx';

/** A node's own lines of the file, as they stand there. */
export function YamlTab({ path, nodeId }: { path: string; nodeId: string }) {
  const flow = useOpenFile(path);
  const { selection } = useStores();
  const range = flow?.nodeRanges.get(nodeId);
  if (flow === undefined || range === undefined) {
    return (
      <div className="inspector-body">
        <p className="inspector-note">The text on screen has no lines of this node just now.</p>
      </div>
    );
  }
  const lines = flow.text
    .split(/\r?\n/)
    .slice(range.line - 1, range.endColumn === 1 ? range.endLine - 1 : range.endLine);
  return (
    <div className="inspector-body">
      <pre className="inspector-yaml" data-selectable>
        {lines.join('\n')}
      </pre>
      <Button
        size="small"
        className="inspector-yaml-edit"
        onClick={() => selection.getState().revealText(path, { line: range.line, column: 1 })}
      >
        Edit in the text
      </Button>
    </div>
  );
}
