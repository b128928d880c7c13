import type { PointerEvent } from 'react';
import type { NodePosition } from '../../../engine/isomorphic.ts';

interface PointerFollower {
  /** Called with the distance the pointer has moved, in pixels of the page. */
  move(by: NodePosition, event: globalThis.PointerEvent): void;
  /** Called when the pointer is released. `isDone` is false after Escape or if the system canceled the pointer. */
  end(by: NodePosition, isDone: boolean, event?: globalThis.PointerEvent): void;
}

/** Follows a pressed pointer until it is released. */
export function followPointer(event: PointerEvent, { move, end }: PointerFollower): void {
  if (event.button !== 0) return;
  event.preventDefault();
  event.stopPropagation();
  const { clientX, clientY } = event;
  let by: NodePosition = { x: 0, y: 0 };
  const stop = (): void => {
    removeEventListener('pointermove', onMove);
    removeEventListener('pointerup', onUp);
    removeEventListener('pointercancel', onCancel);
    removeEventListener('keydown', onKeyDown, { capture: true });
  };
  const onMove = (moved: globalThis.PointerEvent): void => {
    by = { x: moved.clientX - clientX, y: moved.clientY - clientY };
    move(by, moved);
  };
  const onUp = (up: globalThis.PointerEvent): void => {
    stop();
    end(by, true, up);
  };
  const onCancel = (): void => {
    stop();
    end(by, false);
  };
  const onKeyDown = (key: KeyboardEvent): void => {
    if (key.key !== 'Escape') return;
    key.stopPropagation();
    onCancel();
  };
  addEventListener('pointermove', onMove);
  addEventListener('pointerup', onUp);
  addEventListener('pointercancel', onCancel);
  addEventListener('keydown', onKeyDown, { capture: true });
}
