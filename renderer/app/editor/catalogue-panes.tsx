/**
 * The panes of a conversation catalog: its canvas and the inspector of the selection. Both are loaded lazily, because
 * the first file does not need them.
 */
import { Maximize, Redo2, Undo2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { CodeFieldContext } from '../../ui/code-field.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { BarButton, barIcon, ZoomButtons } from './canvas-bar.tsx';
import { CodeField } from './code-field.tsx';
import { text } from './text.ts';

const CatalogueCanvas = lazy(() =>
  import('../../catalogue/catalogue-canvas.tsx').then((loaded) => ({ default: loaded.CatalogueCanvas })),
);
const CatalogueInspector = lazy(() =>
  import('../../catalogue/catalogue-inspector.tsx').then((loaded) => ({ default: loaded.CatalogueInspector })),
);

const ConversationView = lazy(() =>
  import('../../conversation/conversation-view.tsx').then((loaded) => ({ default: loaded.ConversationView })),
);

interface CatalogueViewProps {
  readonly file: SettledFlow;
  /** Opens a workspace file. */
  readonly openFile: (path: string) => void;
}

export function CatalogueView({ file, openFile }: CatalogueViewProps) {
  const bar = (zoomPercent: number) => (
    <div className="canvas-bar" role="toolbar" aria-label={text.canvasBar.label}>
      <BarButton command="edit.undo" icon={<Undo2 {...barIcon} />} />
      <BarButton command="edit.redo" icon={<Redo2 {...barIcon} />} />
      <span className="canvas-bar-rule" />
      <BarButton command="canvas.fit" icon={<Maximize {...barIcon} />} />
      <ZoomButtons percent={zoomPercent} />
    </div>
  );
  return (
    <Suspense>
      <CatalogueCanvas file={file} bar={bar} openFile={openFile} />
    </Suspense>
  );
}

/** The chat with the conversation that the catalog describes. */
export function ChatView({ path }: { readonly path: string }) {
  // Uses the file itself even while a run is shown over its canvas.
  const file = useStore(useStores().openFiles, ({ files }) => files.get(path));
  if (file === undefined) return null;
  return (
    <Suspense>
      <CodeFieldContext value={CodeField}>
        <ConversationView key={path} file={file} />
      </CodeFieldContext>
    </Suspense>
  );
}

/** The inspector of the selection on the canvas. */
export function CatalogueSide({ file }: { readonly file: SettledFlow }) {
  return (
    <aside className="inspector" aria-label={text.labels.inspector} data-undo="file">
      <ErrorBoundary key={file.path} subject={text.panes.inspector}>
        <Suspense>
          <CodeFieldContext value={CodeField}>
            <CatalogueInspector file={file} />
          </CodeFieldContext>
        </Suspense>
      </ErrorBoundary>
    </aside>
  );
}
