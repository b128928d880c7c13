/**
 * Highlights stages in the text: a line above each heading, a subtle background for code, and a note next to the
 * heading about when the stage runs.
 */
import type * as MonacoModule from 'monaco-editor/editor';
import { fenceLanguage, type Section, scanAgent } from '../../engine/isomorphic.ts';
import { stageOf } from './language/stages.ts';
import { text } from './text.ts';
import { estimateTokens } from './token-estimate.ts';
import './stage-decorations.css';

type Editor = MonacoModule.editor.ICodeEditor;
type Decoration = MonacoModule.editor.IModelDeltaDecoration;

/** Draws stages in an editor while it shows an agent. Returns a function that removes them. */
export function drawStages(view: Editor): () => void {
  const drawn = view.createDecorationsCollection();
  let frame = 0;
  const draw = (): void => {
    const model = view.getModel();
    drawn.set(model === null ? [] : scanAgent(model.getValue()).sections.flatMap(decorationsOf));
  };
  const listening = view.onDidChangeModelContent(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  });
  draw();
  return () => {
    cancelAnimationFrame(frame);
    listening.dispose();
    drawn.clear();
  };
}

function decorationsOf(section: Section): Decoration[] {
  const { line, kind, block, heading } = section;
  const end = heading.length + 1;
  const headingLine: Decoration = {
    range: lines(line, line, end),
    options: {
      isWholeLine: true,
      ...(line === 1 ? {} : { className: 'agent-stage-line' }),
      after: { content: `   ${wordsOf(section)}`, inlineClassName: 'agent-stage-word' },
      showIfCollapsed: true,
    },
  };
  if (block === null || fenceLanguage(kind) === null) return [headingLine];
  // Includes the fence: its first line is before the block, its last after it.
  const code = lines(block.firstLine - 1, block.firstLine + block.lines.length, 1);
  return [headingLine, { range: code, options: { isWholeLine: true, className: 'agent-stage-code' } }];
}

function wordsOf({ kind, block }: Section): string {
  if (fenceLanguage(kind) !== null) return stageOf(kind).when;
  const prompt = block?.lines.join('\n') ?? '';
  return prompt.includes('{{')
    ? text.summary.whenFilled({ when: stageOf(kind).when })
    : text.summary.tokens({ count: estimateTokens(prompt) });
}

function lines(first: number, last: number, endColumn: number): MonacoModule.IRange {
  return { startLineNumber: first, startColumn: 1, endLineNumber: last, endColumn };
}
