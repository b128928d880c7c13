/**
 * React looks once, when it is loaded, for the hook that developer tools install. It has to be there before any test of the process
 * loads React, so that a test can see what is drawn. Set up for every file of the page's tests.
 */
const name = '__REACT_DEVTOOLS_GLOBAL_HOOK__';

/** What React calls with each tree that it has drawn; does nothing while no test has set it. */
export interface CommitHook {
  onCommitFiberRoot: (id: number, root: { readonly current: unknown }) => void;
}

const present = Reflect.get(globalThis, name) as CommitHook | undefined;
const hook: CommitHook = present ?? {
  ...{ supportsFiber: true, inject: () => 1, onCommitFiberUnmount: () => undefined },
  onCommitFiberRoot: () => undefined,
};
Reflect.set(globalThis, name, hook);

/** Calls `listener` with the root of each tree that is drawn. Returns the end of that. */
export function onCommit(listener: (current: unknown) => void): () => void {
  hook.onCommitFiberRoot = (_id, { current }) => listener(current);
  return () => {
    hook.onCommitFiberRoot = () => undefined;
  };
}
