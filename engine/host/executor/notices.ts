/**
 * Stores notices about the engine as a whole, one per code.
 */

/** A notice about the engine as a whole. */
export interface EngineNotice {
  /**
   * Stable code: `store.in-memory`, `store.unreadable`, or the code of the error that stopped recording or watching.
   */
  readonly code: string;
  readonly message: string;
}

export interface EngineNotices {
  list(): readonly EngineNotice[];
  note(notice: EngineNotice): void;
  /** Adds a notice about a recording failure. It remains until recording succeeds. */
  noteRecordFailure(notice: EngineNotice): void;
  /** Removes notices about recording failures after a successful write. */
  dropRecordFailures(): void;
}

/** Creates the list with its initial notices. */
export function createNotices(initial: readonly EngineNotice[]): EngineNotices {
  const lasting = new Map(initial.map((notice) => [notice.code, notice]));
  const recordFailures = new Map<string, EngineNotice>();
  const noteIn =
    (notices: Map<string, EngineNotice>) =>
    ({ code, message }: EngineNotice): void => {
      if (!notices.has(code)) notices.set(code, { code, message });
    };
  return {
    list: () => [...new Map([...recordFailures, ...lasting]).values()],
    note: noteIn(lasting),
    noteRecordFailure: noteIn(recordFailures),
    dropRecordFailures: () => recordFailures.clear(),
  };
}
