/** Pixels: canvases of a page can be no longer, and pictures of more take many seconds to make. */
const longestSide = 16_000;
const mostPixels = 48_000_000;
/** For screens with two pixels where others have one. */
const usualScale = 2;

/** How many pixels of the picture there are for one at 100 %: two, or fewer in a picture of a large flow. */
export function pictureScale({ width, height }: { readonly width: number; readonly height: number }): number {
  return Math.min(usualScale, longestSide / Math.max(width, height), Math.sqrt(mostPixels / (width * height)));
}
