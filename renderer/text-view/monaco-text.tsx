/**
 * Connects the text editor to the stores: text, edits and problems of the file, the selection, and requested positions.
 */
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { type FlowDoc, isCataloguePath, nameEdges, typesOfFlow } from '../../engine/isomorphic.ts';
import { nodeTypes } from '../stores/flow/node-types.ts';
import { breakpointText, noBreakpoints } from '../stores/runs/breakpoints.ts';
import type { Stores } from '../stores/stores.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { OpenFile } from '../stores/text/file.ts';
import { useSelection } from '../stores/use-flow.ts';
import { type ConflictChoices, createConflictChoices } from './conflict-choices.ts';
import { createFlowLanguage, indexOfModel } from './flow-language/flow-language.ts';
import { languageOf, registerLanguage, type TextLanguage } from './languages.ts';
import { monaco } from './monaco.ts';
import { useReviewHunks } from './review-hunks.tsx';
import { text as words } from './text.ts';
import { createTextEditor, type TextEditor } from './text-editor.ts';
import { linesInOrder, type NamedLines, nameAtLine, problemMarkers } from './text-places.ts';

/**
 * Returns the language of flow files, connected to the stores of the window. @param openFile opens a workspace file;
 * must be stable
 */
function useFlowLanguage(openFile: (path: string) => void): TextLanguage {
  const stores = useStores();
  useEffect(() => {
    const { rows, list } = stores.secrets.getState();
    if (rows === null) void list();
  }, [stores]);
  return useMemo(
    () =>
      createFlowLanguage({
        catalog: nodeTypes,
        summaryOf: (path, id) => summaryOf(stores, path, id),
        surroundingsOf: (path) => ({
          files: stores.openFiles.getState().files.get(path)?.schemas,
          secrets: stores.secrets.getState().rows?.map(({ name }) => name),
        }),
        rename: (path, id, to) =>
          isCataloguePath(path)
            ? stores.edits.changeCatalogue(path, { do: 'rename-flow', flow: id, to })
            : stores.edits.change(path, { do: 'rename', id, to }),
        open(target) {
          if (target.kind === 'file') openFile(target.path);
          else void stores.agents.open(target.name);
        },
      }),
    [stores, openFile],
  );
}

function summaryOf({ openFiles }: Stores, path: string, id: string): string | undefined {
  const doc = openFiles.getState().files.get(path)?.doc ?? null;
  const node = doc?.nodes.find((candidate) => candidate.id === id);
  if (node === undefined) return undefined;
  const parts =
    typesOfFlow(doc, nodeTypes)
      .get(node.type)
      ?.summary?.(node.config ?? {}, node.input) ?? [];
  return parts.map((part) => (typeof part === 'string' ? part : part.chip)).join('');
}

/**
 * Returns the edges with their lines. Empty while text and document have different ones. The check of a text contains
 * only positions of nodes, so edges are located on demand.
 */
function allEdges({ file }: TextEditor, doc: FlowDoc): readonly NamedLines[] {
  const { edges } = indexOfModel(file.model);
  if (edges.length !== doc.edges.length) return [];
  const lineOf = (offset: number): number => file.filePlace(file.model.getPositionAt(offset)).lineNumber;
  return nameEdges(doc.edges).flatMap(({ id }, index) => {
    const entry = edges[index]?.entry;
    return entry === undefined ? [] : [{ name: id, first: lineOf(entry.start), last: lineOf(entry.end) }];
  });
}

/** Returns the edge at a line. */
function edgeAtLine(editor: TextEditor | null, doc: FlowDoc | null, line: number): string | undefined {
  if (editor === null || doc === null) return undefined;
  return allEdges(editor, doc).find(({ first, last }) => first <= line && line <= last)?.name;
}

/** Returns an edge's lines. */
function edgeLines(editor: TextEditor | null, doc: FlowDoc | null, name: string): NamedLines | undefined {
  if (editor === null || doc === null) return undefined;
  return allEdges(editor, doc).find((edge) => edge.name === name);
}

interface MonacoTextProps {
  readonly flow: OpenFile;
  /** Languages of other features. */
  readonly languages: readonly TextLanguage[];
  /** Opens a workspace file. Must be stable. */
  readonly openFile: (path: string) => void;
}

let editorCount = 0;

/** Returns the ref of the editor. Null until it is created. */
function useTextEditor({ flow, languages, openFile }: MonacoTextProps, onCursorLine: (line: number) => void) {
  const { kind, path } = flow;
  const { edits, cursors, typedLines, breakpoints } = useStores();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor>(null);
  const followCursor = useEffectEvent(onCursorLine);
  const nodeAt = useEffectEvent((line: number) =>
    flow.kind === 'flow' && !flow.isCheckStale ? nameAtLine(linesInOrder(flow.nodeRanges), line) : undefined,
  );
  const flowLanguage = useFlowLanguage(openFile);
  useEffect(() => {
    if (host.current === null) return;
    const language = languageOf({ kind, path }, [...languages, flowLanguage]);
    registerLanguage(monaco, language);
    const created = createTextEditor(host.current, {
      label: words.editor.label({ path }),
      language: language.id,
      uri: `millrace-text://${++editorCount}/${encodeURIComponent(path)}`,
      onTyping: (line) => typedLines.type(path, line),
      onEdits: (typed, mergeKey) => edits.type(path, typed, mergeKey),
      onCursor: (place) => {
        cursors.getState().put(path, place);
        typedLines.stay(path, place.line);
        followCursor(place.line);
      },
      hasBreakpoints: kind === 'flow',
      mayBreak: (line) => nodeAt(line) !== undefined,
      onMargin(line) {
        const node = nodeAt(line);
        if (node !== undefined) breakpoints.getState().toggle(path, node);
      },
      onMarked: (lines) => cursors.getState().mark(path, lines),
      onUndo: () => edits.undo(path),
      onRedo: () => edits.redo(path),
    });
    editor.current = created;
    const detach = language.attach?.(monaco, created, path);
    return () => {
      detach?.();
      cursors.getState().mark(path, null);
      editor.current = null;
      created.dispose();
    };
  }, [path, kind, edits, cursors, typedLines, breakpoints, languages, flowLanguage]);
  return { host, editor };
}

