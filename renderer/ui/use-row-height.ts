import { useSyncExternalStore } from 'react';

const usual = { '--row': 28, '--tree-row': 26 } as const;

function follow(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-density'] });
  return () => observer.disconnect();
}

/** Pixels of a row by its token, for lists that draw only what is in view; follows the density. */
export function useRowHeight(token: keyof typeof usual): number {
  return useSyncExternalStore(follow, () => {
    const written = getComputedStyle(document.documentElement).getPropertyValue(token);
    return Number.parseFloat(written) || usual[token];
  });
}
