/**
 * The report of an import: what each node of the file became, those that need work first.
 */
import { CircleCheck, CircleDashed, CircleX, Sparkles, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import type { ImportLine, ImportReport } from '../stores/workspace/imports.ts';
import { IconButton } from '../ui/button.tsx';
import { moveRovingFocus, rovingItem } from '../ui/roving-focus.ts';
import { text } from './text.ts';
import './import-view.css';

const words = text.import;
const order = ['missing', 'placeholder', 'partly', 'mapped'] as const;
const icons = { missing: CircleX, placeholder: CircleDashed, partly: TriangleAlert, mapped: CircleCheck } as const;
/** Maximum number of nodes to render. */
const mostLines = 500;

export function ImportView({ path }: { path: string }) {
  const { imports } = useStores();
  const report = useStore(imports, ({ reports }) => reports.get(path));
  return report === undefined ? null : <Report path={path} report={report} />;
}

function Report({ path, report: { source, lines, remarks } }: { path: string; report: ImportReport }) {
  const sorted = useMemo(() => order.flatMap((status) => lines.filter((line) => line.status === status)), [lines]);
  const count = (status: ImportLine['status']): number => lines.filter((line) => line.status === status).length;
  return (
    <>
      <div className="import-summary" data-selectable>
        <p>
          {words.summary({
            source,
            mapped: count('mapped'),
            partly: count('partly'),
            placeholder: count('placeholder'),
            missing: count('missing'),
          })}
        </p>
        {remarks.map((remark) => (
          <p key={remark}>{remark}</p>
        ))}
      </div>
      <ul className="import-lines" aria-label={words.list} onKeyDown={moveRovingFocus}>
        {sorted.slice(0, mostLines).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a report never changes, and names can be equal
          <Line key={index} path={path} line={line} isFirst={index === 0} />
        ))}
      </ul>
      {sorted.length > mostLines ? (
        <p className="import-more">{words.more({ count: sorted.length - mostLines })}</p>
      ) : null}
    </>
  );
}

function Line({ path, line, isFirst }: { path: string; line: ImportLine; isFirst: boolean }) {
  const { selection, openFiles } = useStores();
  const { name, type, status, became, id, lost } = line;
  const Icon = icons[status];
  const hasNode = useStore(openFiles, ({ files }) => id !== undefined && files.get(path)?.nodeRanges.has(id) === true);
  const show = (): void => {
    if (id !== undefined && hasNode) selection.getState().selectNode(path, id);
  };
  return (
    <li className="import-line" data-status={status}>
      <button type="button" className="import-node" aria-disabled={!hasNode} onClick={show} {...rovingItem(isFirst)}>
        <Icon role="img" aria-label={words.status[status]} size={14} />
        <span className="import-name">{name === '' ? type : name}</span>
        <span className="import-type">{`${type} → ${became}`}</span>
        {lost.map((sentence) => (
          <span key={sentence} className="import-lost">
            {sentence}
          </span>
        ))}
      </button>
      {status === 'placeholder' && id !== undefined && hasNode ? <Rebuild path={path} id={id} /> : null}
    </li>
  );
}

/** Longest part of a node's text that a suggested message contains, in UTF-16 units. */
const longestNode = 2_000;

/** Suggests a message to the assistant that asks it to rebuild a placeholder. The person sends it. */
function Rebuild({ path, id }: { path: string; id: string }) {
  const { assistant, openFiles, selection } = useStores();
  const suggest = (): void => {
    const { text: flow = '', nodeRanges } = openFiles.getState().files.get(path) ?? {};
    const { line = 1, endLine = 1 } = nodeRanges?.get(id) ?? {};
    const node = flow
      .split('\n')
      .slice(line - 1, endLine)
      .join('\n');
    const cut = node.length > longestNode ? `${node.slice(0, longestNode)}…` : node;
    const { talkOf, type, setOpen } = assistant.getState();
    const { unsent } = talkOf(path);
    selection.getState().selectNode(path, id);
    type(path, [unsent, words.rebuildMessage({ id, node: cut })].filter((part) => part !== '').join('\n'));
    setOpen(true);
  };
  return (
    <IconButton label={words.rebuild} onClick={suggest}>
      <Sparkles aria-hidden size={14} />
    </IconButton>
  );
}
