import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';

/** How the engine is, when it is not well, and what a person should know of the workspace. */
export function WorkspaceBanners() {
  const { workspace, main, notices: messages } = useStores();
  const engine = useStore(workspace, (state) => state.engine);
  const notices = useStore(workspace, (state) => state.notices);
  const tryAgain = (): void =>
    void main
      .call('engine.connect', {})
      .catch((error: unknown) => messages.getState().addError('The engine could not be started', error));
  return (
    <>
      {engine.state === 'restarting' ? (
        <Banner tone="warning">
          {engine.message === '' ? 'The engine stopped and is starting again.' : engine.message} What was done is kept.
        </Banner>
      ) : null}
      {engine.state === 'failed' ? (
        <Banner
          tone="error"
          actions={
            <Button size="small" onClick={tryAgain}>
              Try again
            </Button>
          }
        >
          {engine.message === '' ? 'The engine could not be started.' : engine.message}
        </Banner>
      ) : null}
      {notices.map(({ code, message }) => (
        <Banner key={code} tone="warning">
          {message}
        </Banner>
      ))}
    </>
  );
}
