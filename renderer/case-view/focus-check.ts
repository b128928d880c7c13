/**
 * Moves the keyboard focus after an action on a check, because its button is gone by then.
 */
import { nextFrame } from '../ui/next-frame.ts';

const failingCheck = '.checks-list .check-row[data-failed="true"]';

/** Returns the first failing check from the shown one on, or before it. */
function nextFailing(): HTMLElement | undefined {
  const failing = [...document.querySelectorAll<HTMLElement>(failingCheck)];
  return failing.find((row) => row.getAttribute('aria-current') === 'true') ?? failing[0];
}

/** Focuses the next failing check, else the bar of the open test, unless the person has moved the focus elsewhere. */
export function focusNextCheck(): void {
  // The new result is drawn in the frame before.
  nextFrame(() =>
    nextFrame(() => {
      const { activeElement } = document;
      if (activeElement !== null && activeElement !== document.body) return;
      const place = nextFailing() ?? document.querySelector<HTMLElement>('.case-header');
      place?.focus();
    }),
  );
}
