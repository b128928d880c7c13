/**
 * The text of a file, beside the canvas or alone: it is written here, problems are marked, and what is selected is highlighted.
 */
import { lazy, Suspense } from 'react';
import { useOpenFile } from '../stores/use-flow.ts';
import type { TextLanguage } from './languages.ts';
import './text-view.css';

const MonacoText = lazy(async () => ({ default: (await import('./monaco-text.tsx')).MonacoText }));

/** As much as fits on a screen: what stands there until the editor is loaded. */
const previewLength = 8_000;

const noLanguages: readonly TextLanguage[] = [];

interface TextViewProps {
  /** An open file. */
  readonly path: string;
  /** Languages that other areas know; always the same list. */
  readonly languages?: readonly TextLanguage[];
  /** Opens a file of the workspace that the text names; always the same function. */
  readonly openFile: (path: string) => void;
}

export function TextView({ path, languages = noLanguages, openFile }: TextViewProps) {
  const flow = useOpenFile(path);
  if (flow === undefined || flow.status !== 'ready') return null;
  return (
    // React Flow takes keys, the space bar above all, from everything that has no `nokey`.
    <div className="text-view nokey">
      <Suspense fallback={<pre className="text-view-preview">{flow.text.slice(0, previewLength)}</pre>}>
        <MonacoText key={path} flow={flow} languages={languages} openFile={openFile} />
      </Suspense>
    </div>
  );
}
