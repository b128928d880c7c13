/**
 * Pack files that are dropped on the window.
 */
import { useEffect } from 'react';
import { useStores } from '../stores/stores-context.tsx';

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}

function packFileOf({ dataTransfer }: DragEvent): File | undefined {
  return [...(dataTransfer?.files ?? [])].find(({ name }) => name.toLowerCase().endsWith('.aipack'));
}

/** A file that is dropped anywhere asks whether to install it; other files are not taken. */
export function usePackDrop(): void {
  const { packs } = useStores();
  useEffect(() => {
    const allow = (event: DragEvent): void => {
      // Without this the window takes no drop at all.
      if (hasFiles(event)) event.preventDefault();
    };
    const take = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      const file = packFileOf(event);
      if (file !== undefined) packs.getState().offerFile(file);
    };
    addEventListener('dragover', allow);
    addEventListener('drop', take);
    return () => {
      removeEventListener('dragover', allow);
      removeEventListener('drop', take);
    };
  }, [packs]);
}
