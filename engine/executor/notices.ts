/**
 * What a person should know of the engine as a whole, once for each code.
 */

/** Something a person should know of the engine as a whole. */
export interface EngineNotice {
  /** Stable: `store.in-memory`, `store.unreadable`, or the code of what stopped the recording or the watching. */
  readonly code: string;
  readonly message: string;
}

export interface Notices {
  list(): readonly EngineNotice[];
  note(notice: EngineNotice): void;
  /** Notes why something could not be recorded; true until something is. */
  noteRecordFailure(notice: EngineNotice): void;
  /** Something was recorded again. */
  dropRecordFailures(): void;
}

/** Makes the list, with what there is to say from the start. */
export function createNotices(initial: readonly EngineNotice[]): Notices {
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
