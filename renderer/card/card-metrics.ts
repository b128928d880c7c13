/**
 * The dimensions of a card in pixels at 100 %. The projection uses them to compute heights before anything is rendered,
 * and the card passes them to its styles, so the two cannot differ.
 */
export const cardMetrics = {
  width: 248,
  border: 1,
  headerHeight: 40,
  /** Size of the cut corners of a card that waits for an answer. */
  gateCut: 13,
  /** Vertical center of the ports, from the top of the card. */
  portY: 20,
  /** Inner width of the summary. It is 6 less on the first card of a flow, which has a rounded left side. */
  sentenceWidth: 222,
  startIndent: 6,
  sentenceLineHeight: 18,
  /** Padding below the summary, which starts 3 px inside the header. */
  sentencePadding: 7,
  rowHeight: 22,
  /** Rows have a hairline and 4 px above and below. */
  rowsPadding: 9,
  /** Height of a branch row. Lower on a card with many branches. */
  branchHeight: 28,
  compactBranchHeight: 22,
  /** At the zoom level `middle`: two lines for the name with the type and some room, and one line of the summary. */
  titleAfar: 84,
  lineAfar: 22,
  streamHeight: 63,
  /** Height of the line of a compared run, and of both hairline and padding around the lines. */
  comparedRowHeight: 19,
  comparedPadding: 9,
  footerHeight: 26,
  /** Height of the answer buttons below a card that waits for an answer. */
  answerHeight: 36,
  /** Height of the output line at the bottom. */
  outputHeight: 20,
} as const;

/** Horizontal space between two columns of cards, where edges turn. */
export const columnGap = 56;

export type ZoomLevel = 'near' | 'middle' | 'far' | 'farthest';

/**
 * Returns the level of detail at a zoom: everything; name, type and state, and the summary if there is room; name and
 * state; or only type and state.
 */
export function zoomLevel(zoom: number): ZoomLevel {
  if (zoom > 0.68) return 'near';
  if (zoom >= 0.4) return 'middle';
  return zoom >= 0.25 ? 'far' : 'farthest';
}
