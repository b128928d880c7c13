import { useSyncExternalStore } from 'react';

const usualHeight = 28;

function follow(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-density'] });
  return () => observer.disconnect();
}

function read(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || usualHeight;
}

/** Pixels of a row (the token `--row`), for lists that draw only what is in view; follows the density. */
export function useRowHeight(): number {
  return useSyncExternalStore(follow, read);
}
