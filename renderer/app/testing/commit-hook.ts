/**
 * React looks for the hook of its developer tools once, when it is loaded. The hook must exist before any test in the
 * process loads React, so that a test can observe what is rendered. Set up for every renderer test file.
 */
const name = '__REACT_DEVTOOLS_GLOBAL_HOOK__';

/** Called by React with each tree that it has rendered. Does nothing unless a test has set a listener. */
export interface CommitHook {
  onCommitFiberRoot: (id: number, root: { readonly current: unknown }) => void;
}

const present = Reflect.get(globalThis, name) as CommitHook | undefined;
const hook: CommitHook = present ?? {
  ...{ supportsFiber: true, inject: () => 1, onCommitFiberUnmount: () => undefined },
  onCommitFiberRoot: () => undefined,
};
Reflect.set(globalThis, name, hook);

/** Calls `listener` with the root of each tree that is rendered. Returns a function that unsubscribes. */
export function onCommit(listener: (current: unknown) => void): () => void {
  hook.onCommitFiberRoot = (_id, { current }) => listener(current);
  return () => {
    hook.onCommitFiberRoot = () => undefined;
  };
}
