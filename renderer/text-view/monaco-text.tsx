/**
 * Ties the text editor to the stores: text and problems of the flow, the selected node, and the place asked for.
 */
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { OpenFlow } from '../stores/open-flows.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useSelection } from '../stores/use-flow.ts';
import { createTextEditor, type TextEditor } from './text-editor.ts';
import { linesOf, type NodeLines, nodeAtLine, problemMarkers } from './text-places.ts';

/** The editor of a flow's text. Loads Monaco, hence meant for `lazy`. */
export function MonacoText({ flow }: { readonly flow: OpenFlow }) {
  const { kind, path, text, diagnostics, doc, nodeRange } = flow;
  const { nodeId, reveal } = useSelection(path);
  const { selection } = useStores();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor>(null);
  const nodes = useMemo(
    () =>
      (doc?.nodes ?? []).flatMap(({ id }): NodeLines[] => {
        const range = nodeRange(id);
        return range === undefined ? [] : [{ nodeId: id, ...linesOf(range) }];
      }),
    [doc, nodeRange],
  );
  const selectAt = useEffectEvent((line: number) => {
    const found = nodeAtLine(nodes, line);
    if (found !== undefined) selection.getState().selectNode(path, found);
  });

  useEffect(() => {
    if (host.current === null) return;
    const created = createTextEditor(host.current, {
      label: `Text of ${path}`,
      language: kind === 'agent' ? 'markdown' : 'yaml',
      onCursorLine: (line) => selectAt(line),
    });
    editor.current = created;
    return () => {
      editor.current = null;
      created.dispose();
    };
  }, [path, kind]);
  // After the effect above, which may just have made the editor.
  useEffect(() => editor.current?.setText(text), [text]);
  useEffect(() => editor.current?.setProblems(problemMarkers(diagnostics)), [diagnostics]);
  useEffect(() => {
    const lines = nodes.find((node) => node.nodeId === nodeId) ?? null;
    editor.current?.highlight(lines);
  }, [nodes, nodeId]);
  useEffect(() => {
    if (reveal !== null) editor.current?.reveal(reveal);
  }, [reveal]);

  return <div className="text-view-editor" ref={host} />;
}
