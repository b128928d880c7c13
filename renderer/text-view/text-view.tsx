/**
 * The text of a file, beside the canvas or alone: it can be edited, problems are marked, and the selection is
 * highlighted.
 */
import { lazy, Suspense } from 'react';
import { useOpenFile } from '../stores/use-flow.ts';
import type { TextLanguage } from './languages.ts';
import './text-view.css';

const MonacoText = lazy(async () => ({ default: (await import('./monaco-text.tsx')).MonacoText }));

/** Length of the preview shown until the editor is loaded. It fills a screen. */
const previewLength = 8_000;

const noLanguages: readonly TextLanguage[] = [];

interface TextViewProps {
  /** Path of an open file. */
  readonly path: string;
  /** Languages of other features. Must be a stable list. */
  readonly languages?: readonly TextLanguage[];
  /** Opens a workspace file that the text refers to. Must be stable. */
  readonly openFile: (path: string) => void;
}

export function TextView({ path, languages = noLanguages, openFile }: TextViewProps) {
  const flow = useOpenFile(path);
  if (flow === undefined || flow.status !== 'ready') return null;
  return (
    // React Flow handles keys, above all the space bar, in every element without `nokey`.
    <div className="text-view nokey">
      <Suspense
        fallback={
          <pre className="text-view-preview" data-kind={flow.kind}>
            {flow.text.slice(0, previewLength)}
          </pre>
        }
      >
        <MonacoText key={path} flow={flow} languages={languages} openFile={openFile} />
      </Suspense>
    </div>
  );
}
