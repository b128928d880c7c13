/**
 * Two texts side by side or as an inline diff, with their differences marked.
 */
import { lazy, Suspense } from 'react';
import type { MonacoDiffProps } from './monaco-diff.tsx';
import './text-view.css';

const MonacoDiff = lazy(async () => ({ default: (await import('./monaco-diff.tsx')).MonacoDiff }));

type TextDiffProps = MonacoDiffProps;

/** Shows the changes from one text to the other. Fills its parent. */
export function TextDiff(props: TextDiffProps) {
  return (
    <div className="text-diff nokey">
      <Suspense fallback={null}>
        <MonacoDiff {...props} />
      </Suspense>
    </div>
  );
}
