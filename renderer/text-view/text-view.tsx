/**
 * The text of a flow beside its canvas, to be read: problems are marked, and the selected node is highlighted.
 */
import { lazy, Suspense } from 'react';
import { useOpenFlow } from '../stores/use-flow.ts';
import './text-view.css';

const MonacoText = lazy(async () => ({ default: (await import('./monaco-text.tsx')).MonacoText }));

/** As much as fits on a screen: what stands there until the editor is loaded. */
const previewLength = 8_000;

export interface TextViewProps {
  /** An open flow. */
  readonly path: string;
}

export function TextView({ path }: TextViewProps) {
  const flow = useOpenFlow(path);
  if (flow === undefined || flow.status !== 'ready') return null;
  return (
    // React Flow takes keys, the space bar above all, from everything that has no `nokey`.
    <div className="text-view nokey">
      <Suspense fallback={<pre className="text-view-preview">{flow.text.slice(0, previewLength)}</pre>}>
        <MonacoText key={path} flow={flow} />
      </Suspense>
    </div>
  );
}