/** Keeps the text of the editor equal to that of the file, or of the older version shown instead. */
function useFileText(
  { path, text, isOldVersion, readOnlyReason }: OpenFile,
  editor: { readonly current: TextEditor | null },
): void {
  const { edits, openFiles } = useStores();
  useEffect(() => {
    editor.current?.setReadOnly(readOnlyReason);
  }, [editor, readOnlyReason]);
  useEffect(() => {
    // The rendered text may be older than what was typed, and must not overwrite it.
    const isNewest = isOldVersion || openFiles.getState().files.get(path)?.text === text;
    if (isNewest) editor.current?.setText(text);
  }, [editor, openFiles, path, text, isOldVersion]);
  useEffect(() => {
    if (isOldVersion) return;
    return edits.onEdits(path, (parts) => {
      for (const part of parts) editor.current?.applyEdits(part);
    });
  }, [editor, edits, path, isOldVersion]);
}

/** Offers the sides of the conflicts that Git has left in the text. */
function useConflictChoices(
  { path, text, readOnlyReason }: OpenFile,
  editor: { readonly current: TextEditor | null },
): void {
  const { edits } = useStores();
  const choices = useRef<{ readonly of: TextEditor; readonly shown: ConflictChoices }>(null);
  useEffect(() => {
    const { current } = editor;
    if (current === null || readOnlyReason !== null || current.file.text !== text) return;
    if (choices.current?.of !== current) {
      const shown = createConflictChoices(current.view, current.file, (next, label) =>
        edits.replace(path, next, label),
      );
      choices.current = { of: current, shown };
    }
    choices.current.shown.update();
  }, [editor, edits, path, text, readOnlyReason]);
}

/** Selects the element at the cursor, and highlights the selection. */
function useSelectedLines(
  { path, doc, nodeRanges, isCheckStale }: OpenFile,
  editor: { readonly current: TextEditor | null },
) {
  const { selection } = useStores();
  const { nodeId, chosen } = useSelection(path);
  const nodes = useMemo(() => linesInOrder(nodeRanges), [nodeRanges]);
  const [onlyEdge] = nodeId === null && chosen.edges.size === 1 ? chosen.edges : [];
  useEffect(() => {
    // Positions of an earlier text would be wrong. The highlighted ones move along.
    if (isCheckStale) return;
    const lines =
      onlyEdge === undefined ? nodes.find(({ name }) => name === nodeId) : edgeLines(editor.current, doc, onlyEdge);
    editor.current?.highlight(lines ?? null);
  }, [editor, doc, nodes, nodeId, onlyEdge, isCheckStale]);
  return (line: number): void => {
    if (isCheckStale) return;
    const node = nameAtLine(nodes, line);
    const edge = node === undefined ? edgeAtLine(editor.current, doc, line) : undefined;
    if (node !== undefined) selection.getState().selectNode(path, node);
    else if (edge !== undefined) selection.getState().choose(path, { edges: [edge] }, null);
  };
}

/** Shows the breakpoints beside the first lines of their nodes. */
function useBreakpointMarks(
  { path, nodeRanges, isCheckStale }: OpenFile,
  editor: { readonly current: TextEditor | null },
): void {
  const list = useStore(useStores().breakpoints, ({ flows }) => flows.get(path)) ?? noBreakpoints;
  useEffect(() => {
    // Positions of an earlier text would be wrong. The shown ones move along.
    if (isCheckStale) return;
    const marks = list.flatMap((one) => {
      const range = nodeRanges.get(one.node);
      if (range === undefined) return [];
      const hasCondition = one.when !== undefined || one.item !== undefined;
      return [{ line: range.line, isOff: one.isOff === true, hasCondition, words: breakpointText(one) }];
    });
    editor.current?.setBreakpoints(marks);
  }, [editor, list, nodeRanges, isCheckStale]);
}

/** The editor of a file's text. Loads Monaco, so it must be used with `lazy`. */
export function MonacoText(props: MonacoTextProps) {
  const { path, diagnostics, isCheckStale } = props.flow;
  const { cursors } = useStores();
  const { reveal } = useSelection(path);
  const selectAt = useRef<(line: number) => void>(() => {});
  const { host, editor } = useTextEditor(props, (line) => selectAt.current(line));
  // After the effect above, which may have created the editor.
  useFileText(props.flow, editor);
  useConflictChoices(props.flow, editor);
  useBreakpointMarks(props.flow, editor);
  const select = useSelectedLines(props.flow, editor);
  useEffect(() => {
    selectAt.current = select;
  });
  useEffect(() => {
    // Markers of an earlier text would be on the wrong lines. Existing ones move along.
    if (!isCheckStale) editor.current?.setProblems(problemMarkers(diagnostics));
  }, [editor, diagnostics, isCheckStale]);
  useEffect(() => {
    if (reveal === null || editor.current === null) return;
    editor.current.reveal(reveal);
    const { line, column, length = 0 } = reveal;
    cursors.getState().put(path, { line, column: column + length });
  }, [editor, cursors, path, reveal]);

  const hunks = useReviewHunks(path, editor);
  return (
    <>
      <div className="text-view-editor" ref={host} />
      {hunks}
    </>
  );
}
