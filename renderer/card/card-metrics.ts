/**
 * The measures of a card in pixels at 100 %. The projection computes heights from them before anything is drawn, and
 * the card hands them to its styles, so the two cannot disagree.
 */
export const cardMetrics = {
  width: 248,
  border: 1,
  headerHeight: 40,
  /** What is cut off the corners of a card that waits for a person. */
  gateCut: 13,
  /** Centre of the ports below the card's top. */
  portY: 20,
  /** Inner width of the sentence; 6 less on the first card of a flow, whose left side is round. */
  sentenceWidth: 222,
  startIndent: 6,
  sentenceLineHeight: 18,
  /** Below the sentence; it begins 3 px inside the header. */
  sentencePadding: 7,
  rowHeight: 22,
  /** Rows have a hairline and 4 px above and below. */
  rowsPadding: 9,
  /** Of a way out; lower on a card with many. */
  branchHeight: 28,
  compactBranchHeight: 22,
  /** At the zoom `middle`: two lines of the name with the type and some room, and a line of the sentence. */
  titleAfar: 84,
  lineAfar: 22,
  streamHeight: 63,
  footerHeight: 26,
  /** Of the two answers below a card that waits for a person. */
  answerHeight: 36,
  /** Of the line at the foot that says what the node gave last. */
  outputHeight: 20,
} as const;

/** Horizontal room between two columns of cards, where edges turn. */
export const columnGap = 56;

export type ZoomLevel = 'near' | 'middle' | 'far' | 'farthest';

/** How much a card can say at a zoom: all; its name, type and state, and what it does where there is room; its name and state; only its kind and state. */
export function zoomLevel(zoom: number): ZoomLevel {
  if (zoom > 0.7) return 'near';
  if (zoom >= 0.4) return 'middle';
  return zoom >= 0.25 ? 'far' : 'farthest';
}
