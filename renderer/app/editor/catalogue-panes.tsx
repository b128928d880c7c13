/**
 * The panes of a catalogue of conversations: its canvas, and what is selected in it. Neither is needed for the first file.
 */
import { Redo2, Undo2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { useSelection } from '../../stores/use-flow.ts';
import { CodeFieldContext } from '../../ui/code-field.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { BarButton, barIcon } from './canvas-bar.tsx';
import { CodeField } from './code-field.tsx';

const CatalogueCanvas = lazy(() =>
  import('../../catalogue/catalogue-canvas.tsx').then((loaded) => ({ default: loaded.CatalogueCanvas })),
);
const CatalogueInspector = lazy(() =>
  import('../../catalogue/catalogue-inspector.tsx').then((loaded) => ({ default: loaded.CatalogueInspector })),
);

interface CatalogueViewProps {
  readonly file: SettledFlow;
  /** Opens a file of the workspace. */
  readonly openFile: (path: string) => void;
}

export function CatalogueView({ file, openFile }: CatalogueViewProps) {
  const bar = (
    <div className="canvas-bar" role="toolbar" aria-label="Canvas">
      <BarButton command="edit.undo" icon={<Undo2 {...barIcon} />} />
      <BarButton command="edit.redo" icon={<Redo2 {...barIcon} />} />
    </div>
  );
  return (
    <Suspense>
      <CatalogueCanvas file={file} bar={bar} openFile={openFile} />
    </Suspense>
  );
}

/** What is selected on the canvas; not while people talk. */
export function CatalogueSide({ file }: { readonly file: SettledFlow }) {
  const { mode } = useSelection(file.path);
  if (mode === 'chat') return null;
  return (
    <aside className="inspector" aria-label="Inspector" data-undo="file">
      <ErrorBoundary key={file.path} subject="The inspector">
        <Suspense>
          <CodeFieldContext value={CodeField}>
            <CatalogueInspector file={file} />
          </CodeFieldContext>
        </Suspense>
      </ErrorBoundary>
    </aside>
  );
}
