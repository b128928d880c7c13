/**
 * Ties the text editor to the stores: text, edits and problems of the file, what is selected, and the place asked for.
 */
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { OpenFlow } from '../stores/open-flows.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useSelection } from '../stores/use-flow.ts';
import { languageOf, registerLanguage, type TextLanguage } from './languages.ts';
import { monaco } from './monaco.ts';
import { createTextEditor, type TextEditor } from './text-editor.ts';
import { linesInOrder, nameAtLine, problemMarkers } from './text-places.ts';

export interface MonacoTextProps {
  readonly flow: OpenFlow;
  readonly languages: readonly TextLanguage[];
}

let editorCount = 0;

/** Where the editor is: null until it is made. */
function useTextEditor({ flow, languages }: MonacoTextProps, onCursorLine: (line: number) => void) {
  const { kind, path } = flow;
  const { edits } = useStores();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor>(null);
  const followCursor = useEffectEvent(onCursorLine);
  useEffect(() => {
    if (host.current === null) return;
    const language = languageOf({ kind, path }, languages);
    registerLanguage(monaco, language);
    const created = createTextEditor(host.current, {
      label: `Text of ${path}`,
      language: language.id,
      uri: `millrace-text://${++editorCount}/${encodeURIComponent(path)}`,
      onEdits: (typed, mergeKey) => edits.type(path, typed, mergeKey),
      onCursor: ({ line }) => followCursor(line),
      onUndo: () => edits.undo(path),
      onRedo: () => edits.redo(path),
    });
    editor.current = created;
    const detach = language.attach?.(monaco, created, path);
    return () => {
      detach?.();
      editor.current = null;
      created.dispose();
    };
  }, [path, kind, edits, languages]);
  return { host, editor };
}

/** Keeps the text of the editor the one of the file, or of the old version that is shown instead. */
function useFileText(
  { path, text, isOldVersion, readOnlyReason }: OpenFlow,
  editor: { readonly current: TextEditor | null },
): void {
  const { edits, openFlows } = useStores();
  useEffect(() => {
    editor.current?.setReadOnly(readOnlyReason);
  }, [editor, readOnlyReason]);
  useEffect(() => {
    // What is drawn may lag behind what was typed, which must not come back.
    const isNewest = isOldVersion || openFlows.getState().flows.get(path)?.text === text;
    if (isNewest) editor.current?.setText(text);
  }, [editor, openFlows, path, text, isOldVersion]);
  useEffect(() => {
    if (isOldVersion) return;
    return edits.onEdits(path, (parts, origin) => {
      for (const part of parts) editor.current?.applyEdits(part, origin === 'here' ? 'own' : 'foreign');
    });
  }, [editor, edits, path, isOldVersion]);
}

/** The editor of a file's text. Loads Monaco, hence meant for `lazy`. */
export function MonacoText({ flow, languages }: MonacoTextProps) {
  const { path, diagnostics, nodeRanges, isCheckStale } = flow;
  const { nodeId, reveal } = useSelection(path);
  const { selection } = useStores();
  const nodes = useMemo(() => linesInOrder(nodeRanges), [nodeRanges]);
  const { host, editor } = useTextEditor({ flow, languages }, (line) => {
    const found = nameAtLine(nodes, line);
    if (found !== undefined && !isCheckStale) selection.getState().selectNode(path, found);
  });
  // After the effect above, which may just have made the editor.
  useFileText(flow, editor);
  useEffect(() => {
    // Marks of an earlier text would stand in the wrong lines; those that are there move along.
    if (!isCheckStale) editor.current?.setProblems(problemMarkers(diagnostics));
  }, [editor, diagnostics, isCheckStale]);
  useEffect(() => {
    if (!isCheckStale) editor.current?.highlight(nodes.find(({ name }) => name === nodeId) ?? null);
  }, [editor, nodes, nodeId, isCheckStale]);
  useEffect(() => {
    if (reveal !== null) editor.current?.reveal(reveal);
  }, [editor, reveal]);

  return <div className="text-view-editor" ref={host} />;
}
